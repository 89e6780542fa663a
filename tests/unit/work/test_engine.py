"""The engine runs jobs side by side, no more than allowed, and loses none."""

import asyncio
import signal

import pytest

from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.work.engine import Engine, Job


class Workshop:
    """Jobs that note how many are at work at once, and that end when told."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.ended: list[str] = []
        self.at_work = self.most_at_work = 0

    def job(self, name: str, rounds: int = 3) -> Job[str]:
        async def work() -> str:
            self.started.append(name)
            self.at_work += 1
            self.most_at_work = max(self.most_at_work, self.at_work)
            for _ in range(rounds):
                await asyncio.sleep(0)
            self.at_work -= 1
            self.ended.append(name)
            return f"result of {name}"

        return Job(name, work)


async def nothing() -> None:
    return None


def test_a_job_gives_its_result() -> None:
    engine: Engine[str] = Engine(2)
    assert engine.result(Workshop().job("a")) == "result of a"
    engine.close(nothing)


def test_as_many_jobs_as_allowed_run_at_once() -> None:
    workshop, engine = Workshop(), Engine[str](3)
    jobs = [workshop.job(str(number)) for number in range(10)]
    results = [engine.result(job, jobs[at + 1 :]) for at, job in enumerate(jobs)]
    engine.close(nothing)
    assert results == [f"result of {number}" for number in range(10)]
    assert workshop.most_at_work == 3


def test_every_job_is_started_once() -> None:
    workshop, engine = Workshop(), Engine[str](4)
    jobs = [workshop.job(str(number)) for number in range(6)]
    for at, job in enumerate(jobs):
        engine.result(job, jobs[at + 1 :])
    engine.close(nothing)
    assert sorted(workshop.started) == sorted(job.name for job in jobs)


def test_one_slow_job_does_not_let_the_others_run_away() -> None:
    workshop, engine = Workshop(), Engine[str](2)
    jobs = [workshop.job("slow", rounds=1000), *(workshop.job(str(n)) for n in range(100))]
    engine.result(jobs[0], jobs[1:])
    engine.close(nothing)
    assert len(workshop.started) <= 4 * 2


def test_an_error_of_a_job_is_raised_where_its_result_is_asked_for() -> None:
    async def broken() -> str:
        raise SettingsError("no judge")

    engine: Engine[str] = Engine(2)
    assert engine.result(Workshop().job("a"), [Job("b", broken)]) == "result of a"
    with pytest.raises(SettingsError, match="no judge"):
        engine.result(Job("b", broken))
    engine.close(nothing)


def test_closing_awaits_what_is_in_flight() -> None:
    workshop, engine = Workshop(), Engine[str](8)
    following = [workshop.job("late", rounds=50)]
    engine.result(workshop.job("first", rounds=1), following)
    assert workshop.ended == ["first"]
    engine.close(nothing)
    assert workshop.ended == ["first", "late"]


def test_an_interrupt_keeps_what_is_in_flight_for_closing() -> None:
    workshop, engine = Workshop(), Engine[str](8)

    async def interrupted() -> str:
        signal.raise_signal(signal.SIGINT)
        return "interrupted"

    with pytest.raises(KeyboardInterrupt):
        engine.result(workshop.job("long", rounds=50), [Job("interrupted", interrupted)])
    assert workshop.ended == []
    engine.close(nothing)
    assert workshop.ended == ["long"]


def test_the_cleanup_runs_in_the_loop_of_the_jobs() -> None:
    loops = []

    async def note() -> str:
        loops.append(asyncio.get_running_loop())
        return "noted"

    async def clean() -> None:
        loops.append(asyncio.get_running_loop())

    engine: Engine[str] = Engine(1)
    engine.result(Job("a", note))
    engine.close(clean)
    assert loops[0] is loops[1]


def test_other_tests_keep_the_current_loop_that_they_have() -> None:
    theirs = asyncio.new_event_loop()
    asyncio.set_event_loop(theirs)
    try:
        engine: Engine[str] = Engine(1)
        engine.result(Workshop().job("a"))
        assert asyncio.get_event_loop() is theirs
        engine.close(nothing)
        assert asyncio.get_event_loop() is theirs
    finally:
        asyncio.set_event_loop(None)
        theirs.close()


def test_a_loop_that_runs_already_is_a_clear_error() -> None:
    async def notebook() -> None:
        engine: Engine[str] = Engine(1)
        with pytest.raises(SettingsError, match="event loop is running"):
            engine.result(Workshop().job("a"))
        engine.close(nothing)

    asyncio.run(notebook())
