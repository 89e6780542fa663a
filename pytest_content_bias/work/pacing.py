"""Replies that arrive together are handed on one after the other."""

import asyncio

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.protocols import Exchange

_STEPS = 8
"""Steps of the event loop that it takes to put a request on its way."""


class Pacing:
    """Keeps the calls of a run from marching in step; belongs to one event loop.

    Work on replies that arrived together would be interleaved, so that their successors' requests
    left together, after all of that work, and the endpoints would idle meanwhile. Handed on one by
    one, each has its next request on its way before the next reply is worked on.
    """

    def __init__(self) -> None:
        self._handing_on = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until the replies that came before have been handed on."""
        async with self._handing_on:
            await _steps(_STEPS)


async def _steps(count: int) -> None:
    """Let the event loop go on for some steps, without waking the whole call at each of them."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def step(left: int) -> None:
        if left:
            loop.call_soon(step, left - 1)
        elif not done.done():
            done.set_result(None)

    step(count - 1)
    await done


class PacedExchange:
    """An exchange that hands on what was sent, and by then is stored, at the run's pace.

    Args:
        inner: the exchange that answers.
        pacing: the run's.
    """

    def __init__(self, inner: Exchange, pacing: Pacing) -> None:
        self._inner, self._pacing = inner, pacing

    async def call(self, request: CallRequest) -> CallReply:
        """Answer a call; raises as `Exchange.call`."""
        reply = await self._inner.call(request)
        if not reply.replayed:
            await self._pacing.turn()
        return reply
