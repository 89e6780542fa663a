"""What bounds the calls of a run, and what they have cost."""

import json

from pydantic import JsonValue

from pytest_content_bias.session.options import PREFIX
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest, Usage
from pytest_content_bias.vocabulary.errors import CallsStopped, SettingsError
from pytest_content_bias.vocabulary.project import Price

_CHARACTERS_PER_TOKEN = 3
"""Fewer than the four of common English text: the estimate that guards a bound errs upwards."""
_OUTPUT_TOKENS = 2000
"""Taken for a reply whose length nothing limits."""
_MILLION = 1_000_000


def cost_of(usage: Usage, price: Price) -> float:
    """What a call cost.

    Args:
        usage: its tokens.
        price: per million tokens.
    """
    tokens_in, tokens_out = usage.input_tokens or 0, usage.output_tokens or 0
    return (tokens_in * price.input + tokens_out * price.output) / _MILLION


class Budget:
    """Admits calls until the run ends or a bound is reached.

    Args:
        max_calls: the most calls that may be paid; None: no bound.
        max_cost: the most that they may cost, in the currency of the prices; None: no bound.
    """

    def __init__(self, max_calls: int | None, max_cost: float | None) -> None:
        self._max_calls, self._max_cost = max_calls, max_cost
        self._paid = 0
        self._cost = self._reserved = 0.0
        self._stopped: str | None = None

    def stop(self, why: str) -> None:
        """Admit no further call."""
        self._stopped = why

    def admit(self, request: CallRequest, price: Price | None) -> float:
        """Count a call that is about to be paid.

        Args:
            request: the call.
            price: of its model; None when the project file names none.

        Returns:
            What was set aside for it, to be given to `settle`.

        Raises:
            CallsStopped: it may not be made.
            SettingsError: its cost is to be bounded and has no price.
        """
        if self._stopped is not None:
            raise CallsStopped(f"{request.slot}: not called, {self._stopped}")
        if self._max_calls is not None and self._paid >= self._max_calls:
            raise self._over(request, f"{self._paid} calls were paid", "max-calls", self._max_calls)
        estimate = 0.0 if self._max_cost is None else self._estimate(request, price)
        if self._max_cost is not None and self._cost + self._reserved + estimate > self._max_cost:
            spent = f"{self._cost:.4g} was spent and this call may cost {estimate:.4g}"
            raise self._over(request, spent, "max-cost", self._max_cost)
        self._paid += 1
        self._reserved += estimate
        return estimate

    def settle(self, set_aside: float, reply: CallReply | None, price: Price | None) -> None:
        """Replace what was set aside for a call by what it cost.

        Args:
            set_aside: what `admit` returned.
            reply: the call's reply; None when it failed.
            price: of its model.
        """
        self._reserved -= set_aside
        if reply is not None and price is not None:
            self._cost += cost_of(usage_of(reply.body), price)

    def _over(self, request: CallRequest, spent: str, option: str, bound: float) -> CallsStopped:
        self.stop(f"{spent} and {PREFIX}{option} is {bound:g}; what was recorded is kept")
        return CallsStopped(f"{request.slot}: not called, {self._stopped}")

    def _estimate(self, request: CallRequest, price: Price | None) -> float:
        if price is None:
            raise SettingsError(
                f"{request.slot}: {PREFIX}max-cost needs a price of the {request.role}'s model; "
                "add `price: {input: …, output: …}` (per million tokens) to it in content_bias.yaml"
            )
        tokens_in = len(json.dumps(request.body, ensure_ascii=False)) // _CHARACTERS_PER_TOKEN
        tokens_out = _output_limit(request.body)
        return cost_of(Usage(input_tokens=tokens_in, output_tokens=tokens_out), price)


def _output_limit(body: JsonValue) -> int:
    limit = body.get("max_tokens") if isinstance(body, dict) else None
    return limit if isinstance(limit, int) else _OUTPUT_TOKENS


def usage_of(body: JsonValue) -> Usage:
    """Token counts of a reply in either wire format; None where it has none."""
    usage = body.get("usage") if isinstance(body, dict) else None
    if not isinstance(usage, dict):
        return Usage()
    return Usage(
        input_tokens=_count(usage, "prompt_tokens", "input_tokens"),
        output_tokens=_count(usage, "completion_tokens", "output_tokens"),
    )


def _count(usage: dict[str, JsonValue], *names: str) -> int | None:
    counts = (usage.get(name) for name in names)
    return next((count for count in counts if isinstance(count, int)), None)
