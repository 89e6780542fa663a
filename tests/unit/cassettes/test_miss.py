"""What a user reads when a recording is missing or cannot be trusted."""

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import JsonValue

from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.errors import CassetteError, MissingRecording
from tests.unit.cassettes.cassette_helpers import (
    FakeSender,
    ask,
    chat_request,
    make_cassette,
    record,
    service_request,
)

RECORD_IT = 'pytest "cases/energy.bias.yaml::wind-power" --content-bias-record=missing'


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths in messages are relative to the working directory."""
    monkeypatch.chdir(tmp_path)


def miss(folder: Path, request: CallRequest) -> str:
    """The message of a call that nothing answers."""
    with pytest.raises(MissingRecording) as error:
        ask(make_cassette(folder), request)
    return str(error.value)


def test_without_a_cassette_it_names_case_slot_file_and_command(tmp_path: Path) -> None:
    assert miss(tmp_path / "cassettes", chat_request()) == (
        "judge/one_sided of cases/energy.bias.yaml::wind-power: nothing is recorded (no cassette)\n"
        "  cassette: cassettes/wind-power.yaml, which does not exist\n"
        f"  record it: {RECORD_IT}"
    )


def test_without_a_cassette_but_with_a_begun_recording_it_says_so(tmp_path: Path) -> None:
    ask(make_cassette(tmp_path, "all", FakeSender()), chat_request(), finish=False)

    assert "a recording was begun and did not end" in miss(tmp_path, chat_request())


def test_a_new_call_is_named(tmp_path: Path) -> None:
    record(tmp_path, chat_request())

    assert miss(tmp_path, chat_request("judge/plain")) == (
        "judge/plain of cases/energy.bias.yaml::wind-power: "
        "this call is not recorded (new call)\n"
        "  cassette: wind-power.yaml\n"
        f"  record it: {RECORD_IT}"
    )


def test_a_changed_call_shows_changed_words_and_fields(tmp_path: Path) -> None:
    record(tmp_path, chat_request(content="Is it\nreally clean?", seed=1))

    changed = chat_request(content="Is it\nreally fair?", top_p=0.5, temperature=0.7)

    assert miss(tmp_path, changed) == (
        "judge/one_sided of cases/energy.bias.yaml::wind-power: "
        "the recording answers another request (changed call)\n"
        "  cassette: wind-power.yaml:7, recorded 2026-11-30\n"
        "  changed since, [-recorded-]{+now+}:\n"
        r"    messages[0].content: Is it\nreally [-clean-]{+fair+}?"
        "\n"
        "    temperature: 0.0 -> 0.7\n"
        "    seed: 1 -> (absent)\n"
        "    top_p: (absent) -> 0.5\n"
        f"  record it: {RECORD_IT}"
    )


def test_a_change_deep_in_a_long_prompt_is_visible(tmp_path: Path) -> None:
    filler = "The passage goes on and on. " * 700
    record(tmp_path, chat_request(content=f"{filler}Be neutral.{filler}"))

    message = miss(tmp_path, chat_request(content=f"{filler}Be honest.{filler}"))

    assert "Be [-neutral-]{+honest+}." in message
    assert len(message) < 900


def test_many_changes_are_counted(tmp_path: Path) -> None:
    record(tmp_path, chat_request(fields=list(range(9))))

    changed = chat_request(fields=list(range(100, 109)))

    message = miss(tmp_path, changed)
    assert message.count(" -> ") == 6
    assert "    and 3 more\n" in message


def test_a_changed_wire_format_is_shown_and_another_gateway_is_not(tmp_path: Path) -> None:
    record(tmp_path, chat_request())
    request = chat_request(host="https://gateway.example/prefix")
    other = CallRequest(
        slot=request.slot,
        method="POST",
        url=request.url,
        identity={**request.identity, "wire": "anthropic"},
        body=request.body,
    )

    message = miss(tmp_path, other)

    assert "    wire: [-openai-]{+anthropic+}\n" in message
    assert "path" not in message


def test_a_changed_path_of_a_service_is_shown(tmp_path: Path) -> None:
    record(tmp_path, service_request("Why?"))
    other = CallRequest(
        slot="system/plain",
        method="POST",
        url="http://127.0.0.1:9000/v2/answer",
        identity={"method": "POST", "path": "/v2/answer", "body": {"question": "Why?"}},
        body={"question": "Why?"},
    )

    assert "    path: /{+v2/+}answer\n" in miss(tmp_path, other)


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ([1, 2], [1], "items[1]: 2 -> (absent)"),
        ([1], [1, {"a": "b" * 99}], 'items[1]: (absent) -> {"a":"bbb'),
        ({"a": 1}, {"a": 1.0}, "items.a: 1 -> 1.0"),
        ({"a": None}, {}, "items.a: null -> (absent)"),
        ("text", ["list"], 'items: "text" -> ["list"]'),
    ],
)
def test_fields_of_every_shape_are_compared(
    tmp_path: Path, old: JsonValue, new: JsonValue, shown: str
) -> None:
    record(tmp_path, chat_request(items=old))

    assert f"    {shown}" in miss(tmp_path, chat_request(items=new))


def test_hostile_text_is_shown_inert(tmp_path: Path) -> None:
    record(tmp_path, chat_request(content="plain"))

    message = miss(tmp_path, chat_request(content="plain\x1b[2J\u202e"))

    assert r"\x1b[2J\u202e" in message
    assert "\x1b" not in message


def test_a_damaged_cassette_names_line_and_both_cures(tmp_path: Path) -> None:
    path = record(tmp_path, chat_request())
    path.write_bytes(path.read_bytes().replace(b"calls: 1", b"calls: 2"))

    with pytest.raises(CassetteError) as error:
        ask(make_cassette(tmp_path), chat_request())

    assert str(error.value) == (
        "wind-power.yaml:5: the cassette of cases/energy.bias.yaml::wind-power cannot be used: "
        "it says that it holds 2 calls, but holds 1: cut off, or edited.\n"
        "  restore it: git checkout -- wind-power.yaml\n"
        '  or record it anew: pytest "cases/energy.bias.yaml::wind-power" --content-bias-record=all'
    )


def test_a_damaged_partial_recording_is_named_as_such(tmp_path: Path) -> None:
    ask(make_cassette(tmp_path, "all", FakeSender()), chat_request(), finish=False)
    partial = tmp_path / "wind-power.partial.yaml"
    partial.write_bytes(partial.read_bytes()[:-9])

    with pytest.raises(
        CassetteError, match=r"remove it, which loses the replies .*\.partial\.yaml"
    ):
        ask(make_cassette(tmp_path, "missing", FakeSender()), chat_request())


def test_a_difference_that_the_cassette_does_not_show_is_said_to_be_one(tmp_path: Path) -> None:
    request = chat_request()
    record(tmp_path, request)
    identity = {name: value for name, value in request.identity.items() if name != "model"}

    assert "(nothing that the cassette shows)" in miss(
        tmp_path, replace(request, identity=identity)
    )
