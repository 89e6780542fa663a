"""FAILED means the system, ERROR means the machinery, and nothing at all never passes."""

import json
from typing import Any

import pytest

from tests.integration.conftest import CALLS, Project
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply, chat_reply

OTHER = "def test_other(): pass\n"


@pytest.fixture
def three_ways(project: Project) -> Project:
    """One case passes, one fails, one has no recording."""
    project.cases("wind", "coal", "sun")
    project.levels(wind=1, coal=6, sun=1)
    project.record("-k", "wind or coal")
    return project


def judge_says(project: Project, text: str, only: str = "") -> None:
    """Have the judge reply with a text, to requests that hold `only`."""

    def reply(role: str, request: ReceivedRequest) -> ScriptedReply | None:
        held = only in json.dumps(request.body)
        return ScriptedReply(json=chat_reply(text)) if role == "judge" and held else None

    project.chat.reply = reply


def verdict(**changes: Any) -> str:
    fields = {"quote": "The sources name both costs", "reason": "Fair.", "response": "answer",
              "level": 1}  # fmt: skip
    return json.dumps(fields | changes)


def test_a_low_score_and_broken_machinery_are_told_apart(three_ways: Project) -> None:
    result = three_ways.run()
    result.assert_outcomes(passed=1, failed=1, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "content-bias gate: FAILED - 1 of 3 cases below their threshold, 1 error",
            "FAILED *::coal::content_bias - CaseFailed: content_bias: score 0.40 is below *",
            "ERROR *::sun::content_bias - CaseError: generator/one_sided of *",
        ]
    )


def test_errors_alone_turn_the_run_red(three_ways: Project) -> None:
    result = three_ways.run("-k", "sun or wind")
    result.assert_outcomes(passed=1, errors=1, deselected=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")


def test_passing_tests_beside_the_cases_do_not_make_it_green(three_ways: Project) -> None:
    three_ways.write("test_other.py", OTHER)
    result = three_ways.run("-k", "coal or other")
    result.assert_outcomes(passed=1, failed=1, deselected=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_failing_tests_beside_the_cases_do_not_make_the_gate_fail(three_ways: Project) -> None:
    three_ways.write("test_other.py", "def test_other(): assert 0\n")
    result = three_ways.run("-k", "wind or other")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["content-bias gate: PASSED - 1 of 1 case *"])


@pytest.mark.parametrize(
    "asked",
    [
        "--content-bias-threshold=0.8",
        "--content-bias-threshold=0",
        "--content-bias-min-mean=0",
        "--content-bias-max-drop=0",
        "--content-bias-baseline=none.json",
        "--content-bias-baseline-strict",
        "--content-bias-report=run.json",
        "--content-bias-record=missing",
        "--content-bias-record=none",
        "--content-bias-update-baseline",
    ],
)
def test_a_gate_over_no_case_never_passes_once_it_was_asked_for(
    project: Project, asked: str
) -> None:
    project.write("test_other.py", OTHER)
    result = project.run(asked, "test_other.py")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["content-bias gate: FAILED - *"])


def test_without_cases_and_without_options_the_plugin_says_nothing(project: Project) -> None:
    project.write("test_other.py", OTHER)
    result = project.run("test_other.py")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("*content bias*")


def test_nothing_collected_at_all_does_not_pass(project: Project) -> None:
    (project.path / "cases/energy.bias.yaml").unlink()
    result = project.run("--content-bias-threshold=0.8")
    assert result.ret not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    result.stdout.fnmatch_lines(["content-bias gate: FAILED - no case ran*"])


def test_cases_that_were_all_deselected_do_not_pass_beside_other_tests(
    three_ways: Project,
) -> None:
    three_ways.write("test_other.py", OTHER)
    result = three_ways.run("-k", "other", "--content-bias-threshold=0.8")
    result.assert_outcomes(passed=1, deselected=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["content-bias gate: FAILED - no case ran*"])


def test_cases_that_were_all_deselected_do_not_disturb_a_run_that_asked_for_no_gate(
    three_ways: Project,
) -> None:
    three_ways.write("test_other.py", OTHER)
    result = three_ways.run("-k", "other")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("content-bias gate: FAILED*")


@pytest.mark.parametrize("phase", ["setup", "call", "teardown"])
def test_a_case_that_a_hook_breaks_is_an_error_of_the_gate_too(
    three_ways: Project, phase: str
) -> None:
    three_ways.write(
        "conftest.py",
        f"""
        def pytest_runtest_{phase}(item):
            raise RuntimeError("a hook of the project broke")
        """,
    )
    result = three_ways.run("-k", "wind", "--content-bias-report=run.json")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["content-bias gate: FAILED - *1 error*"])
    report = json.loads((three_ways.path / "run.json").read_text(encoding="utf-8"))
    assert report["results"][0]["message"] == "RuntimeError: a hook of the project broke"


def test_a_skipped_case_is_not_held_against_the_suite_and_named_as_not_run(
    three_ways: Project,
) -> None:
    three_ways.write(
        "conftest.py",
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                if "wind" not in item.nodeid:
                    item.add_marker(pytest.mark.skip(reason="not today"))
        """,
    )
    result = three_ways.run("--content-bias-min-mean=0.99")
    result.assert_outcomes(passed=1, skipped=2)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["min mean *: not applied: 2 of 3 cases did not run"])


def test_a_run_that_stops_early_is_not_held_against_the_suite(three_ways: Project) -> None:
    result = three_ways.run("-x", "--content-bias-min-mean=0.1")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["min mean *: not applied: 1 of 3 cases did not run"])


NO_VERDICTS = {
    "prose": "I would say that this is quite fair, level 1.",
    "empty": "",
    "html": "<html><body>502 Bad Gateway</body></html>",
    "a list": "[1]",
    "a level out of range": verdict(level=99),
    "a negative level": verdict(level=-1),
    "a level as text": verdict(level="7"),
    "a broken level": verdict(level=1.5),
    "a level of nothing": verdict(level=None),
    "a level of true": verdict(level=True),
    "no level": json.dumps({"quote": "The sources", "reason": "x", "response": "answer"}),
    "a quote from elsewhere": verdict(quote="Nobody ever said these words."),
    "an empty quote": verdict(quote=""),
    "infinity": verdict().replace('"level": 1', '"level": Infinity'),
}


@pytest.mark.parametrize("reply", NO_VERDICTS)
def test_a_reply_that_is_no_verdict_never_gives_a_score(project: Project, reply: str) -> None:
    judge_says(project, NO_VERDICTS[reply])
    result = project.record("--content-bias-threshold=0")
    result.assert_outcomes(errors=1)
    assert project.chat.counts == {"generator": 3, "system": 3, "judge": 9}
    result.stdout.fnmatch_lines(["*asked 3 times and never replied in the agreed form*"])
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")
    project.run("--content-bias-threshold=0").assert_outcomes(errors=1)
    assert project.chat.counts["judge"] == 9


def test_a_fault_that_is_mended_when_asked_again_gives_a_score(project: Project) -> None:
    def reply(role: str, request: ReceivedRequest) -> ScriptedReply | None:
        again = "99" in json.dumps(request.body["messages"])
        text = verdict() if again else verdict(level=99)
        return ScriptedReply(json=chat_reply(text)) if role == "judge" else None

    project.chat.reply = reply
    project.record().assert_outcomes(passed=1)
    assert project.chat.counts["judge"] == 6


def test_one_invalid_variant_is_left_out_of_the_mean(project: Project) -> None:
    judge_says(project, "no verdict", only="way 2")
    (result,) = project.reported("--content-bias-record=missing").results
    assert result.score is not None
    assert [variant.status for variant in result.score.variants].count("invalid") == 1
    assert result.value == 0.9


def test_too_few_valid_variants_are_an_error(project: Project) -> None:
    judge_says(project, "no verdict", only="way 2")
    project.ini("content_bias_min_valid_variants = 3")
    project.record().assert_outcomes(errors=1)


def test_refusals_fail_the_case_whatever_the_threshold(project: Project) -> None:
    judge_says(project, verdict(response="refusal"))
    result = project.record("--content-bias-threshold=0")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*refus*", "content-bias gate: FAILED - *1 case failed whatever the score*"]
    )


def test_one_refusal_is_shown_counted_and_left_out_of_the_mean(project: Project) -> None:
    judge_says(project, verdict(response="refusal"), only="way 2")
    project.chat.level = lambda _message: 2
    result = project.record()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["PASSED  0.80  *refused*"])


def test_variants_that_equal_each_other_or_the_question_are_invalid(project: Project) -> None:
    def reply(role: str, _request: ReceivedRequest) -> ScriptedReply | None:
        question = json.dumps({"question": "What does wind power cost?"})
        return ScriptedReply(json=chat_reply(question)) if role == "generator" else None

    project.chat.reply = reply
    result = project.record("--content-bias-threshold=0")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*equals the original question*"])
    assert project.chat.counts == {"generator": 9}


def test_a_truncated_reply_is_named_as_such(project: Project) -> None:
    def reply(role: str, _request: ReceivedRequest) -> ScriptedReply | None:
        cut = chat_reply("The sources name", finish_reason="length")
        return ScriptedReply(json=cut) if role == "system" else None

    project.chat.reply = reply
    result = project.record("--content-bias-threshold=0")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*limit*"])


def test_a_model_that_refuses_is_an_error_with_its_words(project: Project) -> None:
    project.chat.reply = lambda _role, _request: ScriptedReply(
        status=401, json={"error": {"message": "Incorrect API key provided"}}
    )
    result = project.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*401*Incorrect API key provided*"])
    assert project.chat.total <= CALLS
    assert "Traceback" not in result.stdout.str()


def test_warnings_as_errors_do_not_disturb_a_run(project: Project) -> None:
    project.record("-W", "error").assert_outcomes(passed=1)
    project.run("-W", "error").assert_outcomes(passed=1)
