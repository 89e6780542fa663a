"""Doing several things at once without losing any."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

Result = TypeVar("Result")


async def all_of(awaitables: Iterable[Awaitable[Result]]) -> list[Result]:
    """Await all, and only then raise the first error: what was started is paid for.

    Returns:
        The results, in the order given.
    """
    outcomes = await asyncio.gather(*awaitables, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
