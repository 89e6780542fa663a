"""What bounds the calls of one case."""

import asyncio
import time

from pytest_content_bias.vocabulary import manifest
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError
from pytest_content_bias.vocabulary.protocols import Exchange

CASE_SECONDS = float(manifest.CASE_SECONDS)
"""The longest that a case may take, in seconds."""


class LimitedExchange:
    """An exchange that lets a bounded number of calls through at once, for a bounded time.

    A call that was started is never cut off: its reply may already be paid for. Past the time
    no further call is started.

    Args:
        inner: the exchange that answers.
        concurrency: how many calls may be in flight, 1 or more.
        seconds: how long calls may be started.
    """

    def __init__(self, inner: Exchange, concurrency: int, seconds: float = CASE_SECONDS) -> None:
        self._inner = inner
        self._slots = asyncio.Semaphore(concurrency)
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    async def call(self, request: CallRequest) -> CallReply:
        """Answer a call once there is room for it; raises as `Exchange.call`."""
        async with self._slots:
            if time.monotonic() > self._end:
                raise CallError(
                    f"{request.slot}: not started, the case has taken longer than "
                    f"{self._seconds:g} s; record it again, its replies so far are kept"
                )
            return await self._inner.call(request)
