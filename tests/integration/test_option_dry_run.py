"""`--content-bias-dry-run`: what a recording would pay, without a call."""

import pytest

from tests.integration.conftest import CALLS, Project


def test_it_counts_what_would_be_paid_and_calls_nothing(project: Project) -> None:
    project.cases("wind", "coal")
    result = project.record("--content-bias-dry-run")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(skipped=2)
    assert project.chat.total == 0
    assert not (project.path / "cassettes").exists()
    last = next(line for line in result.outlines if line.startswith("dry run:"))
    assert "nothing was called" in last
    result.stdout.no_fnmatch_line("*content-bias gate*")


@pytest.mark.parametrize(
    ("mode", "calls"), [("missing", 0), ("all", CALLS), ("judge", 3), ("none", 0)]
)
def test_what_is_recorded_and_would_be_replayed_is_not_counted(
    project: Project, mode: str, calls: int
) -> None:
    project.record().assert_outcomes(passed=1)
    before = project.cassette("wind").read_bytes()
    result = project.run("--content-bias-dry-run", f"--content-bias-record={mode}")
    counted = next(line for line in result.outlines if line.startswith("dry run: at most"))
    at_most = int(counted.split()[4])
    assert at_most >= calls
    assert (at_most == 0) == (calls == 0)
    assert project.chat.total == CALLS
    assert project.cassette("wind").read_bytes() == before


def test_what_was_counted_suffices_for_the_recording(project: Project) -> None:
    project.cases("wind", "coal")
    result = project.record("--content-bias-dry-run")
    counted = next(line for line in result.outlines if line.startswith("dry run: at most"))
    project.record().assert_outcomes(passed=2)
    assert project.chat.total <= int(counted.split()[4])


def test_no_report_and_no_baseline_is_written(project: Project) -> None:
    project.record()
    options = ["--content-bias-report=run.json", "--content-bias-update-baseline"]
    project.run("--content-bias-dry-run", *options)
    assert not (project.path / "run.json").exists()
    assert not (project.path / "content_bias_baseline.json").exists()


def test_in_several_processes_it_is_a_usage_error(project: Project) -> None:
    result = project.run("--content-bias-dry-run", "-n2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --content-bias-dry-run *leave out -n*"])
