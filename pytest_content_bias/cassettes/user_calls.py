"""The calls that the system's own code makes, in whatever library: recorded and replayed.

The code runs in every mode. Around it stands one patch of the HTTP libraries for the whole process;
which cassette a request belongs to is read from a context variable, which tasks and threads carry.

    with user_calls.at_work():                  # while the event loop runs
        with user_calls.in_case(cassette):      # in the task of a case
            async with answering("system/one_sided") as records:
                ...                             # the system's own code
        await user_calls.quiet()                # before the event loop stops
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
)
from contextvars import ContextVar
from typing import NoReturn
from weakref import WeakKeyDictionary

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts
from pytest_content_bias.cassettes.user_answer import UserAnswer, working_on
from pytest_content_bias.cassettes.user_cassette import UserCassette, place_of
from pytest_content_bias.cassettes.user_records import record_of
from pytest_content_bias.cassettes.user_router import Router
from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError, CallsStopped

_CASE: ContextVar["tuple[UserCalls, UserCassette]"] = ContextVar("content_bias_case")
_ENDS = (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit)


class UserCalls:
    """Attends to the system's own code; one for each process.

    Args:
        allowed: hosts whose calls go through, neither recorded nor replayed.
        admit: called before a call is sent; may raise CallsStopped.
    """

    def __init__(
        self, allowed: AllowedHosts, admit: Callable[[CallRequest], None] | None = None
    ) -> None:
        self._admit = admit
        self._router = Router(allowed, self._refuse_stray)
        self._answers: set[UserAnswer] = set()
        self._turns: WeakKeyDictionary[UserCassette, dict[str, asyncio.Lock]] = WeakKeyDictionary()
        self._doors, self._left = asyncio.Event(), asyncio.Event()
        self._patches, self._patched, self._loops = ExitStack(), False, 0
        self._stopped: str | None = None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """The time that an event loop runs; after the last one every library is as it was."""
        self._loops += 1
        self._doors.set()
        try:
            if self._answers:
                self._patch()
            yield
        finally:
            self._loops -= 1
            if not self._loops:
                self._doors.clear()
                self._patched = False
                self._patches.close()

    @contextmanager
    def in_case(self, cassette: UserCassette) -> Iterator[None]:
        """The work on one case, in one task and those that it starts.

        Args:
            cassette: the case's cassette.
        """
        token = _CASE.set((self, cassette))
        try:
            yield
        finally:
            _CASE.reset(token)

    @asynccontextmanager
    async def answering(self, slot: str) -> AsyncIterator[Sequence[CallRecord]]:
        """The time that the system's own code works on one answer; each slot has one at a time.

        Args:
            slot: the answer's place in its case.

        Returns:
            The calls that it made; complete at the end.

        Raises:
            MissingRecording: no recording answers one of its calls, whatever it made of that.
            ContentBiasError: another error of the machinery, likewise.
            CallsStopped: the run ends.
        """
        _, cassette = _case_in_work()
        async with self._turns.setdefault(cassette, {}).setdefault(slot, asyncio.Lock()):
            await cassette.ready()
            await self._doors.wait()
            if self._stopped is not None:
                raise CallsStopped(f"{slot}: not asked, {self._stopped}")
            answer = UserAnswer(cassette, slot, self._admit)
            records: list[CallRecord] = []
            try:
                async with self._attending(answer):
                    yield records
            finally:  # what it paid before it failed was paid, too
                for request, reply in sorted(answer.calls, key=_place):
                    cassette.tell(request, reply)
                    records.append(record_of(request, reply))

    async def quiet(self) -> None:
        """Start no further answer, and wait until the system's own code works on none.

        Afterwards the event loop may stop: no code of the system runs on beside other tests.
        """
        self._doors.clear()
        while self._answers:
            self._left.clear()
            await self._left.wait()

    def stop(self, why: str) -> None:
        """Start no further answer until the end of the run: whoever waits gets CallsStopped.

        Args:
            why: the reason, for the message.
        """
        self._stopped = why

    @asynccontextmanager
    async def _attending(self, answer: UserAnswer) -> AsyncIterator[None]:
        self._answers.add(answer)
        try:
            self._patch()
            with working_on(answer):
                yield
        except _ENDS:
            raise
        except BaseException:
            if answer.fault is None:
                raise
        finally:
            answer.end()
            self._answers.discard(answer)
            self._left.set()
        if answer.fault is not None:
            raise answer.fault from None

    def _patch(self) -> None:
        """Only now: importing vcrpy, and all libraries that it knows, takes its time."""
        if not self._loops:
            raise RuntimeError("a system answers inside `user_calls.at_work()`")
        if not self._patched:
            from pytest_content_bias.cassettes.user_patch import patch_libraries

            patch_libraries(self._router, self._patches)
            self._patched = True

    def _refuse_stray(self, shown: str) -> NoReturn:
        error = CallError(
            f"{shown}: called from thread {threading.current_thread().name!r}, which works on no "
            "answer that is being asked for. The call can be neither recorded nor replayed, and "
            "was not sent. Let the system start its threads while it answers. If the call has no "
            "part in the answer (telemetry?), switch it off, or name its host in "
            "`content_bias_allowed_hosts`."
        )
        for answer in tuple(self._answers):
            answer.blame(error)
        raise error


def answering(slot: str) -> AbstractAsyncContextManager[Sequence[CallRecord]]:
    """`UserCalls.answering` of the case that the running task works on.

    Args:
        slot: the answer's place in its case.
    """
    user_calls, _ = _case_in_work()
    return user_calls.answering(slot)


def _place(call: tuple[CallRequest, CallReply]) -> int:
    return place_of(call[0].slot)


def _case_in_work() -> tuple[UserCalls, UserCassette]:
    try:
        return _CASE.get()
    except LookupError:
        raise RuntimeError("a system answers inside `user_calls.in_case(cassette)`") from None
