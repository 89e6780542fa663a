"""Recording modes: what is sent, what is kept, what is replaced."""

import asyncio
import datetime
import random
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import (
    CallError,
    CassetteError,
    MissingRecording,
    SecretFound,
)
from tests.unit.cassettes.cassette_helpers import (
    DAY,
    FakeSender,
    ask,
    chat_body,
    chat_request,
    make_cassette,
    record,
    reply_of,
    text_of,
)

ONE, TWO, THREE = (
    chat_request(slot) for slot in ("generator/one_sided", "system/one_sided", "judge/one_sided")
)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def same_answers(request: CallRequest, number: int) -> CallReply:
    return reply_of(chat_body(f"answer to {request.slot}"), latency_ms=number)


def test_replies_that_arrive_together_are_stored_before_any_of_them_is_handed_on(
    tmp_path: Path,
) -> None:
    """What waits its turn must not be lost with a process that is killed meanwhile."""
    cassette = make_cassette(tmp_path, "missing", FakeSender())
    stored_by_then: list[int] = []

    async def ask_for(request: CallRequest) -> None:
        await cassette.call(request)
        contents = [path.read_bytes() for path in tmp_path.iterdir()]
        stored_by_then.append(max(content.count(b"- slot: ") for content in contents))

    async def together() -> None:
        async with cassette.working():
            await asyncio.gather(*map(ask_for, (ONE, TWO, THREE)))
            cassette.finish()

    asyncio.run(together())

    assert stored_by_then == [3, 3, 3]


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


def test_the_date_of_the_recording_is_stored_and_told(tmp_path: Path) -> None:
    (reply,) = ask(make_cassette(tmp_path, "missing", FakeSender()), ONE)

    assert reply.recorded == DAY.isoformat()
    assert f"date: {DAY}" in (tmp_path / "wind-power.yaml").read_text(encoding="utf-8")


def test_a_secret_in_a_request_is_replaced_so_that_other_machines_replay_it(
    tmp_path: Path,
) -> None:
    screen = SecretScreen({"TOKEN": "s3cret-token-value"})
    sender = FakeSender()
    with_secret = chat_request(content="My token is s3cret-token-value, is it safe?")
    without = chat_request(content="My token is <secret:TOKEN>, is it safe?")

    ask(make_cassette(tmp_path, "missing", sender, screen=screen), with_secret)

    assert "s3cret-token-value" in str(sender.sent[0].body)
    assert "s3cret-token-value" not in (tmp_path / "wind-power.yaml").read_text(encoding="utf-8")
    assert ask(make_cassette(tmp_path, screen=screen), with_secret)
    assert ask(make_cassette(tmp_path), without)


def test_a_secret_in_a_reply_is_replaced_in_the_live_reply_too(tmp_path: Path) -> None:
    body = chat_body("The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789.")
    sender = FakeSender(lambda request, number: reply_of(body, host="http://u:hunter2@x.example"))

    (live,) = ask(make_cassette(tmp_path, "missing", sender), ONE)

    assert text_of(live) == "The key is <secret>."
    assert live.host == "http://<secret>@x.example"
    assert ask(make_cassette(tmp_path), ONE)[0].body == live.body


def test_a_secret_that_cannot_be_replaced_is_refused_before_anything_is_paid(
    tmp_path: Path,
) -> None:
    screen = SecretScreen({"TEAM": "wind-power"})
    sender = FakeSender()

    with pytest.raises(SecretFound) as error:
        ask(make_cassette(tmp_path, "missing", sender, screen=screen), ONE)

    assert sender.sent == []
    assert files(tmp_path) == []
    assert "the value of TEAM" in str(error.value)


def test_a_secret_that_an_earlier_recording_holds_stops_the_next_one(tmp_path: Path) -> None:
    record(tmp_path, ONE, answers={ONE.slot: "It is s3cret-token-value."})
    screen, sender = SecretScreen({"TOKEN": "s3cret-token-value"}), FakeSender()

    with pytest.raises(SecretFound, match="record it anew"):
        ask(make_cassette(tmp_path, "missing", sender, screen=screen), TWO)
    assert sender.sent == []

    ask(make_cassette(tmp_path, "all", sender, screen=screen), ONE, TWO)
    assert "s3cret-token-value" not in (tmp_path / "wind-power.yaml").read_text(encoding="utf-8")


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
