"""Replies that arrive together are handed on one after the other."""

import asyncio

from pytest_content_bias.cassettes.pacing import Pacing


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
