"""pytest-xdist: however the cases are distributed, and though workers crash."""

import pytest

from pytest_content_bias.reports.json_report import read_report
from pytest_content_bias.vocabulary.run import CaseResult, RunReport
from tests.integration.conftest import CALLS, Project

GENERATED = 3
"""Replies that a case has before its system is asked."""
LEVELS = {"wind": 0, "coal": 1, "sun": 2, "tide": 7, "heat": 1}
CRASHES = """
import os

def test_that_crashes():
    os._exit(1)
"""
CRASHES_ONCE = """
import os
from pathlib import Path
import httpx

def answer(question):
    body = {"model": "small", "messages": [{"role": "user", "content": question}]}
    reply = httpx.post("%s/v1/chat/completions", json=body, trust_env=False).json()
    if not Path("crashed").exists():
        Path("crashed").touch()
        os._exit(1)
    return reply["choices"][0]["message"]["content"]
"""


@pytest.fixture
def recorded(project: Project) -> Project:
    """Five recorded cases in two files; one fails."""
    project.cases("wind", "coal", "sun")
    project.cases("tide", "heat", file="more/water.bias.yaml")
    project.levels(**LEVELS)
    project.record().assert_outcomes(passed=4, failed=1)
    project.chat.counts.clear()
    return project


def results(report: RunReport) -> list[CaseResult]:
    return [result.model_copy(update={"duration": 0.0}) for result in report.results]


def apart(project: Project, *arguments: str) -> tuple[pytest.RunResult, RunReport]:
    result = project.run_apart("--content-bias-report=apart.json", *arguments)
    return result, read_report(project.path / "apart.json")


@pytest.mark.parametrize("way", ["load", "loadfile", "loadscope", "worksteal"])
def test_every_way_of_distributing_cases_gives_the_same(recorded: Project, way: str) -> None:
    together = recorded.reported("--content-bias-min-mean=0.9")
    result, report = apart(recorded, "-n2", f"--dist={way}", "--content-bias-min-mean=0.9")
    result.assert_outcomes(passed=4, failed=1)
    assert results(report) == results(together)
    assert (report.verdict, report.checks) == (together.verdict, together.checks)
    assert recorded.chat.total == 0


def test_a_worker_that_crashes_in_another_test_takes_nothing_from_the_gate(
    recorded: Project,
) -> None:
    together = recorded.reported()
    recorded.write("a/test_crash.py", CRASHES)
    result, report = apart(recorded, "-n2", "a", "cases", "more")
    result.assert_outcomes(passed=4, failed=2)
    assert results(report) == results(together)
    assert report.verdict == together.verdict
    assert not report.bars.incomplete


def test_a_crash_of_the_last_worker_leaves_no_gate_that_passes(recorded: Project) -> None:
    recorded.write("a/test_crash.py", CRASHES)
    result, report = apart(recorded, "-n1", "--max-worker-restart=0", "a", "cases")
    assert result.ret != pytest.ExitCode.OK
    assert not report.passed
    assert report.bars.incomplete == "3 of 3 cases did not run"


def test_a_crash_while_recording_loses_no_reply_that_was_paid(project: Project) -> None:
    project.cases("wind", "coal")
    project.write("app.py", CRASHES_ONCE % project.endpoint.url)
    project.configure(system="{type: python, target: 'app:answer'}")
    project.ini("content_bias_max_concurrency = 1")
    result, report = apart(project, "-n1", "--content-bias-record=missing")
    result.assert_outcomes(passed=1, failed=1)
    assert not report.passed
    assert report.bars.incomplete == "1 of 2 cases did not run"
    result.stdout.fnmatch_lines(["content-bias gate: FAILED * crashes: *::wind::content_bias"])
    kept = project.replies()
    assert kept >= CALLS + GENERATED
    project.chat.counts.clear()
    result, report = apart(project, "-n1", "--content-bias-record=missing")
    result.assert_outcomes(passed=2)
    assert report.passed
    assert project.chat.total == 2 * CALLS - kept
