"""Threads that the system's own code starts work on the same answer as whoever started them."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from functools import partial
from typing import Any
from unittest import mock

from pytest_content_bias.cassettes.user_answer import current_answer

_POOLS = "concurrent.futures.thread"


def follow_threads(stack: ExitStack) -> None:
    """Pass the context on to threads and to the work of pools, until the stack is closed.

    A pool's own threads are left alone: they outlive the work that they were started for.

    Args:
        stack: undoes it.
    """
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit

    def start_followed(thread: threading.Thread) -> None:
        if current_answer() is not None and not _works_for_pool(thread):
            setattr(thread, "run", partial(copy_context().run, thread.run))  # noqa: B010
        start(thread)

    def submit_followed(
        pool: ThreadPoolExecutor, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        if current_answer() is not None:
            work = partial(copy_context().run, work)
        return submit(pool, work, *args, **kwargs)

    stack.enter_context(mock.patch.object(threading.Thread, "start", start_followed))
    stack.enter_context(mock.patch.object(ThreadPoolExecutor, "submit", submit_followed))


def _works_for_pool(thread: threading.Thread) -> bool:
    return getattr(getattr(thread, "_target", None), "__module__", None) == _POOLS
