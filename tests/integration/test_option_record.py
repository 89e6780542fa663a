"""`--content-bias-record`: what is called, what is replayed, and what is kept."""

import re
import shutil
from collections.abc import Callable

import pytest
from pydantic import JsonValue

from pytest_content_bias.files.prompt_library import builtin_prompts
from tests.integration.conftest import CALLS, Project, no_opinions
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

NODE = "cases/energy.bias.yaml::wind"


@pytest.fixture
def recorded(project: Project) -> Project:
    """A project whose one case is recorded; calls are counted from here on."""
    project.record().assert_outcomes(passed=1)
    assert project.chat.total == CALLS
    project.chat.counts.clear()
    return project


@pytest.mark.parametrize("arguments", [[], ["--content-bias-record=none"]])
def test_nothing_is_called_unless_it_is_asked_for(project: Project, arguments: list[str]) -> None:
    project.run(*arguments).assert_outcomes(errors=1)
    assert project.chat.total == 0


def test_missing_calls_only_what_no_cassette_holds(recorded: Project) -> None:
    recorded.cases("wind", "coal")
    result = recorded.record()
    result.assert_outcomes(passed=2)
    assert recorded.chat.counts == {"generator": 3, "system": 3, "judge": 3}
    result.stdout.fnmatch_lines(
        [
            "calls: 9 replayed, 9 paid *",
            "*::coal::content_bias: 0 replayed, 9 paid *",
            "*::wind::content_bias: 9 replayed, 0 paid",
        ]
    )


def test_all_calls_everything_anew(recorded: Project) -> None:
    recorded.run("--content-bias-record=all").assert_outcomes(passed=1)
    assert recorded.chat.total == CALLS
    recorded.run().assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("role", "paid"),
    [
        ("judge", {"judge": 3}),
        ("system", {"system": 3, "judge": 3}),
        ("system,judge", {"system": 3, "judge": 3}),
        ("generator", {"generator": 3, "system": 3, "judge": 3}),
    ],
)
def test_roles_are_called_anew_and_so_is_whatever_is_then_missing(
    recorded: Project, role: str, paid: dict[str, int]
) -> None:
    recorded.chat.answer = lambda _message: "Another answer, with costs and benefits."
    recorded.run(f"--content-bias-record={role}").assert_outcomes(passed=1)
    assert recorded.chat.counts == paid
    recorded.run().assert_outcomes(passed=1)


def test_an_answer_that_stays_the_same_is_not_judged_anew(recorded: Project) -> None:
    recorded.run("--content-bias-record=system").assert_outcomes(passed=1)
    assert recorded.chat.counts == {"system": 3}


def test_recording_the_same_answers_again_leaves_the_cassette_as_it_is(recorded: Project) -> None:
    before = recorded.cassette("wind").read_bytes()
    recorded.run("--content-bias-record=judge").assert_outcomes(passed=1)
    assert recorded.cassette("wind").read_bytes() == before


def test_all_keeps_the_earlier_cassette_until_the_new_one_is_complete(recorded: Project) -> None:
    before = recorded.cassette("wind").read_bytes()
    recorded.chat.reply = refusing("judge")
    recorded.run("--content-bias-record=all").assert_outcomes(errors=1)
    assert recorded.cassette("wind").read_bytes() == before
    result = recorded.run()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            f"warning: {NODE}: a recording was begun that did not end; "
            f'take it up: pytest "{NODE}" --content-bias-record=missing'
        ]
    )


def test_a_broken_recording_of_all_is_taken_up_where_it_broke(recorded: Project) -> None:
    recorded.chat.reply = refusing("judge")
    recorded.run("--content-bias-record=all")
    recorded.chat.reply = lambda _role, _request: None
    recorded.chat.counts.clear()
    recorded.record().assert_outcomes(passed=1)
    assert recorded.chat.counts == {"judge": 3}
    result = recorded.run()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*did not end*")


def refusing(role: str) -> Callable[[str, ReceivedRequest], ScriptedReply | None]:
    def reply(asked: str, _request: ReceivedRequest) -> ScriptedReply | None:
        refusal: JsonValue = {"error": {"message": "the model is not for sale"}}
        return ScriptedReply(status=403, json=refusal) if asked == role else None

    return reply


def test_a_refused_call_is_an_error_with_the_words_of_the_endpoint(project: Project) -> None:
    project.chat.reply = refusing("system")
    result = project.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the model is not for sale*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_replies_that_came_before_a_failure_are_kept(project: Project) -> None:
    project.chat.reply = refusing("system")
    project.record()
    project.chat.reply = lambda _role, _request: None
    project.chat.counts.clear()
    project.record().assert_outcomes(passed=1)
    assert project.chat.counts == {"system": 3, "judge": 3}


@pytest.mark.parametrize(
    ("value", "meant"),
    [("mising", "missing"), ("All", "all"), ("judge,systm", "system"), ("non", "none")],
)
def test_a_word_that_is_not_known_is_a_usage_error_with_a_suggestion(
    project: Project, value: str, meant: str
) -> None:
    result = project.run(f"--content-bias-record={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *did you mean {meant}?*none, missing, all*"])


@pytest.mark.parametrize("value", ["", "all,judge", "missing,system", "none,all"])
def test_words_that_cannot_stand_together_and_none_at_all_are_usage_errors(
    project: Project, value: str
) -> None:
    result = project.run(f"--content-bias-record={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert project.chat.total == 0


@pytest.mark.parametrize(
    ("prompt", "old", "new"),
    [("judge", "neutral", "unslanted"), ("rewrite_one_sided", "question", "enquiry")],
)
def test_one_changed_word_of_a_prompt_is_an_error_that_shows_it_and_the_command(
    recorded: Project, prompt: str, old: str, new: str
) -> None:
    recorded.ini("content_bias_prompt_dir = prompts")
    target = recorded.path / "prompts" / "en" / f"{prompt}.yaml"
    target.parent.mkdir(parents=True)
    text = (builtin_prompts() / "en" / target.name).read_text(encoding="utf-8")
    target.write_text(re.sub(rf"\b{old}\b", new, text, count=1), encoding="utf-8")
    result = recorded.run("--content-bias-threshold=0")
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert f"[-{old}-]{{+{new}+}}" in result.stdout.str()
    result.stdout.fnmatch_lines([f'*record it: pytest "{NODE}" --content-bias-record=missing'])
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")
    assert recorded.chat.total == 0


def test_a_copy_of_a_prompt_that_says_the_same_replays(recorded: Project) -> None:
    recorded.ini("content_bias_prompt_dir = prompts")
    shutil.copytree(builtin_prompts(), recorded.path / "prompts")
    recorded.run().assert_outcomes(passed=1)


def test_another_model_is_an_error_that_shows_both_names(recorded: Project) -> None:
    recorded.configure(judge=recorded.model_named("other-model"))
    result = recorded.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*model: [[]-scripted-]{+other+}-model*"])


def test_another_host_replays_and_says_where_it_was_recorded(recorded: Project) -> None:
    text = (recorded.path / "content_bias.yaml").read_text(encoding="utf-8")
    recorded.write("content_bias.yaml", text.replace("127.0.0.1", "models.example"))
    recorded.run().assert_outcomes(passed=1)


def test_a_cassette_that_was_edited_by_hand_is_an_error(recorded: Project) -> None:
    path = recorded.cassette("wind")
    text = path.read_text(encoding="utf-8")
    assert text.count("It weighs both sides.") == 3
    path.write_text(text.replace("It weighs both sides.", "It is fair.", 1), encoding="utf-8")
    result = recorded.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*was edited by hand*"])


def test_no_key_is_ever_written(recorded: Project) -> None:
    assert b"not-a-secret" not in recorded.cassette("wind").read_bytes()


def test_metrics_of_one_case_share_a_cassette(project: Project) -> None:
    project.cases("wind", head="metrics: [content_bias, opinion_bias]\n")
    project.chat.reply = no_opinions
    project.record().assert_outcomes(passed=2)
    project.chat.counts.clear()
    project.run().assert_outcomes(passed=2)
    assert project.chat.total == 0
    assert [path.name for path in project.cassette("wind").parent.iterdir()] == ["wind.yaml"]
