"""One call in a cassette: what a reviewer sees, and what is read back."""

import difflib
from collections.abc import Mapping
from dataclasses import replace

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from pytest_content_bias.cassettes.call_writer import write_request
from pytest_content_bias.cassettes.canonical import canonical
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.vocabulary.calls import CallReply
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import chat_body, reply_of

KEY = "ab" * 32
REQUEST: dict[str, JsonValue] = {
    "method": "POST",
    "path": "/v1/chat/completions",
    "wire": "openai",
    "body": {"messages": [{"role": "user", "content": "Is it fair?\nSay yes or no.\n"}]},
}
REPLY = CallReply(
    status=200,
    body={"choices": [{"text": "No."}], "usage": {"prompt_tokens": 12, "completion_tokens": 2}},
    host="http://127.0.0.1:8099",
    latency_ms=812,
    omitted=("temperature",),
)

whole_text = st.text(st.characters(exclude_categories=["Cs"]))
bodies = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | whole_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(whole_text, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def write_call(
    slot: str, key: str, request: Mapping[str, JsonValue], reply: CallReply, date: str
) -> RecordedCall:
    return write_request(slot, key, request).answered(replace(reply, recorded=date))


def test_a_call_reads_like_this() -> None:
    call = write_call("judge/one_sided", KEY, REQUEST, REPLY, "2026-11-30")

    assert call.chunk.decode() == (
        "- slot: judge/one_sided\n"
        f"  sha256: {{request: {KEY}, call: "
        "c23bbf2e1e865ffab826aa34f6b19671a20d2e0558f5e8c6aa4c728327d8feda}\n"
        '  recorded: {date: 2026-11-30, latency_ms: 812, host: "http://127.0.0.1:8099", '
        "usage: {prompt_tokens: 12, completion_tokens: 2}}\n"
        '  omitted: ["temperature"]\n'
        "  request:\n"
        "    method: POST\n"
        "    path: /v1/chat/completions\n"
        "    wire: openai\n"
        "    body:\n"
        "      messages:\n"
        "      - role: user\n"
        "        content: |\n"
        "          Is it fair?\n"
        "          Say yes or no.\n"
        "  response:\n"
        "    status: 200\n"
        "    body:\n"
        "      choices:\n"
        "      - text: No.\n"
    )


@given(request=bodies, body=bodies)
def test_what_was_asked_and_answered_is_read_back_exactly(
    request: JsonValue, body: JsonValue
) -> None:
    call = write_call(
        "system/plain", KEY, {"method": "POST", "body": request}, reply_of(body), "2026-11-30"
    )

    assert canonical(call.request()) == canonical({"method": "POST", "body": request})
    assert canonical(call.reply().body) == canonical(body)


def test_the_reply_carries_host_latency_date_omitted_fields_and_tokens() -> None:
    call = write_call("judge/one_sided", KEY, REQUEST, REPLY, "2026-11-30")

    reply = call.reply()

    assert (reply.status, reply.host, reply.latency_ms) == (200, "http://127.0.0.1:8099", 812)
    assert (reply.omitted, reply.recorded, reply.replayed) == (("temperature",), "2026-11-30", True)
    assert reply.body == REPLY.body


@pytest.mark.parametrize(
    "usage", [None, [], {}, {"tokens": None}, {"tokens": 1.5}, {"tokens": True}, {"a b": 1}, "12"]
)
def test_usage_of_another_form_stays_in_the_body(usage: JsonValue) -> None:
    call = write_call("system/plain", KEY, REQUEST, reply_of({"usage": usage}), "2026-11-30")

    assert canonical(call.reply().body) == canonical({"usage": usage})
    assert b", usage:" not in call.chunk


def test_the_whole_call_is_plain_yaml() -> None:
    call = write_call("judge/one_sided", KEY, REQUEST, REPLY, "2026-11-30")

    (read,) = yaml.safe_load(call.chunk)

    assert read["slot"] == "judge/one_sided"
    assert read["request"] == REQUEST
    assert read["recorded"]["usage"] == {"prompt_tokens": 12, "completion_tokens": 2}


@pytest.mark.parametrize(
    ("found", "changed"),
    [(b"fair", b"just"), (b"No.", b"Yes"), (b"812", b"813"), (b"abab", b"baba")],
)
def test_any_edit_shows(found: bytes, changed: bytes) -> None:
    call = write_call("judge/one_sided", KEY, REQUEST, REPLY, "2026-11-30")

    edited = RecordedCall.read(call.chunk.replace(found, changed, 1))

    assert call.intact
    assert edited is not None
    assert not edited.intact


def test_a_changed_word_changes_three_lines_even_if_tokens_and_latency_differ() -> None:
    body: JsonValue = {"messages": [{"role": "user", "content": "Is it just?\nSay yes or no.\n"}]}
    later = CallReply(
        status=200,
        body={"choices": [{"text": "No."}], "usage": {"prompt_tokens": 13, "completion_tokens": 2}},
        host="https://gateway.example",
        latency_ms=99,
        omitted=("temperature",),
    )
    one = write_call("judge/one_sided", KEY, REQUEST, REPLY, "2026-11-30")
    other = write_call("judge/one_sided", "cd" * 32, {**REQUEST, "body": body}, later, "2026-12-01")

    old, new = one.chunk.decode().splitlines(), other.chunk.decode().splitlines()
    changed = [line for line in difflib.ndiff(old, new) if line.startswith("+ ")]

    assert len(changed) == 3


def test_the_same_answer_is_recognised_whatever_time_and_tokens_it_took() -> None:
    slow = reply_of(chat_body("No."), latency_ms=999)
    other = reply_of(chat_body("Yes."))
    first = write_call("judge/one_sided", KEY, REQUEST, reply_of(chat_body("No.")), "2026-11-30")

    assert first.same_answer(write_call("judge/one_sided", KEY, REQUEST, slow, "2026-12-01"))
    assert not first.same_answer(write_call("judge/one_sided", KEY, REQUEST, other, "2026-12-01"))


@pytest.mark.parametrize("slot", ["judge/one sided", "", "judge\n- slot: x", "a:b"])
def test_a_slot_that_would_not_read_back_is_refused(slot: str) -> None:
    with pytest.raises(CassetteError, match="cannot name the place of a call"):
        write_call(slot, KEY, REQUEST, REPLY, "2026-11-30")


def test_a_reply_that_is_not_json_is_refused() -> None:
    with pytest.raises(CassetteError, match="not JSON"):
        write_call("judge/x", KEY, REQUEST, reply_of({"score": float("nan")}), "2026-11-30")


def nested(depth: int) -> JsonValue:
    body: JsonValue = []
    for level in range(depth):
        body = {"in": body} if level % 2 else [body]
    return body


@pytest.mark.parametrize("depth", [1000, 5000, 20_000])
def test_a_call_nested_too_deeply_for_yaml_is_refused(depth: int) -> None:
    with pytest.raises(CassetteError, match="judge/x: the call is nested too"):
        write_call("judge/x", KEY, REQUEST, reply_of(nested(depth)), "2026-11-30")


@pytest.mark.parametrize("depth", [1, 50, 100, 151, 200, 251, 300, 351, 400, 450, 501, 600])
def test_whatever_can_be_written_is_read_back(depth: int) -> None:
    reply = reply_of(nested(depth))
    try:
        call = write_call("judge/x", KEY, REQUEST, reply, "2026-11-30")
    except CassetteError:
        assert depth > 100
    else:
        assert call.reply().body == reply.body
