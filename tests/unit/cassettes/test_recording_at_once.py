"""Recordings by several tasks, metrics and processes at once."""

import asyncio
import random
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from tests.unit.cassettes.cassette_helpers import (
    ONE,
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


def test_equal_calls_at_once_are_sent_once(tmp_path: Path) -> None:
    sender = FakeSender()
    cassette = make_cassette(tmp_path, "missing", sender)

    async def work() -> list[CallReply]:
        async with cassette.working():
            return list(await asyncio.gather(*(cassette.call(ONE) for _ in range(5))))

    replies = asyncio.run(work())

    assert len(sender.sent) == 1
    assert len({text_of(reply) for reply in replies}) == 1


def test_a_call_whose_first_asker_is_cancelled_is_still_made_for_the_second(tmp_path: Path) -> None:
    sender = FakeSender()
    cassette = make_cassette(tmp_path, "missing", sender)

    async def work() -> CallReply:
        async with cassette.working():
            first = asyncio.create_task(cassette.call(ONE))
            second = asyncio.create_task(cassette.call(ONE))
            async with asyncio.timeout(10):
                while not sender.sent:
                    await asyncio.sleep(0)
            first.cancel()
            return await second

    assert text_of(asyncio.run(work())) == "answer 2 to generator/one_sided"
    assert files(tmp_path) == ["wind-power.yaml"]


def test_metrics_at_once_complete_the_recording_together(tmp_path: Path) -> None:
    path = record(tmp_path, ONE, TWO)
    before = path.read_bytes()
    cassette = make_cassette(tmp_path, "all", FakeSender())

    async def work() -> bytes:
        async with cassette.working():
            async with cassette.working():
                await cassette.call(ONE)
                cassette.finish()
            between = path.read_bytes()
            await cassette.call(TWO)
            cassette.finish()
        return between

    assert asyncio.run(work()) == before
    assert "answer 2 to system" in path.read_text(encoding="utf-8")


def test_a_metric_that_fails_beside_another_leaves_the_recording_to_be_resumed(
    tmp_path: Path,
) -> None:
    path = record(tmp_path, ONE, TWO)
    before = path.read_bytes()
    cassette = make_cassette(tmp_path, "all", FakeSender())

    async def work() -> None:
        async with cassette.working():
            async with cassette.working():
                await cassette.call(ONE)
                cassette.finish()
            await cassette.call(TWO)

    asyncio.run(work())

    assert path.read_bytes() == before
    sender = FakeSender()
    ask(make_cassette(tmp_path, "missing", sender, run="next"), ONE, TWO)
    assert sender.sent == []


def test_what_another_process_recorded_meanwhile_is_replayed(tmp_path: Path) -> None:
    slow, fast = FakeSender(), FakeSender()
    waiting = make_cassette(tmp_path, "missing", slow)

    async def both() -> CallReply:
        async with waiting.working():
            other = make_cassette(tmp_path, "missing", fast)
            async with other.working():
                await other.call(ONE)
                task = asyncio.create_task(waiting.call(ONE))
                await asyncio.sleep(0)
            return await task

    assert asyncio.run(both()).replayed
    assert slow.sent == []


def test_a_reply_that_arrived_is_kept_although_its_asker_is_cancelled(tmp_path: Path) -> None:
    cassette = make_cassette(tmp_path, "missing", FakeSender(arrive_and_cancel))

    async def work() -> None:
        async with cassette.working():
            await cassette.call(ONE)
            await asyncio.sleep(0)

    async def cancelled() -> None:
        task = asyncio.create_task(work(), name="asker")
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())

    again = make_cassette(tmp_path, "missing", FakeSender())
    assert text_of(ask(again, ONE)[0]) == "paid"


def arrive_and_cancel(request: CallRequest, number: int) -> CallReply:
    asker = next(task for task in asyncio.all_tasks() if task.get_name() == "asker")
    asyncio.get_running_loop().call_soon(asker.cancel)
    return reply_of(chat_body("paid"))


def test_calls_of_many_tasks_are_all_kept(tmp_path: Path) -> None:
    requests = [chat_request(f"judge/plain/{number}") for number in range(30)]
    sender = FakeSender()
    cassette = make_cassette(tmp_path, "missing", sender)

    async def work() -> None:
        async with cassette.working():
            await asyncio.gather(*map(cassette.call, requests))

    asyncio.run(work())

    assert len(sender.sent) == 30
    assert len(ask(make_cassette(tmp_path), *requests)) == 30


def test_fifty_shuffled_recordings_of_concurrent_calls_are_byte_identical(tmp_path: Path) -> None:
    requests = [chat_request(f"judge/plain/{number}") for number in range(8)]
    contents = set()
    for seed in range(50):
        shuffled = random.Random(seed).sample(requests, len(requests))
        cassette = make_cassette(tmp_path / str(seed), "missing", FakeSender(same_latency))
        asyncio.run(at_once(cassette, shuffled))
        contents.add((tmp_path / str(seed) / "wind-power.yaml").read_bytes())

    assert len(contents) == 1


async def at_once(cassette: CaseCassette, requests: list[CallRequest]) -> None:
    async with cassette.working():
        await asyncio.gather(*map(cassette.call, requests))
        cassette.finish()


def same_latency(request: CallRequest, number: int) -> CallReply:
    return reply_of(chat_body(f"answer to {request.slot}"))
