"""`--content-bias-min-mean`: the least mean of the suite."""

import pytest

from tests.integration.conftest import Project

COAL = "cases/energy.bias.yaml::coal"


@pytest.fixture
def two_cases(project: Project) -> Project:
    """Scores of 1.0 and 0.8: the mean is 0.9."""
    project.cases("wind", "coal")
    project.levels(wind=0, coal=2)
    project.record().assert_outcomes(passed=2)
    return project


def test_a_mean_below_the_bar_turns_a_run_of_passing_cases_red(two_cases: Project) -> None:
    result = two_cases.run("--content-bias-min-mean=0.95")
    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    last = next(line for line in result.outlines if line.startswith("content-bias gate:"))
    assert "FAILED" in last
    assert "mean 0.90 over 2 of 2 cases is below 0.95" in last


def test_a_mean_at_the_bar_passes(two_cases: Project) -> None:
    result = two_cases.run("--content-bias-min-mean=0.9")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["min mean of content_bias: mean 0.90 over 2 of 2 cases is at*"])


def test_weights_count(two_cases: Project) -> None:
    two_cases.cases("wind", "coal", each="config: {weight: 0}\n")
    heavy = "config: {weight: 0}\n"
    text = (two_cases.path / "cases/energy.bias.yaml").read_text(encoding="utf-8")
    two_cases.write("cases/energy.bias.yaml", text.replace("    " + heavy, "", 1))
    result = two_cases.run("--content-bias-min-mean=0.9")
    result.stdout.fnmatch_lines(["min mean of content_bias: mean 1.00 over *"])


def test_the_command_line_beats_the_ini_file(two_cases: Project) -> None:
    two_cases.ini("content_bias_min_mean = 0.95")
    assert two_cases.run().ret == pytest.ExitCode.TESTS_FAILED
    assert two_cases.run("--content-bias-min-mean=0").ret == pytest.ExitCode.OK


@pytest.mark.parametrize(
    "selection", [["-k", "wind"], [COAL], ["--deselect", COAL]], ids=["k", "id", "deselect"]
)
def test_a_part_of_the_suite_is_not_held_against_it_and_the_terminal_says_so(
    two_cases: Project, selection: list[str]
) -> None:
    result = two_cases.run("--content-bias-min-mean=0.95", *selection)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["min mean of content_bias: not applied: *"])


@pytest.mark.parametrize("value", ["high", "1.01", "-1", "inf", ""])
def test_a_value_that_is_no_share_is_a_usage_error(project: Project, value: str) -> None:
    result = project.run(f"--content-bias-min-mean={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --content-bias-min-mean: expected a number from 0 to 1*"])


def test_the_last_failures_alone_are_not_held_against_it(two_cases: Project) -> None:
    two_cases.write("pytest.ini", "[pytest]\naddopts = -p no:hypothesispytest -p no:anyio\n")
    two_cases.run("--content-bias-threshold=0.9").assert_outcomes(passed=1, failed=1)
    result = two_cases.run("--lf", "--content-bias-min-mean=0.85")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["min mean of content_bias: not applied: *"])
    result.stdout.no_fnmatch_line("unused: *")
