"""What is missing is recorded: what is sent, what is kept, what is refused."""

import asyncio
from pathlib import Path

import pytest

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError, CassetteError, MissingRecording
from pytest_content_bias.work.pacing import PacedExchange, Pacing
from tests.unit.cassettes.cassette_helpers import (
    DAY,
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
)


def test_replies_that_arrive_together_are_stored_before_any_of_them_is_handed_on(
    tmp_path: Path,
) -> None:
    """What waits its turn must not be lost with a process that is killed meanwhile."""
    cassette = make_cassette(tmp_path, "missing", FakeSender())
    stored_by_then: list[int] = []

    paced = PacedExchange(cassette, Pacing())

    async def ask_for(request: CallRequest) -> None:
        await paced.call(request)
        contents = [path.read_bytes() for path in tmp_path.iterdir()]
        stored_by_then.append(max(content.count(b"- slot: ") for content in contents))

    async def together() -> None:
        async with cassette.working():
            await asyncio.gather(*map(ask_for, (ONE, TWO, THREE)))
            cassette.finish()

    asyncio.run(together())

    assert stored_by_then == [3, 3, 3]


def test_missing_does_not_replace_calls_that_were_edited_by_hand(tmp_path: Path) -> None:
    path = record(tmp_path, ONE, TWO)
    before = path.read_bytes()
    edited = before.replace(b"system/one_sided", b"system/justify_judge")
    path.write_bytes(edited)
    sender = FakeSender()

    with pytest.raises(CassetteError, match="was edited by hand"):
        ask(make_cassette(tmp_path, "missing", sender), chat_request("system/justify_judge", "New"))

    assert sender.sent == []
    assert path.read_bytes() == edited


def test_missing_sends_only_what_the_cassette_lacks(tmp_path: Path) -> None:
    record(tmp_path, ONE)
    sender = FakeSender()

    replies = ask(make_cassette(tmp_path, "missing", sender), ONE, TWO)

    assert sender.slots == ["system/one_sided"]
    assert [reply.replayed for reply in replies] == [True, False]
    assert all(reply.replayed for reply in ask(make_cassette(tmp_path), ONE, TWO))


def test_a_changed_request_replaces_the_call_in_its_slot(tmp_path: Path) -> None:
    record(tmp_path, THREE)
    changed = chat_request(THREE.slot, "Is wind power\nreally cheap?")

    ask(make_cassette(tmp_path, "missing", FakeSender()), changed)

    assert ask(make_cassette(tmp_path), changed)
    with pytest.raises(MissingRecording):
        ask(make_cassette(tmp_path), THREE)


def test_each_reply_is_in_a_file_before_the_next_call_is_made(tmp_path: Path) -> None:
    seen: list[bool] = []

    def answer(request: CallRequest, number: int) -> CallReply:
        written = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
        seen.append(any(f"answer {number - 1} to" in text for text in written))
        return reply_of(chat_body(f"answer {number} to {request.slot}"))

    ask(make_cassette(tmp_path, "missing", FakeSender(answer)), ONE, TWO, THREE)

    assert seen == [False, True, True]


def test_what_arrived_before_a_failed_call_is_kept(tmp_path: Path) -> None:
    def answer(request: CallRequest, number: int) -> CallReply:
        if number == 2:
            raise CallError("unreachable")
        return reply_of(chat_body("fine"))

    with pytest.raises(CallError):
        ask(make_cassette(tmp_path, "missing", FakeSender(answer)), ONE, TWO)

    sender = FakeSender()
    ask(make_cassette(tmp_path, "missing", sender), ONE, TWO)
    assert sender.slots == ["system/one_sided"]
    assert files(tmp_path) == ["wind-power.yaml"]


def test_two_different_requests_in_one_slot_are_refused_before_they_are_paid(
    tmp_path: Path,
) -> None:
    sender = FakeSender()
    other = chat_request(ONE.slot, "Another question in the same place.")

    with pytest.raises(CassetteError, match="two different requests in one place"):
        ask(make_cassette(tmp_path, "missing", sender), ONE, other)

    assert len(sender.sent) == 1


def test_recording_outside_of_any_work_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="working"):
        asyncio.run(make_cassette(tmp_path, "missing", FakeSender()).call(ONE))


@pytest.mark.parametrize("mode", ["missing", "judge"])
def test_a_damaged_cassette_is_not_recorded_over(tmp_path: Path, mode: str) -> None:
    path = record(tmp_path, ONE)
    path.write_bytes(path.read_bytes()[:-40])
    before, sender = path.read_bytes(), FakeSender()

    with pytest.raises(CassetteError, match="--content-bias-record=all"):
        ask(make_cassette(tmp_path, mode, sender), ONE)

    assert sender.sent == []
    assert path.read_bytes() == before


def test_the_date_of_the_recording_is_stored_and_told(tmp_path: Path) -> None:
    (reply,) = ask(make_cassette(tmp_path, "missing", FakeSender()), ONE)

    assert reply.recorded == DAY.isoformat()
    assert f"date: {DAY}" in (tmp_path / "wind-power.yaml").read_text(encoding="utf-8")
