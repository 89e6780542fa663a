"""Replies that arrive together are handed on one after the other."""

import asyncio

import pytest

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.work.pacing import PacedExchange, Pacing


def test_what_follows_from_a_reply_is_under_way_before_the_next_reply_is_handed_on() -> None:
    seen: list[str] = []
    pacing = Pacing()

    async def work(name: str) -> None:
        await pacing.turn()
        seen.append(f"{name} works")
        for _ in range(8):  # as many steps as httpx takes to send
            await asyncio.sleep(0)
        seen.append(f"{name} asks on")

    async def together() -> None:
        await asyncio.gather(work("first"), work("second"), work("third"))

    asyncio.run(together())

    assert seen == [
        f"{name} {does}" for name in ("first", "second", "third") for does in ("works", "asks on")
    ]


def test_a_turn_that_is_cancelled_lets_the_next_one_through() -> None:
    pacing = Pacing()

    async def cancelled() -> None:
        first = asyncio.create_task(pacing.turn())
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait_for(pacing.turn(), timeout=60)

    asyncio.run(cancelled())


class Inner:
    """Answers at once, as a cassette or as a sender does."""

    def __init__(self, replayed: bool) -> None:
        self._replayed = replayed

    async def call(self, request: CallRequest) -> CallReply:
        return CallReply(status=200, body="", host="", latency_ms=1, replayed=self._replayed)


@pytest.mark.parametrize(("replayed", "waits"), [(False, True), (True, False)])
def test_what_was_sent_waits_for_its_turn_and_what_is_replayed_does_not(
    replayed: bool, waits: bool
) -> None:
    request = CallRequest(slot="judge/one_sided", method="POST", url="", identity={}, body=None)
    pacing = Pacing()
    seen: list[str] = []

    async def other() -> None:
        await pacing.turn()
        seen.append("other")

    async def call() -> None:
        await PacedExchange(Inner(replayed), pacing).call(request)
        seen.append("call")

    async def together() -> None:
        await asyncio.gather(other(), call())

    asyncio.run(together())

    assert seen == (["other", "call"] if waits else ["call", "other"])
