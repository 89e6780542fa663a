"""Replaying offline, beside the cost of parsing the same files and beside plain vcrpy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.figures import Bars, Figure, Part, at_least, at_most, circumstances
from benchmarks.measure import (
    ONLY_NAMED_PLUGINS,
    OURS,
    Run,
    in_turn,
    middle,
    middle_ratio,
    run,
)
from benchmarks.peer import SCRIPTS
from benchmarks.plan import Plan
from benchmarks.projects import copy_recorded, recorded_bytes, write_cases, write_project

_LOAD = (sys.executable, str(SCRIPTS / "load_files.py"))
_FEW, _MORE_ROUNDS = 100, 5
"""Short runs are mostly start-up, and measured more often: all growth is held against them."""
_PER_FILE = 10
_DIFFERENT = 1000
"""Cases that are recorded; larger projects repeat them."""


def measure(plan: Plan) -> Part:
    """Replay 10, 100, … cases."""
    source = _recorded_project(plan)
    sizes = plan.sizes()
    shown = min(_DIFFERENT, sizes[-1])
    projects = {size: _project(plan, source, size) for size in sizes}
    runs = {size: _beside_loading(plan, projects[size], size) for size in sizes}
    ours = {size: replayed for size, (replayed, _) in runs.items()}
    figures = [*_beside_yaml(runs[shown], projects[shown], shown), *_growth(ours)]
    naive, each = _naive(plan, projects[sizes[0]]) / sizes[0], _cpu_per_case(ours, shown)
    figures.append(_beside_vcr(naive, each))
    if find_spec("xdist"):
        figures.append(_parallel(plan, projects[sizes[-1]], sizes[-1]))
        figures.append(_two_cores(plan, projects[shown]))
    loaded = middle([load.cpu for load in runs[shown][1]]) / shown * 1000
    bars = (("this", each), ("yaml.load, libyaml", loaded), ("vcr.use_cassette, httpx", naive))
    chart = Bars("CPU to replay a case of 9 calls, ms", bars)
    return Part("Replay", tuple(figures), (chart,), circumstances())


def _recorded_project(plan: Plan) -> Path:
    folder = plan.folder / "recorded"
    write_project(folder, plan.endpoint.url(0))
    for first in range(0, min(_DIFFERENT, plan.most), _PER_FILE):
        numbers = range(first, first + _PER_FILE)
        write_cases(folder / "cases" / f"energy-{first:05}.bias.yaml", numbers)
    run([*OURS, "--content-bias-record=missing"], folder, ONLY_NAMED_PLUGINS)
    return folder


def _project(plan: Plan, source: Path, cases: int) -> Path:
    folder = plan.folder / f"replay-{cases}"
    copy_recorded(source, folder, cases)
    return folder


def _replay(folder: Path, *options: str) -> Run:
    return run([*OURS, *options], folder, ONLY_NAMED_PLUGINS)


def _beside_loading(plan: Plan, folder: Path, cases: int) -> tuple[list[Run], list[Run]]:
    _replay(folder)
    replayed, loaded = in_turn(
        plan.rounds * (_MORE_ROUNDS if cases <= _FEW else 1),
        lambda: _replay(folder),
        lambda: run(_LOAD, folder),
    )
    return replayed, loaded


def _beside_yaml(runs: tuple[list[Run], list[Run]], folder: Path, cases: int) -> Iterator[Figure]:
    replayed, loaded = runs
    size = recorded_bytes(folder) / cases / 1000
    name = f"{cases} cases of 9 calls, {size:.0f} KB each, the whole of pytest"
    for kind in ("cpu", "wall"):
        ours = [float(getattr(each, kind)) for each in replayed]
        theirs = [float(getattr(each, kind)) for each in loaded]
        yield at_most(
            f"{name}, {kind}",
            f"{middle(ours):.2f} s",
            f"{middle(theirs):.2f} s: yaml.load, libyaml, same files",
            middle_ratio(ours, theirs),
            2,
        )


def _growth(runs: dict[int, list[Run]]) -> Iterator[Figure]:
    """How time and memory grow from the smallest project on."""
    least, *others = runs
    costs = {size: _cpu_per_case(runs, size) for size in others}
    first = costs[others[0]]
    for size in others:
        yield at_most(
            f"CPU per case beyond {least} cases, of {size}",
            f"{costs[size]:.2f} ms",
            f"{first:.2f} ms: of {others[0]}",
            costs[size] / first,
            1.25,
        )
    base = middle([each.memory for each in runs[least]])
    for size in others:
        grown = (middle([each.memory for each in runs[size]]) - base) / (size - least)
        yield at_most(
            f"peak memory per case beyond {least} cases, of {size}",
            f"{grown:.1f} KB",
            f"{base / 1000:.0f} MB: with {least} cases",
            grown,
            20,
        )


def _cpu_per_case(runs: dict[int, list[Run]], size: int) -> float:
    """Milliseconds per case beyond the smallest project's, which hold what every run costs."""
    least = min(runs)
    if size == least:
        return middle([each.cpu for each in runs[size]]) / size * 1000
    added = middle([each.cpu for each in runs[size]]) - middle([each.cpu for each in runs[least]])
    return added / (size - least) * 1000


def _naive(plan: Plan, folder: Path) -> float:
    """Milliseconds of CPU, imports and start left out."""
    command = [sys.executable, str(SCRIPTS / "naive_vcr.py"), str(folder)]
    run(command, folder)
    spent = [float(run([*command, "go"], folder).output.split()[-1]) for _ in range(plan.rounds)]
    return middle(spent) * 1000


def _beside_vcr(naive: float, ours: float) -> Figure:
    return at_least(
        "CPU per case beside vcr.use_cassette with httpx, same calls",
        f"{ours:.2f} ms",
        f"{naive:.1f} ms",
        naive / ours,
        10,
    )


def _parallel(plan: Plan, folder: Path, cases: int) -> Figure:
    serial, two = in_turn(
        plan.rounds,
        lambda: _replay(folder, "-p", "xdist"),
        lambda: _replay(folder, "-p", "xdist", "-n", "2"),
    )
    walls = [each.wall for each in serial], [each.wall for each in two]
    return at_least(
        f"{cases} cases with pytest-xdist -n 2, how many times faster than serial",
        f"{middle(walls[1]):.1f} s",
        f"{middle(walls[0]):.1f} s: serial",
        middle_ratio(*walls),
        1.6,
    )


def _two_cores(plan: Plan, folder: Path) -> Figure:
    """What two processes gain on this machine where there is nothing to share."""
    one, two = in_turn(plan.rounds, lambda: run(_LOAD, folder), lambda: run([*_LOAD, "2"], folder))
    walls = [each.wall for each in one], [each.wall for each in two]
    return Figure(
        name="yaml.load of such files by two processes at once, how many times faster than by one",
        ours=f"{middle(walls[1]):.2f} s",
        other=f"{middle(walls[0]):.2f} s: one process",
        value=middle_ratio(*walls),
    )
