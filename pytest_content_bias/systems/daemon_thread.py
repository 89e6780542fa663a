"""A function in a thread of its own, which is left behind when it never returns."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread


async def in_daemon_thread(call: Callable[[], object]) -> object:
    """Call a function in a new thread, with this context's variables.

    A thread of a pool would keep the interpreter from ending while the function runs.

    Args:
        call: the function.

    Raises:
        BaseException: whatever the function raised.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[_Outcome] = loop.create_future()

    def work() -> None:
        outcome = _Outcome(call)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_tell, ended, outcome)

    context = copy_context()
    Thread(target=context.run, args=(work,), name="content-bias-system", daemon=True).start()
    return (await ended).result()


class _Outcome:
    """What a function returned, or raised; not every exception may cross a future."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._error: BaseException | None = None
        try:
            self._returned = call()
        except BaseException as error:
            self._error = error

    def result(self) -> object:
        if self._error is not None:
            raise self._error
        return self._returned


def _tell(ended: "asyncio.Future[_Outcome]", outcome: _Outcome) -> None:
    if not ended.done():
        ended.set_result(outcome)
