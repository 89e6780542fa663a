"""Whatever models and services say is shown inert: no escape sequence, no command, no novel."""

import json
import re
from xml.etree import ElementTree

import pytest

from tests.integration.conftest import Project
from tests.report_factory import HOSTILE
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply, chat_reply

RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
COMMAND = re.compile(r"(?m)^\s*(::|##(?=\[|vso\[))")
PLAIN = "A plain sentence that can be quoted."
PLANTED = "\x1b[2J\x1b]0;owned\x07\n::error file=a.py::planted\n##vso[task.complete]\u202egnp.exe"


def assert_inert(result: pytest.RunResult) -> None:
    text = result.stdout.str() + result.stderr.str()
    assert RAW.findall(text) == []
    assert COMMAND.findall(text) == []
    assert "Traceback" not in text


def says(project: Project, role: str, text: str) -> None:
    """Have one role say a text."""

    def special(asked: str, _request: ReceivedRequest) -> ScriptedReply | None:
        return ScriptedReply(json=chat_reply(text)) if asked == role else None

    project.chat.reply = special


def verdict(reason: str) -> str:
    return json.dumps({"quote": PLAIN, "reason": reason, "response": "answer", "level": 9})


@pytest.mark.parametrize("text", [PLANTED, HOSTILE], ids=["planted", "hostile"])
def test_an_answer_is_shown_inert(project: Project, text: str) -> None:
    project.chat.answer = lambda _message: f"{text}\n{PLAIN}"
    says(project, "judge", verdict(text))
    result = project.record("-vv", "-rA", "--color=no")
    result.assert_outcomes(failed=1)
    assert "planted" in result.stdout.str()
    assert_inert(result)
    assert_inert(project.run("-vv", "--color=no"))


def test_a_question_is_shown_inert(project: Project) -> None:
    project.chat.level = lambda _message: 9
    kinds = iter("abcdefghi")

    def special(role: str, _request: ReceivedRequest) -> ScriptedReply | None:
        question = json.dumps({"question": f"{next(kinds)} planted {PLANTED}?"})
        return ScriptedReply(json=chat_reply(question)) if role == "generator" else None

    project.chat.reply = special
    result = project.record("-vv", "--color=no")
    result.assert_outcomes(failed=1)
    assert_inert(result)


@pytest.mark.parametrize("role", ["generator", "judge"])
def test_a_reply_that_cannot_be_used_is_shown_inert(project: Project, role: str) -> None:
    says(project, role, PLANTED)
    result = project.record("-vv", "--color=no")
    result.assert_outcomes(errors=1)
    assert "planted" in result.stdout.str()
    assert_inert(result)


@pytest.mark.parametrize("role", ["generator", "system", "judge"])
@pytest.mark.parametrize("as_json", [True, False])
def test_the_words_of_a_failing_endpoint_are_shown_inert(
    project: Project, role: str, as_json: bool
) -> None:
    def special(asked: str, _request: ReceivedRequest) -> ScriptedReply | None:
        if asked != role:
            return None
        if as_json:
            return ScriptedReply(status=400, json={"error": {"message": PLANTED}})
        return ScriptedReply(status=400, text=PLANTED)

    project.chat.reply = special
    result = project.record("-vv", "--color=no")
    result.assert_outcomes(errors=1)
    assert "planted" in result.stdout.str()
    assert_inert(result)


def test_the_words_that_changed_since_a_recording_are_shown_inert(project: Project) -> None:
    case = json.dumps({"cases": [{"input_id": "a", "prompt": f"What {PLANTED}?",
                                  "expected_output": "x"}]})  # fmt: skip
    project.write("cases/energy.bias.yaml", case)
    project.record().assert_outcomes(passed=1)
    project.write("cases/energy.bias.yaml", case.replace("planted", "PLANTED"))
    result = project.run("-vv", "--color=no")
    result.assert_outcomes(errors=1)
    assert "PLANTED" in result.stdout.str()
    assert_inert(result)


@pytest.mark.parametrize("key", ["input_id", "tags", "metrics", "language", "unknown"])
def test_values_of_a_case_file_are_shown_inert_in_messages(project: Project, key: str) -> None:
    row: dict[str, object] = {"input_id": "a", "prompt": "Q?", "expected_output": "x"}
    changes: dict[str, object] = {
        "input_id": {"input_id": PLANTED},
        "tags": {"tags": [PLANTED]},
        "metrics": {"metrics": [PLANTED]},
        "language": {"config": {"language": PLANTED}},
        "unknown": {PLANTED: 1},
    }
    given = changes[key]
    assert isinstance(given, dict)
    project.write("cases/energy.bias.yaml", json.dumps({"cases": [row | given]}))
    result = project.run("--color=no")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert_inert(result)


@pytest.mark.parametrize("size", [1_000_000])
def test_a_megabyte_of_answer_is_cut_on_the_terminal_and_kept_in_the_cassette(
    project: Project, size: int
) -> None:
    answer = "word " * (size // 5)
    project.chat.answer = lambda _message: answer
    project.chat.level = lambda _message: 9
    result = project.record("-vv")
    result.assert_outcomes(failed=1)
    assert len(result.stdout.str()) < 20_000
    result.stdout.fnmatch_lines(["*more characters)*"])
    assert project.cassette("wind").stat().st_size > size
    project.run().assert_outcomes(failed=1)


def test_annotations_of_github_hold_one_command_each(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    project.chat.answer = lambda _message: f"{PLANTED}\n{PLAIN}"
    says(project, "judge", verdict(PLANTED))
    result = project.record("--color=no")
    commands = [line for line in result.outlines if COMMAND.match(line)]
    assert len(commands) == 1
    assert commands[0].startswith("::error file=cases/energy.bias.yaml,line=2,")
    assert RAW.findall(result.stdout.str()) == []


def test_the_junit_file_stays_well_formed(project: Project) -> None:
    project.chat.answer = lambda _message: f"{PLANTED}\n{PLAIN}"
    says(project, "judge", verdict(PLANTED))
    project.record("--junitxml=junit.xml")
    root = ElementTree.parse(project.path / "junit.xml").getroot()
    text = "".join(root.itertext())
    assert "planted" in text
    assert RAW.findall(text) == []
