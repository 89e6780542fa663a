"""What follows from the results and bars of a run: means, comparisons, checks and verdict."""

from collections.abc import Sequence

from pytest_content_bias.rules.gate import (
    case_file_checks,
    crash_checks,
    means,
    suite_checks,
    verdict,
)
from pytest_content_bias.rules.statistics import mean_comparison
from pytest_content_bias.vocabulary.run import CaseResult, MeanComparison, RunReport


def concluded(report: RunReport) -> RunReport:
    """A report with means, comparisons, checks and verdict that follow from results and bars.

    Args:
        report: its `results` and `bars` count; what it says of the rest is replaced.
    """
    bars, comparisons = report.bars, mean_comparisons(report.results)
    checks = (
        *case_file_checks(bars.unreadable),
        *crash_checks(bars.crashed),
        *suite_checks(
            report.results,
            min_mean=bars.min_mean,
            complete=not bars.incomplete,
            incomplete_reason=bars.incomplete,
            asked=bars.asked,
            mean_comparisons=comparisons,
            max_mean_drop=bars.max_mean_drop,
        ),
    )
    passed, sentence = verdict(report.results, checks)
    return report.model_copy(
        update={
            "means": means(report.results),
            "mean_comparisons": comparisons,
            "checks": checks,
            "passed": passed,
            "verdict": sentence,
        }
    )


def mean_comparisons(results: Sequence[CaseResult]) -> tuple[MeanComparison, ...]:
    """Each metric's mean held against the baseline, over the comparable cases."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    for result in sorted(results, key=lambda result: result.node_id):
        accepted = result.baseline.value if result.baseline else None
        if accepted is None or result.value is None or result.baseline is None:
            continue
        if result.baseline.state == "comparable":
            pairs.setdefault(result.metric, []).append((accepted, result.value))
    found = (mean_comparison(metric, pairs[metric]) for metric in sorted(pairs))
    return tuple(comparison for comparison in found if comparison)
