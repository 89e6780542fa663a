"""Collecting many cases."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, Part, at_most, circumstances
from benchmarks.measure import ONLY_NAMED_PLUGINS, OURS, PYTEST, Run, in_turn, middle, run
from benchmarks.plan import Plan
from benchmarks.projects import write_cases, write_project

_PER_FOLDER = 100
_PROBE = """\
import sys

opened = set()
sys.addaudithook(
    lambda event, args: opened.add(str(args[0]))
    if event == "open" and str(args[0]).endswith(".bias.yaml") else None
)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"opened {len(opened)} case files")
"""

_NODES_ALONE = """\
import pytest


class Alone(pytest.Item):
    def runtest(self):
        pass


class File(pytest.File):
    def collect(self):
        yield Alone.from_parent(self, name="alone")


def pytest_collect_file(file_path, parent):
    if file_path.name.endswith(".bias.yaml"):
        return File.from_parent(parent, path=file_path)
"""
"""What pytest takes for a file with one item, read by nobody."""


def measure(plan: Plan) -> Part:
    """Collect as many cases as the plan names, in one file and in as many files."""
    one, many = _one_file(plan, plan.most), _many_files(plan, plan.most)
    base = _one_file(plan, 1)
    alone = [_nodes_alone(folder) for folder in (base, many)]
    for folder in (one, many, base, *alone):
        _collect(folder)
    runs = in_turn(
        plan.rounds,
        lambda: _collect(base),
        lambda: _collect(one),
        lambda: _collect(many),
        *(partial(_collect, folder, of=PYTEST) for folder in alone),
    )
    cpu = [middle([each.cpu for each in measured]) for measured in runs]
    floor = f"{(cpu[4] - cpu[3]) / plan.most * 1000:.3f} ms: pytest's nodes alone, nothing read"
    figures = [
        _per_case(f"{plan.most} cases in one file, CPU per case", cpu[1] - cpu[0], plan.most, ""),
        _per_case(
            f"{plan.most} cases in {plan.most} files, CPU per case",
            cpu[2] - cpu[0],
            plan.most,
            floor,
        ),
    ]
    return Part("Collection", (*figures, _selection(many)), (), circumstances())


def _one_file(plan: Plan, cases: int) -> Path:
    folder = plan.folder / f"collect-one-{cases}"
    write_project(folder, plan.endpoint.url(0))
    write_cases(folder / "cases" / "energy.bias.yaml", range(cases))
    return folder


def _many_files(plan: Plan, cases: int) -> Path:
    folder = plan.folder / "collect-many"
    write_project(folder, plan.endpoint.url(0))
    for number in range(cases):
        file = folder / "cases" / f"{number // _PER_FOLDER:03}" / f"case-{number:05}.bias.yaml"
        write_cases(file, range(number, number + 1))
    return folder


def _nodes_alone(source: Path) -> Path:
    folder = source.with_name(f"{source.name}-alone")
    shutil.copytree(source / "cases", folder / "cases")
    (folder / "conftest.py").write_text(_NODES_ALONE, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return folder


def _collect(folder: Path, *options: str, of: Sequence[str] = OURS) -> Run:
    return run([*of, "--collect-only", "-qq", *options], folder, ONLY_NAMED_PLUGINS)


def _per_case(name: str, seconds: float, cases: int, other: str) -> Figure:
    """The cost of a run with one case is taken off."""
    each = seconds / cases * 1000
    return at_most(name, f"{each:.3f} ms", other, each, 0.3)


def _selection(folder: Path) -> Figure:
    (folder / "conftest.py").write_text(_PROBE, encoding="utf-8")
    wanted = next(folder.glob("cases/*/*.bias.yaml")).relative_to(folder).as_posix()
    number = int(wanted.rpartition("case-")[2].partition(".")[0])
    done = _collect(folder, f"{wanted}::case-{number:05}")
    opened = int(re.findall(r"opened (\d+) case files", done.output)[0])
    return at_most(
        "case files opened to select one case by its node id", str(opened), "", opened, 1
    )
