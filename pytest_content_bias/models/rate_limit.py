"""How many calls one host is sent at once, and from when; learnt from what it turns away.

Additive increase, multiplicative decrease (Chiu and Jain, 1989): a rejection halves the number of
calls in flight, each round of successes allows one more. Before the first rejection nothing is
limited.
"""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class HostLimit:
    """The limit that all calls to one host share; belongs to one event loop.

    Args:
        sleep: waits so many seconds.
        clock: a time in seconds that never goes back.
    """

    def __init__(
        self, sleep: Callable[[float], Awaitable[None]], clock: Callable[[], float]
    ) -> None:
        self._sleep, self._clock = sleep, clock
        self._limit = math.inf
        self._in_flight = 0
        self._successes = 0
        self._cuts = 0
        self._resume_at = -math.inf
        self._room = asyncio.Event()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[int]:
        """Wait until one more call may be sent; it is in flight inside of the block.

        Yields:
            What `rejected` wants to know.
        """
        while self._in_flight >= self._limit:
            self._room.clear()
            await self._room.wait()
        self._in_flight += 1
        try:
            while (wait := self._resume_at - self._clock()) > 0:
                await self._sleep(wait)
            yield self._cuts
        finally:
            self._in_flight -= 1
            self._room.set()

    def rejected(self, turn: int, delay: float) -> None:
        """The host turned a call away: nothing is sent for a while, then half as much at once.

        Calls that were in flight together halve the limit once.

        Args:
            turn: what `turn` gave.
            delay: seconds for which nothing is sent to the host.
        """
        self._resume_at = max(self._resume_at, self._clock() + delay)
        if turn == self._cuts:
            self._limit = max(1, (self._in_flight + 1) // 2)
            self._cuts += 1
            self._successes = 0

    def succeeded(self) -> None:
        """The host answered a call; a whole round of answers allows one more call at once."""
        self._successes += 1
        if self._successes >= self._limit:
            self._limit += 1
            self._successes = 0
            self._room.set()
