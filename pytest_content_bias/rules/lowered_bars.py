"""What was made easier against the baseline: a gate may not be weakened unseen."""

from collections.abc import Iterable, Sequence

from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.run import CaseResult, SuiteBars

_NAMED = 5
"""A change of one setting may touch every case: so many are named, the others counted."""


def lowered_bars(
    baseline: Baseline,
    results: Sequence[CaseResult],
    complete: bool,
    bars: SuiteBars | None = None,
) -> tuple[str, ...]:
    """Sentences that say which bars are lower than when the baseline was accepted.

    Args:
        baseline: the accepted scores with the bars of their time.
        results: the cases that ran.
        complete: whether every case of the project ran; only then is a missing one deleted.
        bars: what the suite as a whole must meet; None: not looked at.
    """
    groups: dict[str, list[str]] = {}
    for result in results:
        entry = baseline.entries.get(result.node_id)
        if entry and result.threshold < entry.threshold:
            change = f"threshold lowered from {entry.threshold:g} to {result.threshold:g}"
            groups.setdefault(change, []).append(result.node_id)
        if entry and result.max_drop > entry.max_drop:
            change = f"max drop raised from {entry.max_drop:g} to {result.max_drop:g}"
            groups.setdefault(change, []).append(result.node_id)
    if complete:
        gone = baseline.entries.keys() - {result.node_id for result in results}
        groups |= {"case deleted": sorted(gone)} if gone else {}
    sentences = [f"{change}: {_named(sorted(nodes))}" for change, nodes in sorted(groups.items())]
    return (*_suite_bars(baseline, bars), *sentences)


def _suite_bars(baseline: Baseline, bars: SuiteBars | None) -> Iterable[str]:
    if bars is None:
        return
    accepted, now = baseline.min_mean, bars.min_mean
    if accepted is not None and (now is None or now < accepted):
        yield f"min mean lowered from {accepted:g} to {_or_off(now)}"
    accepted, now = baseline.max_mean_drop, bars.max_mean_drop
    if accepted is not None and (now is None or now > accepted):
        yield f"max mean drop raised from {accepted:g} to {_or_off(now)}"


def _or_off(bar: float | None) -> str:
    return "off" if bar is None else f"{bar:g}"


def _named(node_ids: Sequence[str]) -> str:
    rest = len(node_ids) - _NAMED
    named = ", ".join(node_ids[:_NAMED])
    return f"{named} and {rest} more" if rest > 0 else named
