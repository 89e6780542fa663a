"""Many cases at once.

The event loop runs in the calling thread and only while somebody waits for a result: code of the
system under test never runs beside other tests, and whatever happens meanwhile belongs to a case.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pytest_content_bias.vocabulary.errors import SettingsError

Result = TypeVar("Result")
Other = TypeVar("Other")

_RESULTS_AHEAD = 4
"""How many times the limit may be started before they are asked for: one slow case must not stop
the others, and a run that ends early must not have paid for all of them."""


@dataclass(frozen=True, slots=True)
class Job(Generic[Result]):
    """Work that ends in one result.

    Attributes:
        name: unique among the jobs of an engine.
        work: starts the work.
    """

    name: str
    work: Callable[[], Coroutine[Any, Any, Result]]


async def _nothing() -> None:
    """Jobs that run nothing of their own."""


class Engine(Generic[Result]):
    """Runs jobs, up to a limit at once.

    Args:
        limit: how many jobs may be in flight, 1 or more.
        quiet: awaited before the event loop stops, so that nothing of a job runs on without it.
        new_loop: makes the event loop.
    """

    def __init__(
        self,
        limit: int,
        quiet: Callable[[], Coroutine[Any, Any, None]] = _nothing,
        new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
    ) -> None:
        self._limit, self._quiet, self._new_loop = limit, quiet, new_loop
        self._runner: asyncio.Runner | None = None
        self._tasks: dict[str, asyncio.Task[Result]] = {}

    def result(self, job: Job[Result], upcoming: Iterable[Job[Result]] = ()) -> Result:
        """Run a job to its end, and start those that will be asked for next.

        Args:
            job: the job whose result is wanted.
            upcoming: the jobs that follow, in order; read only as far as there is room.

        Raises:
            SettingsError: an event loop runs in this thread already.
            Exception: whatever the job raised.
        """
        _refuse_second_loop()
        if job.name not in self._tasks or not self._tasks[job.name].done():
            self._run(self._until_done(job, iter(upcoming)))
        return self._tasks.pop(job.name).result()

    def close(self, cleanup: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Await whatever is in flight, clean up, and end; does nothing if no job ever ran.

        Args:
            cleanup: the last work in the engine's event loop, such as closing connections.
        """
        if self._runner is None:
            return
        try:
            self._run(self._settle())
            self._run(cleanup())
        finally:
            self._runner.close()
            self._runner = None

    async def _until_done(self, job: Job[Result], upcoming: Iterator[Job[Result]]) -> None:
        """Returns nothing: what a main task returns is written out by `Runner` at every run."""
        wanted = self._started(job)
        while not wanted.done():
            while self._has_room() and (following := next(upcoming, None)):
                self._started(following)
            running = [task for task in self._tasks.values() if not task.done()]
            await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        await self._quiet()

    def _started(self, job: Job[Result]) -> "asyncio.Task[Result]":
        if job.name not in self._tasks:
            self._tasks[job.name] = asyncio.get_running_loop().create_task(job.work())
        return self._tasks[job.name]

    def _has_room(self) -> bool:
        in_flight = sum(not task.done() for task in self._tasks.values())
        return in_flight < self._limit and len(self._tasks) < _RESULTS_AHEAD * self._limit

    async def _settle(self) -> None:
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks.clear()

    def _run(self, work: Coroutine[Any, Any, Other]) -> Other:
        if self._runner is None:
            # Without a factory, the runner would make its loop the current one of this thread, and
            # other tests would find it there.
            self._runner = asyncio.Runner(loop_factory=self._new_loop)
        return self._runner.run(work)


def _refuse_second_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise SettingsError(
        "an event loop is running in this thread already (a notebook?); "
        "start pytest from a terminal or in a subprocess"
    )
