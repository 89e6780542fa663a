"""Where many cases need the same, one command does it for all of them."""

import pytest

from tests.integration.conftest import Project
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

ONE = "one command for *"


def test_missing_recordings_are_made_by_one_command(project: Project) -> None:
    project.cases("wind", "coal", "sun")
    project.run().stdout.fnmatch_lines(
        ["one command for 3 cases: pytest --content-bias-record=missing"]
    )


def test_one_case_has_its_own_command_only(project: Project) -> None:
    result = project.run()
    result.assert_outcomes(errors=1)
    result.stdout.no_fnmatch_line(ONE)


@pytest.mark.parametrize(
    ("arguments", "again"),
    [
        (["cases"], "cases"),
        (["cases/energy.bias.yaml", "--tb=short"], "cases/energy.bias.yaml"),
        (["cases", "-k", "wind or coal"], 'cases -k "wind or coal"'),
        (["-m", "content_bias"], "-m content_bias"),
    ],
)
def test_it_names_what_was_run(project: Project, arguments: list[str], again: str) -> None:
    project.cases("wind", "coal", "sun")
    project.run(*arguments).stdout.fnmatch_lines(
        [f"one command for ? cases: pytest {again} --content-bias-record=missing"]
    )


def test_two_metrics_of_one_case_are_one_case(project: Project) -> None:
    project.cases("wind", head="metrics: [content_bias, opinion_bias]\n")
    result = project.run()
    result.assert_outcomes(errors=2)
    result.stdout.no_fnmatch_line(ONE)


def test_stale_answers_and_missing_recordings_need_different_commands(project: Project) -> None:
    project.write("app/prompt.txt", "Be fair.")
    project.configure(
        system=f"{{type: chat, model: {project.model}, fingerprint: ['app/*']}}",
    )
    project.cases("wind", "coal")
    project.record().assert_outcomes(passed=2)
    project.write("app/prompt.txt", "Be very fair.")
    project.cases("sun", "tide", file="cases/new.bias.yaml")
    project.run().stdout.fnmatch_lines_random(
        [
            "one command for 2 cases: pytest --content-bias-record=missing",
            "one command for 2 cases: pytest --content-bias-record=system",
        ]
    )


def test_recordings_that_did_not_end_are_taken_up_by_one_command(project: Project) -> None:
    project.cases("wind", "coal")
    project.record().assert_outcomes(passed=2)

    def refused(role: str, _request: ReceivedRequest) -> ScriptedReply | None:
        return ScriptedReply(status=403, json={"error": "no"}) if role == "judge" else None

    project.chat.reply = refused
    project.run("--content-bias-record=all").assert_outcomes(errors=2)
    project.run().stdout.fnmatch_lines(
        ["one command for 2 cases: pytest --content-bias-record=missing"]
    )


def test_a_judge_that_could_not_be_read_needs_no_such_command(project: Project) -> None:
    project.cases("wind", "coal")
    project.chat.level = lambda _message: 99
    result = project.record()
    result.assert_outcomes(errors=2)
    result.stdout.no_fnmatch_line(ONE)
