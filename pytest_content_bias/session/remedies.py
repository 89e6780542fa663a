"""One command where many cases need the same one."""

import re
from collections.abc import Iterator

import pytest

from pytest_content_bias.session.options import PREFIX
from pytest_content_bias.vocabulary.run import CaseResult, RunReport

_COMMAND = re.compile(
    rf'(?:record it|record its answers anew|take it up): pytest "[^"\n]+" {PREFIX}record='
    r"(missing|system)$",
    re.MULTILINE,
)
"""As `Advice.record`, `stale_system` and `notes` word it."""
_PLAIN = re.compile(r"[\w./:=@,+-]+")


def shared_commands(report: RunReport, config: pytest.Config) -> Iterator[str]:
    """A line for each recording mode that two or more cases ask for.

    Args:
        report: the run.
        config: what was run.
    """
    cases: dict[str, set[str]] = {}
    for result in report.results:
        for mode in _modes(result):
            cases.setdefault(mode, set()).add(result.case.case_id)
    for mode, asking in sorted(cases.items()):
        if len(asking) > 1:
            command = " ".join(["pytest", *_selection(config), f"{PREFIX}record={mode}"])
            yield f"one command for {len(asking)} cases: {command}"


def _modes(result: CaseResult) -> Iterator[str]:
    notes = result.score.notes if result.score else ()
    for text in (result.message or "", *notes):
        yield from _COMMAND.findall(text)


def _selection(config: pytest.Config) -> Iterator[str]:
    """What the command line selects the cases by."""
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        yield from map(_quoted, map(str, config.args))
    for name, value in (("-k", config.option.keyword), ("-m", config.option.markexpr)):
        if value:
            yield f"{name} {_quoted(value)}"


def _quoted(argument: str) -> str:
    return argument if _PLAIN.fullmatch(argument) else f'"{argument}"'
