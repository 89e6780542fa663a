"""Mode `none`: recorded calls are answered from the cassette, and nothing is ever sent."""

import asyncio
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import JsonValue

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CassetteError, MissingRecording
from tests.unit.cassettes.cassette_helpers import (
    FakeSender,
    ask,
    chat_body,
    chat_request,
    make_cassette,
    record,
    reply_of,
    service_request,
    text_of,
)


def with_field(name: str, value: JsonValue) -> CallRequest:
    request = chat_request()
    assert isinstance(request.body, dict)
    body = {**request.body, name: value}
    return replace(request, body=body, identity={**request.identity, "body": body})


def test_a_recorded_call_is_answered_from_the_cassette(tmp_path: Path) -> None:
    record(tmp_path, chat_request())

    (reply,) = ask(make_cassette(tmp_path), chat_request())

    assert text_of(reply) == "answer to judge/one_sided"
    assert reply.replayed
    assert (reply.recorded, reply.latency_ms) == ("2026-11-30", 812)


def test_a_recording_run_and_its_replay_see_identical_replies(tmp_path: Path) -> None:
    body = {**chat_body("Fair \ud800 enough.\r\n"), "system_fingerprint": "fp"}
    sender = FakeSender(lambda request, number: reply_of(body))

    (live,) = ask(make_cassette(tmp_path, "missing", sender), chat_request())
    (replayed,) = ask(make_cassette(tmp_path), chat_request())

    assert not live.replayed
    assert replace(live, replayed=True) == replayed
    assert text_of(live) == "Fair \ufffd enough.\r\n"


def test_a_sender_that_is_handed_in_by_mistake_is_not_used(tmp_path: Path) -> None:
    sender = FakeSender()

    with pytest.raises(MissingRecording):
        ask(make_cassette(tmp_path, "none", sender), chat_request())

    assert sender.sent == []


def test_another_host_replays_and_the_reply_carries_the_recorded_one(tmp_path: Path) -> None:
    record(tmp_path, chat_request())

    (reply,) = ask(make_cassette(tmp_path), chat_request(host="https://gateway.example"))

    assert reply.host == "http://127.0.0.1:8099"


@pytest.mark.parametrize(("field", "value"), [("temperature", 0), ("temperature", False), ("n", 1)])
def test_a_value_of_another_type_or_a_further_field_is_another_call(
    tmp_path: Path, field: str, value: bool | int
) -> None:
    record(tmp_path, chat_request())

    with pytest.raises(MissingRecording, match="changed call"):
        ask(make_cassette(tmp_path), with_field(field, value))


def test_equal_requests_in_different_slots_keep_their_own_answers_in_any_order(
    tmp_path: Path,
) -> None:
    slots = [f"judge/one_sided/{number}" for number in range(8)]
    record(tmp_path, *map(chat_request, slots), answers={slot: slot for slot in slots})

    for seed in range(5):
        shuffled = random.Random(seed).sample(slots, len(slots))
        replies = ask(make_cassette(tmp_path), *map(chat_request, shuffled))
        assert [text_of(reply) for reply in replies] == shuffled


def test_the_same_call_may_be_asked_by_several_metrics(tmp_path: Path) -> None:
    record(tmp_path, chat_request())

    one, other = ask(make_cassette(tmp_path), chat_request(), chat_request())

    assert one == other
    assert one.body is not other.body


def test_a_service_is_found_by_method_path_and_body(tmp_path: Path) -> None:
    record(tmp_path, service_request("Why?"))

    (reply,) = ask(make_cassette(tmp_path), service_request("Why?"))

    assert text_of(reply) == "answer to system/plain"
    assert "topsecret" not in (tmp_path / "wind-power.yaml").read_text(encoding="utf-8")


def test_headers_are_never_stored(tmp_path: Path) -> None:
    path = record(tmp_path, chat_request())

    assert "sk-header-only" not in path.read_text(encoding="utf-8")


def test_replaying_changes_no_file(tmp_path: Path) -> None:
    path = record(tmp_path, chat_request(), chat_request("judge/plain"))
    before = path.read_bytes()

    ask(make_cassette(tmp_path), chat_request())

    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_every_answered_call_is_told(tmp_path: Path) -> None:
    record(tmp_path, chat_request())
    told: list[tuple[str, bool]] = []

    def on_call(request: CallRequest, reply: CallReply) -> None:
        told.append((request.slot, reply.replayed))

    sender = FakeSender()
    cassette = make_cassette(tmp_path, "missing", sender, on_call=on_call)
    ask(cassette, chat_request(), chat_request("judge/plain"))

    assert told == [("judge/one_sided", True), ("judge/plain", False)]


def test_slots_that_no_metric_asked_for_are_unused(tmp_path: Path) -> None:
    record(tmp_path, chat_request(), chat_request("judge/plain"), chat_request("system/plain"))
    cassette = make_cassette(tmp_path)

    ask(cassette, chat_request())
    assert cassette.unused() == ("system/plain", "judge/plain")

    ask(cassette, chat_request("system/plain"))
    assert cassette.unused() == ("judge/plain",)


def test_a_damaged_call_is_refused_when_it_is_asked_for(tmp_path: Path) -> None:
    path = record(tmp_path, chat_request(), chat_request("judge/plain"))
    path.write_bytes(path.read_bytes().replace(b"answer to judge/plain", b"better answer", 1))

    assert ask(make_cassette(tmp_path), chat_request())
    with pytest.raises(CassetteError) as error:
        ask(make_cassette(tmp_path), chat_request("judge/plain"))

    assert not isinstance(error.value, MissingRecording)
    line = path.read_text(encoding="utf-8").splitlines().index("- slot: judge/plain") + 1
    assert f"{path}:{line}: the cassette of cases/energy" in str(error.value)


def test_replaying_outside_of_any_work_is_possible(tmp_path: Path) -> None:
    record(tmp_path, chat_request())

    reply = asyncio.run(make_cassette(tmp_path).call(chat_request()))

    assert reply.replayed


def test_replay_imports_neither_vcrpy_nor_httpx() -> None:
    script = (
        "import sys, pytest_content_bias.cassettes.case_cassette;"
        "print({'vcr', 'httpx', 'requests'} & set(sys.modules))"
    )

    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert result.stdout.strip() == "set()"
