"""What a recording would pay."""

import asyncio

import pytest
from pydantic import JsonValue

from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.session.dry_run import DryExchange, DryRun
from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.errors import MissingRecording
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.project import Price
from tests.exchanges import CannedExchange

SLOTS = ("generator/one_sided", "system/one_sided", "judge/one_sided")
MILLION = 1_000_000
BODY: JsonValue = {"usage": {"prompt_tokens": MILLION, "completion_tokens": 0}}


def request(slot: str) -> CallRequest:
    return CallRequest(slot=slot, method="POST", url="http://x.example", identity={}, body=None)


def replay(run: DryRun, mode: str, *slots: str) -> DryExchange:
    """Ask for recorded calls, as a metric does that stops at the first miss."""
    exchange = DryExchange(CannedExchange(*[BODY] * 9), RecordMode.parse(mode), run)

    async def ask() -> None:
        for slot in slots:
            await exchange.call(request(slot))

    asyncio.run(ask())
    return exchange


def test_calls_are_counted_by_role_and_said() -> None:
    run = DryRun()
    said = run.add("a", [*SLOTS, "judge/plain"], {})
    assert said == "would pay at most 4 calls: generator 1, system 1, judge 2"
    assert run.calls == {Role.GENERATOR: 1, Role.SYSTEM: 1, Role.JUDGE: 2}


def test_a_case_that_is_recorded_pays_nothing() -> None:
    assert DryRun().add("a", [], {}) == "would pay at most 0 calls"


def test_what_two_metrics_of_a_case_ask_for_counts_once_and_of_two_cases_twice() -> None:
    run = DryRun()
    run.add("a", SLOTS, {})
    assert run.add("a", [*SLOTS, "judge/plain"], {}) == "would pay at most 1 calls: judge 1"
    run.add("b", SLOTS, {})
    assert run.calls == {Role.GENERATOR: 2, Role.SYSTEM: 2, Role.JUDGE: 3}


def test_costs_are_those_of_recorded_calls_by_the_prices_of_the_project() -> None:
    run = DryRun()
    replay(run, "missing", "judge/one_sided", "judge/plain")
    run.add("a", [*SLOTS, "judge/other"], {Role.JUDGE: Price(input=2, output=9),
                                           Role.SYSTEM: Price(input=1, output=1)})  # fmt: skip
    assert list(run.lines()) == [
        "generator: at most 1 calls, no price configured",
        "system: at most 1 calls, cost unknown: no call of this role is recorded yet",
        "judge: at most 2 calls, about 4 by the tokens of 2 recorded calls",
        "dry run: at most 4 calls would be paid, and two more for each reply that has to be asked "
        "for again; nothing was called",
    ]


def test_a_role_that_is_not_called_costs_nothing() -> None:
    assert next(DryRun().lines()) == "generator: at most 0 calls"


def test_a_replayed_call_is_not_paid() -> None:
    exchange = replay(DryRun(), "missing", "generator/one_sided", "judge/one_sided")
    assert exchange.replayed == {"generator/one_sided", "judge/one_sided"}


def test_a_call_that_is_to_be_made_anew_is_a_miss_whose_tokens_are_known() -> None:
    run = DryRun()
    with pytest.raises(MissingRecording, match="judge/one_sided would be called anew"):
        replay(run, "judge", "generator/one_sided", "judge/one_sided")
    assert [usage.input_tokens for usage in run.tokens[Role.JUDGE]] == [MILLION]


def test_a_call_that_is_not_recorded_is_a_miss() -> None:
    class Empty:
        async def call(self, request: CallRequest) -> None:
            raise MissingRecording(f"{request.slot}: nothing is recorded")

    exchange = DryExchange(Empty(), RecordMode.parse("missing"), DryRun())  # type: ignore[arg-type]
    with pytest.raises(MissingRecording, match="nothing is recorded"):
        asyncio.run(exchange.call(request("judge/one_sided")))
    assert exchange.replayed == set()
