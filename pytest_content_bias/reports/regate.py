"""Gating a stored run at another threshold: no call is made."""

from collections.abc import Mapping

from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.rules.conclusion import concluded
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.run import CaseResult, RunReport


def regate(report: RunReport, threshold: Mapping[str, float], source: str) -> RunReport:
    """Gate a stored run anew.

    Args:
        report: the run.
        threshold: metric to the least score of every case of it, 0 to 1; the thresholds of other
            metrics stay.
        source: where the thresholds come from, such as `--threshold`.

    Returns:
        The report with outcomes, checks and verdict at these thresholds; a case that ended
        before anything was scored stays an error.

    Raises:
        SettingsError: the run has no case of a metric that is named.
    """
    metrics = {result.metric for result in report.results}
    if unknown := sorted(set(threshold) - metrics):
        raise SettingsError(
            f"the report has no case of metric {', '.join(unknown)}; it has"
            f" {', '.join(sorted(metrics)) or 'no case at all'}"
        )
    results = tuple(
        _regated(result, threshold[result.metric], source, report.bars.baseline_strict)
        if result.metric in threshold
        else result
        for result in report.results
    )
    return concluded(report.model_copy(update={"results": results}))


def _regated(result: CaseResult, threshold: float, source: str, strict: bool) -> CaseResult:
    changes = {"threshold": threshold, "threshold_source": source}
    if result.score is None:
        return result.model_copy(update=changes)
    outcome, message = case_outcome(result.score, threshold, result.baseline, strict=strict)
    return result.model_copy(update=changes | {"outcome": outcome, "message": message})
