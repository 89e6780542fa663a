"""How many calls were replayed and paid, and their tokens."""

from collections.abc import Iterable, Iterator

from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.run import RunReport


def spending_lines(report: RunReport, verbosity: int) -> Iterator[str]:
    """Lines for the terminal: in total, by role on `-v`, by case while recording."""
    calls = [call for result in report.results for call in result.calls]
    if not calls:
        return
    yield f"calls: {_sum(calls)}"
    if verbosity > 0:
        for role in Role:
            own = [call for call in calls if call.role == role]
            if own:
                yield f"  {role}: {_sum(own)}"
    if report.record != "none":
        for result in report.results:
            if result.calls:
                yield f"  {result.node_id}: {_sum(result.calls)}"


def _sum(calls: Iterable[CallRecord]) -> str:
    calls = list(calls)
    paid = [call for call in calls if not call.replayed]
    text = f"{len(calls) - len(paid)} replayed, {len(paid)} paid"
    tokens_in = sum(call.usage.input_tokens or 0 for call in paid)
    tokens_out = sum(call.usage.output_tokens or 0 for call in paid)
    return f"{text} ({tokens_in} tokens in, {tokens_out} out)" if paid else text
