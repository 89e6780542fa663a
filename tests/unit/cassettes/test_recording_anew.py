"""Recording anew: what is replaced, when, and what a recording that did not end leaves."""

import datetime
from pathlib import Path

import pytest

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import (
    ONE,
    THREE,
    TWO,
    FakeSender,
    ask,
    chat_body,
    chat_request,
    files,
    make_cassette,
    record,
    reply_of,
    text_of,
)


def same_answers(request: CallRequest, number: int) -> CallReply:
    return reply_of(chat_body(f"answer to {request.slot}"), latency_ms=number)


def test_all_replaces_the_cassette_only_when_the_case_is_complete(tmp_path: Path) -> None:
    path = record(tmp_path, ONE, TWO)
    before = path.read_bytes()

    ask(make_cassette(tmp_path, "all", FakeSender()), ONE, finish=False)
    assert path.read_bytes() == before
    assert files(tmp_path) == ["wind-power.partial.yaml", "wind-power.yaml"]

    ask(make_cassette(tmp_path, "all", FakeSender()), ONE, TWO)
    assert "answer 1 to generator" in path.read_text(encoding="utf-8")
    assert files(tmp_path) == ["wind-power.yaml"]


def test_all_sends_no_call_twice_within_a_run(tmp_path: Path) -> None:
    record(tmp_path, ONE)
    sender = FakeSender()
    cassette = make_cassette(tmp_path, "all", sender)

    ask(cassette, ONE, ONE)
    ask(cassette, ONE)
    ask(make_cassette(tmp_path, "all", sender), ONE)
    assert len(sender.sent) == 1

    ask(make_cassette(tmp_path, "all", sender, run="a later run"), ONE)
    assert len(sender.sent) == 2


def test_all_keeps_the_calls_that_only_another_metric_asks_for(tmp_path: Path) -> None:
    record(tmp_path, ONE, THREE)

    ask(make_cassette(tmp_path, "all", FakeSender()), ONE)

    replies = ask(make_cassette(tmp_path), ONE, THREE)
    assert [text_of(reply) for reply in replies] == [
        "answer 1 to generator/one_sided",
        "answer to judge/one_sided",
    ]


def test_recording_everything_anew_with_the_same_answers_changes_nothing(tmp_path: Path) -> None:
    path = record(tmp_path, ONE, TWO, THREE)
    before = path.read_bytes()
    later = make_cassette(tmp_path, "all", FakeSender(same_answers), day=datetime.date(2027, 1, 1))

    ask(later, ONE, TWO, THREE)

    assert path.read_bytes() == before


def test_one_changed_answer_changes_only_its_own_call(tmp_path: Path) -> None:
    path = record(tmp_path, ONE, TWO, THREE)
    before = path.read_text(encoding="utf-8").splitlines()

    def answer(request: CallRequest, number: int) -> CallReply:
        said = "other words" if request.slot == TWO.slot else f"answer to {request.slot}"
        return reply_of(chat_body(said))

    ask(make_cassette(tmp_path, "all", FakeSender(answer)), ONE, TWO, THREE)

    after = path.read_text(encoding="utf-8").splitlines()
    assert len(before) == len(after)
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 2
    assert changed[1].strip() == "content: other words"


def test_a_role_is_called_anew_and_others_only_where_they_miss(tmp_path: Path) -> None:
    record(tmp_path, ONE, TWO, THREE)
    sender = FakeSender()
    changed = chat_request(THREE.slot, "The answer is another one now.")

    ask(make_cassette(tmp_path, "system", sender), ONE, TWO, changed)

    assert sender.slots == ["system/one_sided", "judge/one_sided"]
    assert ask(make_cassette(tmp_path), ONE, TWO, changed)


def test_a_killed_re_recording_is_taken_up_by_missing(tmp_path: Path) -> None:
    record(tmp_path, ONE, TWO, THREE)
    ask(make_cassette(tmp_path, "all", FakeSender()), ONE, finish=False)
    sender = FakeSender()
    cassette = make_cassette(tmp_path, "missing", sender, run="next")
    changed = chat_request(TWO.slot, "Another question follows from the new variant.")

    replies = ask(cassette, ONE, changed, THREE)

    assert sender.slots == ["system/one_sided"]
    assert [text_of(reply) for reply in replies] == [
        "answer 1 to generator/one_sided",
        "answer 1 to system/one_sided",
        "answer to judge/one_sided",
    ]
    assert files(tmp_path) == ["wind-power.yaml"]
    replayed = ask(make_cassette(tmp_path), ONE, changed, THREE)
    assert [reply.body for reply in replayed] == [reply.body for reply in replies]


def test_a_resumed_re_recording_that_is_killed_again_has_not_touched_the_cassette(
    tmp_path: Path,
) -> None:
    path = record(tmp_path, ONE, TWO)
    before = path.read_bytes()
    ask(make_cassette(tmp_path, "all", FakeSender()), ONE, finish=False)
    changed = chat_request(TWO.slot, "Another question.")

    ask(make_cassette(tmp_path, "missing", FakeSender(), run="next"), changed, finish=False)

    assert path.read_bytes() == before


def test_replies_of_a_killed_run_that_another_metric_needs_stay_in_reserve(tmp_path: Path) -> None:
    record(tmp_path, ONE)
    ask(make_cassette(tmp_path, "all", FakeSender()), ONE, THREE, finish=False)

    ask(make_cassette(tmp_path, "missing", FakeSender(), run="next"), ONE)
    assert files(tmp_path) == ["wind-power.partial.yaml", "wind-power.yaml"]

    sender = FakeSender()
    ask(make_cassette(tmp_path, "missing", sender, run="after"), THREE)
    assert sender.sent == []
    assert files(tmp_path) == ["wind-power.yaml"]


def test_replay_ignores_a_partial_recording_and_says_that_there_is_one(tmp_path: Path) -> None:
    record(tmp_path, ONE)
    assert not make_cassette(tmp_path).has_partial
    ask(make_cassette(tmp_path, "all", FakeSender()), ONE, finish=False)

    (reply,) = ask(make_cassette(tmp_path), ONE)

    assert text_of(reply) == "answer to generator/one_sided"
    assert make_cassette(tmp_path).has_partial


def test_all_replaces_a_damaged_cassette_and_keeps_what_is_intact(tmp_path: Path) -> None:
    path = record(tmp_path, ONE, THREE)
    path.write_bytes(path.read_bytes().replace(b"answer to generator", b"edited"))

    ask(make_cassette(tmp_path, "all", FakeSender()), ONE)

    replies = ask(make_cassette(tmp_path), ONE, THREE)
    assert text_of(replies[1]) == "answer to judge/one_sided"


def test_all_never_replaces_a_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "wind-power.yaml"
    path.write_text("version: 1\ninteractions:\n- request: {}\n", encoding="utf-8")
    sender = FakeSender()

    with pytest.raises(CassetteError, match="it is no cassette of pytest-content-bias"):
        ask(make_cassette(tmp_path, "all", sender), ONE)

    assert sender.sent == []
