"""How many calls one host is sent at once, and from when; learnt from what it turns away.

Additive increase, multiplicative decrease (Chiu and Jain, 1989): a rejection halves the number of
calls in flight, a row of successes allows one more. Before the first rejection nothing is
limited.
"""

import asyncio
import bisect
import itertools
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

_SUCCESSES_PER_STEP = 10


class HostLimit:
    """The limit that all calls to one host share; belongs to one event loop.

    Args:
        sleep: waits so many seconds.
        clock: a time in seconds that never goes back.

    Attributes:
        reached: whether the host has replied to any call.
    """

    def __init__(
        self, sleep: Callable[[float], Awaitable[None]], clock: Callable[[], float]
    ) -> None:
        self._sleep, self._clock = sleep, clock
        self.reached = False
        self._limit = math.inf
        self._in_flight = 0
        self._successes = 0
        self._cuts = 0
        self._resume_at = -math.inf
        self._tickets = itertools.count()
        self._waiting: list[int] = []
        self._changed = asyncio.Event()

    def ticket(self) -> int:
        """The place of a new call in the queue; it keeps it when it has to be sent again."""
        return next(self._tickets)

    @asynccontextmanager
    async def turn(self, ticket: int) -> AsyncIterator[int]:
        """Wait until it is this call's turn, oldest first; it is in flight inside of the block.

        Args:
            ticket: what `ticket` gave.

        Yields:
            What `rejected` wants to know.
        """
        await self._queue(ticket)
        self._in_flight += 1
        try:
            while (wait := self._resume_at - self._clock()) > 0:
                await self._sleep(wait)
            yield self._cuts
        finally:
            self._in_flight -= 1
            self._changed.set()

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
        """The host answered a call; enough answers since the last cut allow one more at once."""
        self._successes += 1
        if self._successes >= _SUCCESSES_PER_STEP:
            self._limit += 1
            self._successes = 0
            self._changed.set()

    async def _queue(self, ticket: int) -> None:
        bisect.insort(self._waiting, ticket)
        try:
            while self._in_flight >= self._limit or self._waiting[0] != ticket:
                self._changed.clear()
                await self._changed.wait()
        finally:
            self._waiting.remove(ticket)
            self._changed.set()
