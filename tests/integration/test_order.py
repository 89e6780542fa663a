"""Scores do not depend on the order of items, on repetition, or on what runs between them."""

from collections.abc import Sequence

import pytest

from pytest_content_bias.vocabulary.run import RunReport
from tests.integration.conftest import Project

NAMES = ("wind", "coal", "sun", "tide")
IDS = [f"cases/energy.bias.yaml::{name}" for name in NAMES]


@pytest.fixture
def recorded(project: Project) -> Project:
    project.cases(*NAMES)
    project.levels(wind=0, coal=1, sun=2, tide=7)
    project.record().assert_outcomes(passed=3, failed=1)
    project.chat.counts.clear()
    return project


def found(report: RunReport) -> list[object]:
    """All that must be the same each time."""
    return [
        report.passed,
        report.verdict,
        report.means,
        *(
            (result.node_id, result.outcome, result.value, result.message, result.score)
            for result in report.results
        ),
    ]


@pytest.mark.parametrize("order", [IDS[::-1], [IDS[2], IDS[0], IDS[3], IDS[1]]])
def test_any_order_gives_identical_results(recorded: Project, order: Sequence[str]) -> None:
    in_order = found(recorded.reported(*IDS))
    assert found(recorded.reported(*order)) == in_order
    assert recorded.chat.total == 0


def test_running_twice_gives_identical_results(recorded: Project) -> None:
    assert found(recorded.reported()) == found(recorded.reported("-p", "no:randomly"))


def test_a_plugin_that_shuffles_changes_nothing(recorded: Project) -> None:
    before = found(recorded.reported())
    recorded.write(
        "conftest.py",
        """
        def pytest_collection_modifyitems(items):
            items.sort(key=lambda item: item.nodeid[::-1])
        """,
    )
    assert found(recorded.reported()) == before


def test_other_tests_between_the_cases_change_nothing(recorded: Project) -> None:
    before = found(recorded.reported(*IDS))
    recorded.write("test_other.py", "def test_other(): pass\n\ndef test_more(): pass\n")
    mixed = [
        IDS[3],
        "test_other.py::test_other",
        IDS[0],
        IDS[1],
        "test_other.py::test_more",
        IDS[2],
    ]
    assert found(recorded.reported(*mixed)) == before


def test_recording_in_another_order_gives_the_same_scores(recorded: Project) -> None:
    before = [result.value for result in recorded.reported().results]
    report = recorded.reported("--content-bias-record=all", *IDS[::-1])
    assert [result.value for result in report.results] == before
