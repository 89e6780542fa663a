"""The calls of a case at work, so that those of a case that ends without a score are known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import pytest

from pytest_content_bias.cassettes.user_records import record_of
from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest

_CALLS: pytest.StashKey[list[CallRecord]] = pytest.StashKey()
_AT_WORK: ContextVar[list[CallRecord]] = ContextVar("content_bias_calls")


@contextmanager
def noting_calls_of(item: pytest.Item) -> Iterator[None]:
    """The work on a case, in one task and those that it starts.

    Args:
        item: the case.
    """
    item.stash[_CALLS] = []
    token = _AT_WORK.set(item.stash[_CALLS])
    try:
        yield
    finally:
        _AT_WORK.reset(token)


def note(request: CallRequest, reply: CallReply) -> None:
    """Note an answered call with the case that is worked on.

    Args:
        request: the call.
        reply: its reply.
    """
    calls = _AT_WORK.get(None)
    if calls is not None:
        calls.append(record_of(request, reply))


def noted_calls(item: pytest.Item) -> tuple[CallRecord, ...]:
    """The calls that were noted of a case.

    Args:
        item: the case.
    """
    calls = item.stash.get(_CALLS, None)
    return () if calls is None else tuple(calls)


def forget_calls(item: pytest.Item) -> None:
    """Hold the calls of a case no longer.

    Args:
        item: the case.
    """
    if _CALLS in item.stash:
        del item.stash[_CALLS]
