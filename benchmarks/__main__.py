"""Measures how fast the plugin is, and writes `results.md` and `results.svg`.

    python -m benchmarks                         everything; takes about half an hour
    python -m benchmarks replay collection       these parts; the others keep what was measured
    python -m benchmarks --small --no-peer       a minute, to see that it works

Every figure is a ratio within one run: what is compared is measured in turn, A B A B …, and the
median counts. Processor time and memory are what the operating system counted for each process.
DeepEval runs in an environment of its own, which is installed the first time.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from benchmarks import collection, peer, recording, replay, unused
from benchmarks.chart import chart
from benchmarks.endpoint import running_endpoint
from benchmarks.figures import Part, keep, table
from benchmarks.plan import Plan

PARTS = {
    "unused": unused.measure,
    "recording": recording.measure,
    "replay": replay.measure,
    "collection": collection.measure,
}


def main(arguments: list[str] | None = None) -> int:
    """Measure and write.

    Returns:
        0, also when goals are not met: the table says so.
    """
    options = _parser().parse_args(arguments)
    names = options.parts or list(PARTS)
    python = peer.environment(options.cache) if _needs_peer(names, options) else None
    with (
        tempfile.TemporaryDirectory(prefix="benchmarks-") as folder,
        running_endpoint() as endpoint,
    ):
        plan = Plan(
            folder=Path(folder),
            endpoint=endpoint,
            rounds=options.rounds or (1 if options.small else 5),
            cases=options.cases or (8 if options.small else 100),
            most=options.most or (20 if options.small else 10_000),
            peer=python,
        )
        measured = [_measured(name, plan) for name in names]
    options.output.mkdir(parents=True, exist_ok=True)
    parts = keep(options.output / "results.json", measured)
    (options.output / "results.md").write_text(table(parts), encoding="utf-8")
    drawn = chart([bars for part in parts for bars in part.bars])
    (options.output / "results.svg").write_text(drawn, encoding="utf-8")
    print(table(measured))
    return 0


def _needs_peer(names: list[str], options: argparse.Namespace) -> bool:
    return options.peer and not {"unused", "recording"}.isdisjoint(names)


def _measured(name: str, plan: Plan) -> Part:
    print(f"measuring {name} ...", file=sys.stderr, flush=True)
    return PARTS[name](plan)


def _parser() -> argparse.ArgumentParser:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--small", action="store_true", help="few cases, one round")
    parser.add_argument("--rounds", type=int, help="how often each pair is measured (5)")
    parser.add_argument("--cases", type=int, help="cases recorded and judged (100)")
    parser.add_argument("--most", type=int, help="cases replayed and collected (10000)")
    parser.add_argument("--no-peer", dest="peer", action="store_false", help="without DeepEval")
    parser.add_argument("--cache", type=Path, default=caches / "pytest-content-bias")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
