"""Gating a stored run at another threshold: no call is made."""

from collections.abc import Mapping

from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.rules.conclusion import concluded
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.run import CaseResult, RunReport

ALL_METRICS = ""
"""The key of a threshold for every metric that has none of its own."""


def regate(report: RunReport, thresholds: Mapping[str, float]) -> RunReport:
    """Gate a stored run anew.

    Args:
        report: the run.
        thresholds: metric to the least score of every case of it, 0 to 1; the empty name stands
            for all metrics. A metric without one keeps its thresholds.

    Returns:
        The report with outcomes, checks and verdict at these thresholds; a case that ended
        before anything was scored stays an error.

    Raises:
        SettingsError: the run has no case of a metric that is named.
    """
    metrics = {result.metric for result in report.results}
    if unknown := sorted(set(thresholds) - metrics - {ALL_METRICS}):
        raise SettingsError(
            f"the report has no case of metric {', '.join(unknown)}; it has"
            f" {', '.join(sorted(metrics)) or 'no case at all'}"
        )
    strict = report.bars.baseline_strict
    results = tuple(_regated(result, thresholds, strict) for result in report.results)
    return concluded(report.model_copy(update={"results": results}))


def _regated(result: CaseResult, thresholds: Mapping[str, float], strict: bool) -> CaseResult:
    threshold = thresholds.get(result.metric, thresholds.get(ALL_METRICS))
    if threshold is None:
        return result
    changes = {"threshold": threshold, "threshold_source": "--threshold"}
    if result.score is None:
        return result.model_copy(update=changes)
    outcome, message = case_outcome(result.score, threshold, result.baseline, strict=strict)
    return result.model_copy(update=changes | {"outcome": outcome, "message": message})
