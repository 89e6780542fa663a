"""`--content-bias-max-calls`: a bound that keeps what was paid."""

import pytest

from tests.integration.conftest import CALLS, Project


@pytest.mark.parametrize("most", [0, 1, 4, 8])
def test_no_more_calls_are_paid_and_the_next_run_pays_only_the_rest(
    project: Project, most: int
) -> None:
    result = project.record(f"--content-bias-max-calls={most}")
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert project.chat.total == most
    result.stdout.fnmatch_lines([f"*--content-bias-max-calls*{most}*"])
    project.record().assert_outcomes(passed=1)
    assert project.chat.total == CALLS


def test_a_bound_that_suffices_changes_nothing(project: Project) -> None:
    project.record(f"--content-bias-max-calls={CALLS}").assert_outcomes(passed=1)


def test_replayed_calls_do_not_count(project: Project) -> None:
    project.record()
    project.cases("wind", "coal")
    project.record(f"--content-bias-max-calls={CALLS}").assert_outcomes(passed=2)


def test_the_bound_is_that_of_all_cases_together(project: Project) -> None:
    project.cases("wind", "coal", "sun")
    project.record("--content-bias-max-calls=12")
    assert project.chat.total == 12
    project.record().assert_outcomes(passed=3)
    assert project.chat.total == 3 * CALLS


@pytest.mark.parametrize("value", ["few", "-1", "2.5", ""])
def test_a_value_that_is_no_count_is_a_usage_error(project: Project, value: str) -> None:
    result = project.record(f"--content-bias-max-calls={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert project.chat.total == 0
