"""pytest-xdist: the same scores, gate and exit status as in one process."""

import pytest

from pytest_content_bias.reports.json_report import read_report
from pytest_content_bias.vocabulary.run import RunReport
from tests.integration.conftest import CALLS, Project

NAMES = ("wind", "coal", "sun", "tide", "heat")
LISTENER = """
from pathlib import Path

def pytest_content_bias_case_scored(config, result):
    with Path("heard.txt").open("a") as file:
        print(result.case.input_id, hasattr(config, "workerinput"), file=file)

def pytest_content_bias_gated(config, report):
    with Path("heard.txt").open("a") as file:
        print("gated", len(report.results), file=file)

def pytest_runtest_logreport(report):
    if report.when == "call":
        with Path("properties.txt").open("a") as file:
            print(dict(report.user_properties).get("score"), file=file)
"""

KEEPER = """
import os
from pathlib import Path
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable(report):
    data = yield
    data["of_conftest"] = f"{report.when} of {report.nodeid}"
    return data

@pytest.hookimpl(wrapper=True)
def pytest_report_from_serializable(data):
    of_conftest = data.pop("of_conftest", None)
    report = yield
    report.of_conftest = of_conftest
    return report

def pytest_runtest_logreport(report):
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    if hasattr(report, "node"):
        assert report.of_conftest == f"{report.when} of {report.nodeid}"
    names = "nodeid when outcome location keywords user_properties sections longrepr"
    values = [str(getattr(report, name)) for name in names.split()]
    with Path("reports.txt").open("a", encoding="utf-8") as file:
        print(values, file=file)
"""

COUNTER = """
import gc, os
from pathlib import Path

def pytest_configure(config):
    config.add_cleanup(count)

def count():
    gc.collect()
    alive = [type(each).__name__ for each in gc.get_objects()]
    found = [name for name in alive if name in ("CaseItem", "CaseResult")]
    worker = os.environ.get("PYTEST_XDIST_WORKER", "controller")
    Path(f"{worker}.alive").write_text(str(found), encoding="utf-8")
"""


def apart(project: Project, *arguments: str) -> tuple[pytest.RunResult, RunReport]:
    """Run in two worker processes."""
    result = project.run_apart("-n", "2", "--content-bias-report=apart.json", *arguments)
    return result, read_report(project.path / "apart.json")


@pytest.fixture
def recorded(project: Project) -> Project:
    project.cases(*NAMES)
    project.levels(wind=0, coal=1, sun=2, tide=7, heat=1)
    project.record("-k", "not heat")
    project.chat.counts.clear()
    return project


def test_scores_gate_and_exit_status_are_those_of_one_process(recorded: Project) -> None:
    together = recorded.reported("--content-bias-min-mean=0.9")
    result, report = apart(recorded, "--content-bias-min-mean=0.9")
    result.assert_outcomes(passed=3, failed=1, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert recorded.chat.total == 0
    assert report.verdict == together.verdict
    assert (report.checks, report.means) == (together.checks, together.means)
    for one, other in zip(report.results, together.results, strict=True):
        assert one.model_copy(update={"duration": 0.0}) == other.model_copy(
            update={"duration": 0.0}
        )


def test_the_gate_needs_no_option_and_no_ini_value(recorded: Project) -> None:
    result = recorded.run_apart("-n", "2", "-k", "wind or coal")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["content-bias gate: PASSED - 2 of 2 cases*"])


def test_a_run_that_leaves_out_every_case_says_so_as_in_one_process(recorded: Project) -> None:
    alone = recorded.run("-k", "nothing")
    together = recorded.run_apart("-n", "2", "-k", "nothing")
    said = [line for line in alone.outlines if line.startswith("content-bias")]
    assert said
    assert [line for line in together.outlines if line.startswith("content-bias")] == said


def test_a_mean_below_the_bar_turns_passing_cases_red(recorded: Project) -> None:
    result, report = apart(recorded, "-k", "wind or coal or sun", "--content-bias-min-mean=0.95")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["min mean *: not applied: 2 of 5 cases were deselected"])
    recorded.cases("wind", "coal", "sun")
    result, report = apart(recorded, "--content-bias-min-mean=0.95")
    result.assert_outcomes(passed=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert not report.passed


def test_recording_pays_for_every_call_once(project: Project) -> None:
    project.cases(*NAMES)
    result, _ = apart(project, "--content-bias-record=missing")
    result.assert_outcomes(passed=len(NAMES))
    assert project.chat.total == CALLS * len(NAMES)
    project.run().assert_outcomes(passed=len(NAMES))


def test_results_reach_the_controller_and_listeners_hear_each_once(recorded: Project) -> None:
    recorded.write("conftest.py", LISTENER)
    apart(recorded)
    heard = (recorded.path / "heard.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(heard[:-1]) == sorted(f"{name} False" for name in NAMES)
    assert heard[-1] == "gated 5"
    seen = (recorded.path / "properties.txt").read_text(encoding="utf-8").split()
    # Workers and controller see each report once.
    assert sorted(seen) == sorted(["1.0", "0.9", "0.8", "0.3"] * 2)


def test_reports_reach_other_plugins_as_in_one_process(recorded: Project) -> None:
    recorded.write("conftest.py", KEEPER)
    recorded.write("test_other.py", "def test_other(record_property): record_property('a', (1,))")
    reports = recorded.path / "reports.txt"
    recorded.run_apart()
    together = sorted(reports.read_text(encoding="utf-8").splitlines())
    reports.unlink()
    apart(recorded)
    assert sorted(reports.read_text(encoding="utf-8").splitlines()) == together
    assert len(together) == 3 * (len(NAMES) + 1) - 1  # the error has no call


def test_nothing_of_the_cases_is_alive_when_processes_end(recorded: Project) -> None:
    recorded.write("conftest.py", COUNTER)
    recorded.cases("wind", "coal", "sun")
    apart(recorded)
    found = {path.stem: path.read_text(encoding="utf-8") for path in recorded.path.glob("*.alive")}
    assert found == {"gw0": "[]", "gw1": "[]", "controller": "[]"}


def test_a_run_that_stops_early_is_not_held_against_the_suite(recorded: Project) -> None:
    result, report = apart(recorded, "-n1", "-x", "--content-bias-min-mean=0.1")
    result.assert_outcomes(passed=3, failed=1)
    assert report.bars.incomplete == "1 of 5 cases did not run"
    assert [(check.name, check.state) for check in report.checks[1:]] == [
        ("min mean of content_bias", "not_applied")
    ]


def test_a_file_that_cannot_be_read_keeps_the_gate_from_passing(recorded: Project) -> None:
    recorded.write("cases/broken.bias.yaml", "cases: [\n")
    result, report = apart(recorded, "-k", "wind", "--continue-on-collection-errors")
    assert result.ret != pytest.ExitCode.OK
    assert not report.passed
    assert report.bars.unreadable == ("cases/broken.bias.yaml",)


def test_a_threshold_for_a_metric_that_no_case_has_is_a_usage_error(recorded: Project) -> None:
    result = recorded.run_apart("-n", "2", "--content-bias-threshold=contnt_bias=0.9")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *no case has the metric 'contnt_bias'*"])


def test_a_gate_over_no_case_never_passes(project: Project) -> None:
    project.write("test_other.py", "def test_other(): pass\n")
    result = project.run_apart("-n", "2", "test_other.py", "--content-bias-threshold=0.8")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
