import asyncio

from pytest_content_bias.models.rate_limit import HostLimit
from tests.exchanges import VirtualTime


class Calls:
    """Calls that are in flight until they are told to end."""

    def __init__(self, limit: HostLimit) -> None:
        self.in_flight: dict[int, asyncio.Event] = {}
        self._limit = limit

    async def send(self, *, rejected_for: float | None = None) -> None:
        ticket = self._limit.ticket()
        async with self._limit.turn(ticket) as turn:
            self.in_flight[ticket] = asyncio.Event()
            await self.in_flight[ticket].wait()
            del self.in_flight[ticket]
        if rejected_for is None:
            self._limit.succeeded()
        else:
            self._limit.rejected(turn, rejected_for)

    async def end_one(self) -> None:
        self.in_flight[min(self.in_flight)].set()
        await settle()


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def after_two_of_eight_were_rejected(more: int) -> tuple[Calls, asyncio.TaskGroup]:
    """Six calls are still in flight, four may be, and more are waiting."""
    time = VirtualTime()
    calls = Calls(HostLimit(time.sleep, time.clock))
    group = asyncio.TaskGroup()
    await group.__aenter__()
    for number in range(8):
        group.create_task(calls.send(rejected_for=3.0 if number < 2 else None))
    await settle()
    await calls.end_one()
    await calls.end_one()
    for _ in range(more):
        group.create_task(calls.send())
    await settle()
    return calls, group


def test_before_the_first_rejection_nothing_is_limited() -> None:
    async def run() -> None:
        time = VirtualTime()
        calls = Calls(HostLimit(time.sleep, time.clock))
        async with asyncio.TaskGroup() as group:
            for _ in range(100):
                group.create_task(calls.send())
            await settle()
            assert len(calls.in_flight) == 100
            for event in calls.in_flight.values():
                event.set()

    asyncio.run(run())


def test_rejections_of_one_burst_halve_the_calls_in_flight_once() -> None:
    async def run() -> None:
        calls, group = await after_two_of_eight_were_rejected(more=8)
        assert len(calls.in_flight) == 6
        for expected in (5, 4, 4, 4):
            await calls.end_one()
            assert len(calls.in_flight) == expected
        while calls.in_flight:
            await calls.end_one()
        await group.__aexit__(None, None, None)

    asyncio.run(run())


def test_ten_successes_allow_one_more_call_at_once() -> None:
    async def run() -> None:
        calls, group = await after_two_of_eight_were_rejected(more=30)
        counts = []
        while calls.in_flight:
            await calls.end_one()
            counts.append(len(calls.in_flight))
        assert counts[:9] == [5] + [4] * 8
        assert counts[9:19] == [5] * 10
        assert counts[19] == 6
        await group.__aexit__(None, None, None)

    asyncio.run(run())


def test_the_oldest_call_goes_first_and_a_cancelled_one_gives_up_its_place() -> None:
    async def run() -> None:
        time = VirtualTime()
        limit = HostLimit(time.sleep, time.clock)
        async with limit.turn(limit.ticket()) as turn:
            limit.rejected(turn, 0.0)
            order: list[int] = []

            async def send(ticket: int) -> None:
                async with limit.turn(ticket):
                    order.append(ticket)

            tickets = [limit.ticket() for _ in range(4)]
            tasks = [asyncio.create_task(send(ticket)) for ticket in reversed(tickets)]
            await settle()
            tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == [tickets[0], tickets[2], tickets[3]]

    asyncio.run(run())
