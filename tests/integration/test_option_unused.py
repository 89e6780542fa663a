"""`--content-bias-unused`: recordings that nothing asks for any more."""

import pytest

from tests.integration.conftest import Project, no_opinions


@pytest.fixture
def leftover(project: Project) -> Project:
    """A recorded case that was removed, and a metric that was removed from another."""
    project.cases("wind", "coal", head="metrics: [content_bias, opinion_bias]\n")
    project.chat.reply = no_opinions
    project.record().assert_outcomes(passed=4)
    project.cases("wind")
    return project


def test_they_are_named_after_a_complete_run(leftover: Project) -> None:
    result = leftover.run()
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines_random(
        [
            "unused: cases/energy.bias.yaml::wind: recorded and not used: judge/opinions/*prune*",
            "unused: cassettes/cases/energy/coal.yaml: belongs to no case (*prune)",
        ]
    )


def test_they_are_an_error_when_asked_to_be(leftover: Project) -> None:
    result = leftover.run("--content-bias-unused=error")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["ERROR: *coal.yaml*", "content-bias gate: FAILED - *"])


@pytest.mark.parametrize("how", ["option", "ini"])
def test_they_are_ignored_when_asked_to_be(leftover: Project, how: str) -> None:
    if how == "ini":
        leftover.ini("content_bias_unused = ignore")
    result = leftover.run(*["--content-bias-unused=ignore"] * (how == "option"))
    result.stdout.no_fnmatch_line("unused: *")


@pytest.mark.parametrize("selection", [["-k", "opinion"], ["cases/energy.bias.yaml::wind"]])
def test_a_part_of_the_suite_says_nothing_of_them(project: Project, selection: list[str]) -> None:
    project.cases("wind", head="metrics: [content_bias, opinion_bias]\n")
    project.chat.reply = no_opinions
    project.record()
    result = project.run("--content-bias-unused=error", *selection)
    assert result.ret == pytest.ExitCode.OK


def test_cassettes_of_files_that_were_not_asked_for_are_none(project: Project) -> None:
    project.cases("coal", file="cases/other.bias.yaml")
    project.record()
    project.run("--content-bias-unused=error", "cases/other.bias.yaml")
    assert project.run("--content-bias-unused=error").ret == pytest.ExitCode.OK
    project.ini("testpaths = cases/other.bias.yaml")
    assert project.run("--content-bias-unused=error").ret == pytest.ExitCode.OK
