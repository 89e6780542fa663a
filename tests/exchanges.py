"""Exchanges for tests that need no cassette, and a time that passes without waiting."""

import asyncio
from collections.abc import Sequence

from pydantic import JsonValue

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.protocols import Sender


class DirectExchange:
    """Sends every call, and keeps none.

    Args:
        sender: who sends.
    """

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    async def call(self, request: CallRequest) -> CallReply:
        """Send a call."""
        return await self._sender.send(request)


class CannedExchange:
    """Answers calls from given bodies, in their order.

    Args:
        bodies: the body of each reply.

    Attributes:
        requests: the calls in their order.
    """

    def __init__(self, *bodies: JsonValue) -> None:
        self.requests: list[CallRequest] = []
        self._bodies: Sequence[JsonValue] = bodies

    async def call(self, request: CallRequest) -> CallReply:
        """Answer a call."""
        self.requests.append(request)
        body = self._bodies[len(self.requests) - 1]
        return CallReply(
            status=200,
            body=body,
            host="http://canned",
            latency_ms=5,
            replayed=True,
            recorded="2026-01-02",
        )


class VirtualTime:
    """A clock that only sleeping moves.

    Attributes:
        naps: every time that was slept, in seconds.
    """

    def __init__(self) -> None:
        self.naps: list[float] = []
        self._now = 0.0

    def clock(self) -> float:
        """Seconds since the start."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Let time pass; sleepers at the same time sleep side by side."""
        self.naps.append(seconds)
        wake = self._now + seconds
        await asyncio.sleep(0)
        self._now = max(self._now, wake)
