"""pytest-rerunfailures: a case that is run again is paid and counted once."""

from collections import Counter
from xml.etree import ElementTree

from pytest_content_bias.reports.json_report import read_report
from tests.integration.conftest import CALLS
from tests.neighbours.conftest import SUITE, Move, Neighbourhood, found
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

FLAKY = """
import pytest

tried = []

@pytest.mark.flaky(reruns=2)
def test_own():
    tried.append(1)
    assert len(tried) == 2
"""

LISTENER = """
from pathlib import Path

def pytest_content_bias_case_scored(config, result):
    with Path("heard.txt").open("a") as file:
        print(result.case.input_id, file=file)
"""


def suite(beside: Move) -> Neighbourhood:
    made = beside("rerunfailures")
    made.suite()
    made.write("test_own.py", FLAKY)
    return made


def test_a_failing_case_stays_failed_and_everything_is_said_of_it_once(beside: Move) -> None:
    made = suite(beside)
    made.record_alone("cases")
    alone = made.found_alone()
    made.write("conftest.py", LISTENER)
    result = made.run("--reruns=2", "--content-bias-report=run.json", "--junitxml=junit.xml")
    assert result.parseoutcomes() == {"passed": len(SUITE), "failed": 1, "rerun": 3}
    result.stdout.fnmatch_lines(["content-bias gate: FAILED - 1 of 5 cases below *"])
    assert found(read_report(made.path / "run.json")) == alone
    heard = (made.path / "heard.txt").read_text(encoding="utf-8").split()
    assert sorted(heard) == sorted(SUITE)
    names = properties_of_the_failure(made)
    assert "score" in names
    assert len(names) == len(set(names))
    assert made.chat.total == 0


def properties_of_the_failure(made: Neighbourhood) -> list[str | None]:
    """The names of the JUnit properties of the case that failed."""
    cases = ElementTree.parse(made.path / "junit.xml").iter("testcase")
    (failed,) = (case for case in cases if case.find("failure") is not None)
    return [entry.get("name") for entry in failed.iter("property")]


def test_recording_anew_pays_a_case_that_is_run_again_once(beside: Move) -> None:
    made = suite(beside)
    made.record_alone("cases")
    made.run("--reruns=2", "--content-bias-record=all", "cases")
    assert made.chat.total == CALLS * len(SUITE)


def test_an_error_that_passes_pays_only_for_what_is_missing(beside: Move) -> None:
    made = suite(beside)
    made.cases("wind")
    refused = Counter[str]()

    def refuse_once(role: str, request: ReceivedRequest) -> ScriptedReply | None:
        refused[role] += 1
        if role != "judge" or refused[role] > 1:
            return None
        return ScriptedReply(status=401, json={"error": {"message": "no such key"}})

    made.chat.reply = refuse_once
    result = made.run("--reruns=1", "--content-bias-record=missing", "cases")
    assert result.parseoutcomes() == {"passed": 1, "rerun": 1}
    assert made.chat.total == CALLS + 1
    result.stdout.fnmatch_lines(["content-bias gate: PASSED - 1 of 1 case *"])
