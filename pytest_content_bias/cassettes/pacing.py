"""Replies that arrive together are stored first, then handed on one after the other."""

import asyncio

_STEPS = 10
"""Steps of the event loop that it takes to put a request on its way; httpx takes about 8."""


class Pacing:
    """Keeps calls from marching in step; belongs to one event loop.

    Work on replies that arrived together would be interleaved, so that their successors' requests
    left together, after all of that work, and the endpoints would idle meanwhile. Handed on one by
    one, each has its next request on its way before the next reply is worked on.
    """

    def __init__(self) -> None:
        self._handing_on = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until the replies that were stored before have been handed on."""
        async with self._handing_on:
            for _ in range(_STEPS):
                await asyncio.sleep(0)
