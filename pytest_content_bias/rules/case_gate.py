"""The gate of one case: its own failure, its threshold, its drop against the baseline."""

from pytest_content_bias.rules.figures import shown
from pytest_content_bias.rules.gate import meets
from pytest_content_bias.vocabulary.run import BaselineComparison, Outcome
from pytest_content_bias.vocabulary.score import CaseScore


def case_outcome(
    score: CaseScore,
    threshold: float,
    baseline: BaselineComparison | None = None,
    *,
    strict: bool = False,
) -> tuple[Outcome, str | None]:
    """Gate one case.

    Args:
        score: what the metric found.
        threshold: the least score that passes, 0 to 1.
        baseline: the case held against the accepted score; None when there is no baseline.
        strict: whether a case that cannot be compared is an error.

    Returns:
        The outcome, and why; None when it passed.
    """
    if score.error:
        return Outcome.ERROR, score.error
    if score.failure:
        return Outcome.FAILED, score.failure
    if score.value is None:
        return Outcome.ERROR, "unscored: the metric gave neither a score nor a reason"
    if strict and baseline and baseline.state != "comparable":
        return Outcome.ERROR, f"{comparability(baseline)}, which the strict baseline forbids"
    faults = []
    if not meets(score.value, threshold):
        value, bar = shown(score.value, threshold), shown(threshold, score.value)
        faults.append(f"score {value} is below the threshold {bar}")
    if baseline and baseline.dropped:
        faults.append(_drop_sentence(score.value, baseline))
    return (Outcome.FAILED, "; ".join(faults)) if faults else (Outcome.PASSED, None)


def comparability(baseline: BaselineComparison) -> str:
    """A clause that says how a case stands to the baseline."""
    if baseline.state == "new":
        return "new: the baseline has no entry for this case"
    if baseline.state == "not_comparable":
        return f"not comparable with the baseline: changed {', '.join(baseline.changed)}"
    return "comparable with the baseline"


def _drop_sentence(score: float, baseline: BaselineComparison) -> str:
    accepted, allowed = baseline.value or 0.0, baseline.max_drop or 0.0
    drop = accepted - score
    return (
        f"score {shown(score, accepted)} is {shown(drop, allowed)} below the accepted score"
        f" {shown(accepted, score)}; the greatest drop that passes is {shown(allowed, drop)}"
    )
