"""The benchmarks run from end to end, on few cases; how fast anything is, is not asserted."""

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.__main__ import main
from benchmarks.chart import chart
from benchmarks.figures import Bars, Part, at_least, at_most, keep, table
from benchmarks.measure import run


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a small run without peers writes."""
    folder = tmp_path_factory.mktemp("results")
    sizes = ["--small", "--cases=2", "--most=20"]
    assert main(["--no-peer", f"--output={folder}", *sizes]) == 0
    return folder


def test_every_part_is_measured(results: Path) -> None:
    parts = json.loads((results / "results.json").read_text(encoding="utf-8"))
    assert [part["name"] for part in parts] == ["Unused", "Recording", "Replay", "Collection"]
    assert all(part["figures"] for part in parts)


def test_what_does_not_depend_on_time_is_as_it_must_be(results: Path) -> None:
    figures = {
        figure["name"]: figure
        for part in json.loads((results / "results.json").read_text(encoding="utf-8"))
        for figure in part["figures"]
    }
    assert figures["case files opened to select one case by its node id"]["value"] == 1
    connections = [name for name in figures if name.endswith("calls per connection")]
    assert all(figures[name]["value"] > 1 for name in connections)
    assert connections


def test_the_page_has_a_row_for_every_figure_and_shows_the_chart(results: Path) -> None:
    page = (results / "results.md").read_text(encoding="utf-8")
    for part in json.loads((results / "results.json").read_text(encoding="utf-8")):
        for figure in part["figures"]:
            assert f"| {figure['name']} |" in page
    assert "(results.svg)" in page


def test_the_chart_is_well_formed_and_names_every_bar() -> None:
    drawn = chart([Bars("seconds, R&D", (("this", 1.0), ("other <1>", 4.0), ("nothing", 0.0)))])
    root = ElementTree.fromstring(drawn)
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["seconds, R&D", "this", "1", "other <1>", "4", "nothing", "0"]
    widths = [float(bar.attrib["width"]) for bar in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert widths[0] == pytest.approx(widths[1] / 4, rel=0.01)
    assert widths[2] == 1


def test_a_part_that_is_measured_again_replaces_only_itself(tmp_path: Path) -> None:
    one = Part("One", (at_most("a", "1", "2", 0.5, 1),), (), "yesterday")
    two = Part("Two", (at_least("b", "1", "2", 0.5, 1),), (Bars("c", (("d", 1.0),)),), "yesterday")
    keep(tmp_path / "results.json", [one, two])
    again = Part("One", (at_most("a", "3", "2", 1.5, 1),), (), "today")
    assert keep(tmp_path / "results.json", [again]) == [again, two]


def test_a_missed_goal_stands_out() -> None:
    page = table([Part("P", (at_most("slow", "3 s", "1 s", 3, 2), at_least("fast", "", "", 3, 2)))])
    assert "| slow | 3 s | 1 s | 3 | ≤ 2 | **no** |" in page
    assert "| fast |  |  | 3 | ≥ 2 | yes |" in page


def test_what_other_runs_of_pytest_left_is_neither_met_nor_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", str(tmp_path))
    write = "import os, pathlib; print(pathlib.Path(os.environ['PYTEST_DEBUG_TEMPROOT']).is_dir())"
    assert run([sys.executable, "-c", write], tmp_path).output == "True\n"
    ask = "import os; print(os.environ['PYTEST_DEBUG_TEMPROOT'])"
    assert run([sys.executable, "-c", ask], tmp_path).output != f"{tmp_path}\n"
