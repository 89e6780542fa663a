"""The commands and their arguments."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from pytest_content_bias.cli import printing, recordings, stored_runs
from pytest_content_bias.vocabulary.errors import ContentBiasError

USAGE_ERROR = 4
"""As pytest: the command or a file that it names cannot be used."""


def main(arguments: Sequence[str]) -> int:
    """Run a command.

    Args:
        arguments: the command line without the program's name.

    Returns:
        0: all is well; 1: the gate failed or something was found; 4: it could not be run.
    """
    parsed = _parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
    except ContentBiasError as error:
        print(f"ERROR: {error}", file=sys.stderr)  # noqa: T201 - a command line tool
        return USAGE_ERROR
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytest_content_bias",
        description="Whatever of pytest-content-bias is not a test.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_printing(commands)
    _add_recordings(commands)
    _add_stored_runs(commands)
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _add_printing(commands: Commands) -> None:
    schema = commands.add_parser("schema", help="Print a JSON Schema, for editors.")
    schema.add_argument("name", choices=sorted(printing.SCHEMAS))
    schema.set_defaults(run=lambda parsed: printing.schema(parsed.name))
    manifest = commands.add_parser("manifest", help="Print the manifest of content_bias.")
    manifest.set_defaults(run=lambda parsed: printing.manifest())


def _add_recordings(commands: Commands) -> None:
    verify = commands.add_parser(
        "verify", help="Check every cassette without running anything; 1 if one is not well."
    )
    verify.set_defaults(run=lambda parsed: recordings.verify(parsed.paths))
    prune = commands.add_parser(
        "prune",
        help="Delete what was recorded for cases that are gone, and calls that no case asks for.",
    )
    prune.set_defaults(run=lambda parsed: recordings.prune(parsed.paths))
    for command in (verify, prune):
        command.add_argument("paths", nargs="*", help="As for pytest: where the case files are.")
    rename = commands.add_parser("rename", help="Move the recordings of a case that was renamed.")
    rename.add_argument("old", help="Its former id, such as cases/energy.bias.yaml::wind")
    rename.add_argument("new", help="Its present id")
    rename.set_defaults(run=lambda parsed: recordings.rename(parsed.old, parsed.new))


def _add_stored_runs(commands: Commands) -> None:
    report = commands.add_parser("report", help="Turn a JSON report into another format.")
    report.add_argument("report", type=Path)
    report.add_argument("--to", choices=["md", "html"], required=True)
    report.add_argument("--output", "-o", type=Path, help="Default: beside the JSON report.")
    report.set_defaults(run=lambda p: stored_runs.convert(p.report, p.to, p.output))
    merge = commands.add_parser("merge", help="Merge the JSON reports of sharded jobs.")
    merge.add_argument("reports", type=Path, nargs="+")
    merge.add_argument("--output", "-o", type=Path, required=True)
    merge.set_defaults(run=lambda parsed: stored_runs.merged(parsed.reports, parsed.output))
    gate = commands.add_parser("gate", help="Gate a JSON report anew, without any call.")
    gate.add_argument("report", type=Path)
    gate.add_argument("--threshold", action="append", default=[], metavar="VALUE|METRIC=VALUE")
    gate.set_defaults(run=lambda parsed: stored_runs.gated(parsed.report, parsed.threshold))
