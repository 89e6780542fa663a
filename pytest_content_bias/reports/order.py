"""The order in which cases are shown: what needs attention first."""

from collections.abc import Iterable

from pytest_content_bias.vocabulary.run import CaseResult, Outcome

_FIRST = (Outcome.ERROR, Outcome.FAILED, Outcome.PASSED)


def worst_first(results: Iterable[CaseResult]) -> list[CaseResult]:
    """Errors, failures, passes; within each by distance to the threshold, then by name."""
    return sorted(results, key=_rank)


def _rank(result: CaseResult) -> tuple[int, float, str]:
    distance = -1.0 if result.value is None else result.value - result.threshold
    return _FIRST.index(result.outcome), round(distance, 9), result.node_id
