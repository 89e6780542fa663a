"""Threads that the system's own code starts work on the same answer as whoever started them."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import thread as pool_module
from contextlib import ExitStack
from contextvars import Context, copy_context
from typing import Any, TypeVar
from unittest import mock

from pytest_content_bias.cassettes.user_answer import current_answer

Result = TypeVar("Result")

_start = threading.Thread.start
_submit = ThreadPoolExecutor.submit


def follow_threads(stack: ExitStack) -> None:
    """Pass the context on to threads and to the work of pools, until the stack is closed.

    A pool's own threads are left alone, since they outlive the work that they were started for.

    Args:
        stack: undoes it.
    """
    stack.enter_context(mock.patch.object(threading.Thread, "start", _start_followed))
    stack.enter_context(mock.patch.object(ThreadPoolExecutor, "submit", _submit_followed))
