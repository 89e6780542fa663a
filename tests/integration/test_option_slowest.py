"""`--content-bias-slowest`: where the time goes."""

import pytest

from tests.integration.conftest import Project


def test_the_slowest_cases_and_calls_are_shown_slowest_first(project: Project) -> None:
    project.cases("wind", "coal", "sun")
    result = project.record("--content-bias-slowest=2")
    at = result.outlines.index("slowest 2 cases (seconds in this run)")
    cases, calls = result.outlines[at + 1 : at + 3], result.outlines[at + 4 : at + 6]
    assert result.outlines[at + 3] == "slowest 2 calls (as recorded)"
    for lines, ending in ((cases, "::content_bias"), (calls, "_")):
        seconds = [float(line.split()[0]) for line in lines]
        assert seconds == sorted(seconds, reverse=True)
        assert all(ending in line for line in lines)
    assert all(float(line.split()[0]) > 0 for line in cases)


@pytest.mark.parametrize("arguments", [[], ["--content-bias-slowest=0"]])
def test_nothing_is_shown_unless_it_is_asked_for(project: Project, arguments: list[str]) -> None:
    project.record(*arguments).stdout.no_fnmatch_line("*slowest*")


@pytest.mark.parametrize("value", ["many", "-1", "1.5", ""])
def test_a_value_that_is_no_count_is_a_usage_error(project: Project, value: str) -> None:
    result = project.run(f"--content-bias-slowest={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --content-bias-slowest: expected a whole number *"])
