"""The calls of a metric at work, so that those of a case that ends without a score are known."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pytest_content_bias.cassettes.user_records import record_of
from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest

_ENTRIES: ContextVar[list[CallRecord]] = ContextVar("content_bias_ledger")


@contextmanager
def keeping(entries: list[CallRecord]) -> Iterator[None]:
    """The work of one metric, in one task and those that it starts.

    Args:
        entries: where its calls are noted.
    """
    token = _ENTRIES.set(entries)
    try:
        yield
    finally:
        _ENTRIES.reset(token)


def note(request: CallRequest, reply: CallReply) -> None:
    """Note an answered call with the metric that made it.

    Args:
        request: the call.
        reply: its reply.
    """
    entries = _ENTRIES.get(None)
    if entries is not None:
        entries.append(record_of(request, reply))
