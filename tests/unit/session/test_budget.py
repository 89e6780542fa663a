"""What bounds the calls of a run."""

import pytest
from pydantic import JsonValue

from pytest_content_bias.session.budget import Budget, cost_of, usage_of
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest, Usage
from pytest_content_bias.vocabulary.errors import CallsStopped, SettingsError
from pytest_content_bias.vocabulary.project import Price

PRICE = Price(input=2, output=10)
"""Per million tokens."""
MILLION = 1_000_000


def call(text: str = "Why?", **body: JsonValue) -> CallRequest:
    return CallRequest(
        slot="judge/one_sided",
        method="POST",
        url="http://models.example/v1",
        identity={},
        body={"q": text, **body},
    )


def reply(tokens_in: int, tokens_out: int) -> CallReply:
    usage: JsonValue = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return CallReply(status=200, body={"usage": usage}, host="", latency_ms=1)


def pay(budget: Budget, request: CallRequest, answer: CallReply | None = None) -> None:
    budget.settle(budget.admit(request, PRICE), answer, PRICE)


def test_tokens_cost_their_price_per_million() -> None:
    assert cost_of(Usage(input_tokens=MILLION, output_tokens=MILLION // 2), PRICE) == 2 + 5
    assert cost_of(Usage(), PRICE) == 0


@pytest.mark.parametrize(
    ("body", "usage"),
    [
        ({"usage": {"prompt_tokens": 3, "completion_tokens": 4}}, (3, 4)),
        ({"usage": {"input_tokens": 3, "output_tokens": 4}}, (3, 4)),
        ({"usage": {"prompt_tokens": 3}}, (3, None)),
        ({"usage": {"prompt_tokens": "3", "completion_tokens": None}}, (None, None)),
        ({"usage": [1]}, (None, None)),
        ({}, (None, None)),
        ("text", (None, None)),
    ],
)
def test_tokens_are_found_in_either_wire_format(
    body: JsonValue, usage: tuple[int | None, int | None]
) -> None:
    found = usage_of(body)
    assert (found.input_tokens, found.output_tokens) == usage


def test_without_a_bound_every_call_is_admitted_and_needs_no_price() -> None:
    budget = Budget(None, None)
    assert [budget.admit(call(), None) for _ in range(100)] == [0.0] * 100


def test_calls_are_counted_up_to_their_bound_failed_ones_too() -> None:
    budget = Budget(2, None)
    pay(budget, call(), reply(1, 1))
    pay(budget, call(), None)
    with pytest.raises(CallsStopped) as stopped:
        budget.admit(call(), None)
    assert str(stopped.value) == (
        "judge/one_sided: not called, 2 calls were paid and --content-bias-max-calls is 2; "
        "what was recorded is kept"
    )


def test_a_bound_of_no_calls_admits_none() -> None:
    with pytest.raises(CallsStopped, match="0 calls were paid"):
        Budget(0, None).admit(call(), None)


def test_a_run_that_ends_admits_no_call_and_says_why() -> None:
    budget = Budget(None, None)
    budget.stop("the run is ending")
    with pytest.raises(CallsStopped, match="judge/one_sided: not called, the run is ending"):
        budget.admit(call(), None)


def test_one_refused_call_stops_the_run() -> None:
    budget = Budget(None, 1.0)
    with pytest.raises(CallsStopped, match="this call may cost"):
        budget.admit(call(max_tokens=MILLION), PRICE)
    with pytest.raises(CallsStopped, match="this call may cost"):
        budget.admit(call(max_tokens=1), PRICE)


def test_a_call_may_cost_what_it_asks_and_the_longest_reply() -> None:
    budget = Budget(None, 100.0)
    asked = call("x" * 3 * MILLION, max_tokens=MILLION)
    assert budget.admit(asked, PRICE) == pytest.approx(2 + 10, rel=1e-4)


def test_a_reply_without_limit_is_taken_to_be_long() -> None:
    assert Budget(None, 100.0).admit(call(), PRICE) == pytest.approx(2000 * 10 / MILLION, rel=0.01)


def test_what_is_in_flight_counts_as_spent() -> None:
    budget = Budget(None, 15.0)
    budget.admit(call(max_tokens=MILLION), PRICE)
    with pytest.raises(CallsStopped, match="0 was spent and this call may cost 10"):
        budget.admit(call(max_tokens=MILLION), PRICE)


@pytest.mark.parametrize("answer", [reply(0, 1000), None])
def test_what_a_call_cost_takes_the_place_of_what_it_might_have(answer: CallReply | None) -> None:
    budget = Budget(None, 15.0)
    pay(budget, call(max_tokens=MILLION), answer)
    assert budget.admit(call(max_tokens=MILLION), PRICE) == pytest.approx(10, rel=1e-4)


def test_what_was_spent_is_gone() -> None:
    budget = Budget(None, 15.0)
    pay(budget, call(max_tokens=MILLION), reply(0, MILLION))
    with pytest.raises(CallsStopped, match="10 was spent"):
        budget.admit(call(max_tokens=MILLION), PRICE)


def test_a_bounded_cost_needs_a_price() -> None:
    with pytest.raises(SettingsError, match="--content-bias-max-cost needs a price of the judge's"):
        Budget(None, 1.0).admit(call(), None)
