"""What a run's calls add up to, by role."""

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.run import CaseResult


@dataclass(frozen=True, slots=True)
class CallTotals:
    """Calls and tokens.

    Attributes:
        paid: calls that went out.
        replayed: calls that came from a cassette.
        input_tokens: tokens sent, where the provider counted them.
        output_tokens: tokens received, where the provider counted them.
    """

    paid: int = 0
    replayed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


def call_totals(results: Iterable[CaseResult]) -> dict[Role, CallTotals]:
    """Totals of each role that was called.

    Metrics of one case share calls: the n-th call of a slot counts once per case, as paid if any
    metric paid for it.
    """
    calls: dict[tuple[str, str, int], CallRecord] = {}
    for result in results:
        counts: dict[str, int] = {}
        for call in result.calls:
            counts[call.slot] = number = counts.get(call.slot, 0) + 1
            key = (result.case.case_id, call.slot, number)
            if key not in calls or not call.replayed:
                calls[key] = call
    by_role = {role: [call for call in calls.values() if call.role is role] for role in Role}
    return {role: _totals(found) for role, found in by_role.items() if found}


def _totals(calls: list[CallRecord]) -> CallTotals:
    return CallTotals(
        paid=sum(not call.replayed for call in calls),
        replayed=sum(call.replayed for call in calls),
        input_tokens=sum(call.usage.input_tokens or 0 for call in calls),
        output_tokens=sum(call.usage.output_tokens or 0 for call in calls),
    )
