"""The calls that the system's own code makes for one answer: which recording answers which.

A call is found by what it asks. Calls that ask the same are told apart by the order in which they
start. The number in a slot is the place where a call was recorded; a call whose words changed
takes over the place of the one that it is most like, so that the difference is easy to review.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import NoReturn

from pytest_content_bias.cassettes.journal import Room
from pytest_content_bias.cassettes.user_cassette import UserCassette, place_of
from pytest_content_bias.cassettes.user_similarity import most_similar
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError, ContentBiasError


class CallRefused(BaseException):
    """What the system's own code meets at a call that cannot be answered.

    Not an `Exception`, so that client libraries do not try again and no fallback takes the place of
    the answer. The error itself is kept, and ends the case whatever becomes of this one.
    """


@dataclass(eq=False, slots=True)
class Turn:
    """A call from its start to its reply.

    Attributes:
        request: the call, with its slot.
        reply: what is replayed; None: it is being sent.
        room: on disk, for the reply; None: it is replayed.
        started: when, by the monotonic clock.
    """

    request: CallRequest
    reply: CallReply | None = None
    room: Room | None = None
    started: float = field(default_factory=time.monotonic)


class UserAnswer:
    """The calls of one answer; used from any thread.

    Args:
        cassette: the case's cassette.
        slot: the answer's place in the case, such as `system/one_sided`.
        admit: called before a call is sent; may raise CallsStopped.

    Attributes:
        slot: the answer's place in the case.
        fault: the first error of the machinery; it ends the case.
        ended: whether the system's function has returned.
        calls: the answered calls, in the order of their replies.
    """

    def __init__(
        self, cassette: UserCassette, slot: str, admit: Callable[[CallRequest], None] | None
    ) -> None:
        self.slot = slot
        self.fault: ContentBiasError | None = None
        self.ended = False
        self.calls: list[tuple[CallRequest, CallReply]] = []
        self._cassette, self._admit = cassette, admit
        self._recorded = cassette.recorded_under(self.prefix)
        self._claimed: set[str] = set()
        self._unfinished: dict[tuple[str, object], Turn] = {}
        self._lock = threading.RLock()
        self._process = os.getpid()

    @property
    def prefix(self) -> str:
        """The start of the slots of its calls."""
        return f"{self.slot}/app"

    def blame(self, error: ContentBiasError) -> None:
        """End the case with an error when the system has answered, unless an earlier one ends it.

        Args:
            error: what went wrong.
        """
        self.fault = self.fault or error

    def refuse(self, error: ContentBiasError) -> NoReturn:
        """End the case with an error, and the running code too if it lets itself be ended.

        Raises:
            CallRefused: always.
        """
        self.blame(error)
        raise CallRefused(str(self.fault))

    def start(self, request: CallRequest) -> Turn:
        """Start a call: find its recording, or else the place where it will be recorded.

        Args:
            request: the call; its slot is `prefix`.

        Raises:
            CallRefused: nothing answers it, and it may not be sent.
            CallError: the system's function has returned.
        """
        with self._lock:
            if self.ended:
                raise CallError(_too_late(request, "called", "not sent"))
            if self.fault is not None:
                self.refuse(self.fault)
            try:
                return self._start(request)
            except ContentBiasError as error:
                self.refuse(error)

    def finish(self, turn: Turn, reply: CallReply) -> None:
        """Record the reply to a call that was sent.

        Raises:
            CallRefused: it cannot be recorded.
            CallError: the system's function has returned without it.
        """
        with self._lock:
            self._forget(turn)
            if self.ended:
                raise CallError(_too_late(turn.request, "answered", "not recorded"))
            try:
                kept = self._cassette.record(turn.request, reply)
                self.calls.append((turn.request, kept))
            except ContentBiasError as error:
                self.refuse(error)
            finally:
                _give_back(turn)

    def give_up(self, turn: Turn) -> None:
        """Leave a call without a recording, since the client is told to try again."""
        with self._lock:
            self._claimed.discard(turn.request.slot)
            self._forget(turn)
            _give_back(turn)

    def end(self) -> None:
        """The system's function has returned: what it did not wait for is not recorded."""
        with self._lock:
            self.ended = True
            for turn in self._unfinished.values():
                _give_back(turn)

    def _start(self, request: CallRequest) -> Turn:
        if os.getpid() != self._process:
            raise CallError(
                f"{self.slot}: {_shown(request)} was called in a process of its own, from where it "
                "can be neither recorded nor replayed; call it in a thread or a task"
            )
        key = self._cassette.key(request)
        flight = (key, _caller())
        if flight in self._unfinished:
            return self._again(self._unfinished[flight])
        for call in self._recorded:
            if call.key == key and call.slot not in self._claimed and self._cassette.plays(call):
                return self._replayed(replace(request, slot=call.slot))
        turn = self._sent(request, key)
        self._unfinished[flight] = turn
        return turn

    def _again(self, turn: Turn) -> Turn:
        """A caller makes one call at a time: this one failed, and is tried again."""
        turn.started = time.monotonic()
        return turn

    def _replayed(self, request: CallRequest) -> Turn:
        self._claimed.add(request.slot)
        reply = self._cassette.replay(request)
        self.calls.append((request, reply))
        return Turn(request, reply=reply)

    def _sent(self, request: CallRequest, key: str) -> Turn:
        free = [call for call in self._recorded if call.slot not in self._claimed]
        like = most_similar(self._cassette.described(request), free)
        if not self._cassette.may_send:
            times = sum(call.key == key for call in self._recorded)
            slot = like.slot if like else self._next_slot()
            raise self._cassette.missing(replace(request, slot=slot), times)
        same = next((call for call in free if call.key == key), like)
        request = replace(request, slot=same.slot if same else self._next_slot())
        with ExitStack() as held:
            room = held.enter_context(self._cassette.reserve(request))
            if self._admit is not None:
                self._admit(request)
            held.pop_all()
        self._claimed.add(request.slot)
        return Turn(request, room=room)

    def _next_slot(self) -> str:
        taken = {*self._claimed, *(call.slot for call in self._recorded)}
        return f"{self.prefix}/{max(map(place_of, taken), default=0) + 1}"

    def _forget(self, turn: Turn) -> None:
        self._unfinished = {
            flight: other for flight, other in self._unfinished.items() if other is not turn
        }


def _give_back(turn: Turn) -> None:
    if turn.room is not None:
        turn.room.give_back()


def current_answer() -> UserAnswer | None:
    """The answer that the running code works on; None: it belongs to none."""
    return _ANSWER.get()


@contextmanager
def working_on(answer: UserAnswer) -> Iterator[None]:
    """Let the running code, and what it starts, work on an answer.

    Args:
        answer: the answer.
    """
    token = _ANSWER.set(answer)
    try:
        yield
    finally:
        _ANSWER.reset(token)


def _caller() -> object:
    """The task or thread that calls; each makes one call at a time."""
    try:
        return asyncio.current_task() or threading.get_ident()
    except RuntimeError:
        return threading.get_ident()


def _too_late(request: CallRequest, done: str, outcome: str) -> str:
    return (
        f"{request.slot}: {_shown(request)} was {done} after the system had answered, and is "
        f"{outcome}; let the system wait for its calls"
    )


def _shown(request: CallRequest) -> str:
    return f"{request.method} {request.url}"


_ANSWER: ContextVar[UserAnswer | None] = ContextVar("content_bias_answer", default=None)
