"""The gate over the suite: its checks, and the one sentence that says how it ended."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from pytest_content_bias.rules.figures import DIGITS, shown
from pytest_content_bias.vocabulary.run import CaseResult, Check, MeanComparison, Outcome

CASES = "cases"
"""The name of the check that something was scored at all."""


def meets(score: float, threshold: float) -> bool:
    """Whether a score reaches a threshold, decided on values rounded to 9 decimals.

    Biases of 0.1, 0.2 and 0.3 give exactly 0.8 and pass at 0.8.
    """
    return round(score, DIGITS) >= round(threshold, DIGITS)


def weighted_mean(pairs: Iterable[tuple[float, float]]) -> float | None:
    """The weighted mean of values.

    Args:
        pairs: value and weight (0 or more) of each.

    Returns:
        The mean rounded to 9 decimals; None when the weights sum to 0.
    """
    pairs = list(pairs)
    total = fsum(weight for _, weight in pairs)
    if total <= 0:
        return None
    return round(fsum(value * weight for value, weight in pairs) / total, DIGITS)


def means(results: Sequence[CaseResult]) -> dict[str, float]:
    """Weighted mean score of each metric over its scored cases; metrics without one are absent."""
    found = {
        metric: weighted_mean(
            (result.value, result.score.weight)
            for result in results
            if result.metric == metric and result.score and result.value is not None
        )
        for metric in sorted({result.metric for result in results})
    }
    return {metric: mean for metric, mean in found.items() if mean is not None}


def suite_checks(
    results: Sequence[CaseResult],
    *,
    min_mean: float | None = None,
    complete: bool = True,
    incomplete_reason: str = "",
    asked: bool = True,
    mean_comparisons: Sequence[MeanComparison] = (),
    max_mean_drop: float | None = None,
) -> tuple[Check, ...]:
    """The checks over the whole suite.

    Args:
        results: every case that ran.
        min_mean: the least weighted mean score of each metric, 0 to 1; None: no such check.
        complete: whether every collected case ran; otherwise means are not held against bars.
        incomplete_reason: why not.
        asked: whether the user asked for the gate; then a run without a scored case fails.
        mean_comparisons: each metric's mean held against the baseline.
        max_mean_drop: the greatest mean drop that passes, 0 to 1; None: no such check.
    """
    metrics = sorted({result.metric for result in results})
    checks = [_cases_check(results)] if results or asked else []
    if min_mean is not None:
        checks += [_mean_check(results, metric, min_mean) for metric in metrics]
    if max_mean_drop is not None:
        compared = {comparison.metric: comparison for comparison in mean_comparisons}
        checks += [_drop_check(metric, compared.get(metric), max_mean_drop) for metric in metrics]
    if complete:
        return tuple(checks)
    return tuple(
        check if check.name == CASES else _not_applied(check.name, incomplete_reason)
        for check in checks
    )


def case_file_checks(unreadable: Sequence[str]) -> tuple[Check, ...]:
    """The check that every case file could be read.

    Args:
        unreadable: case files that could not be read.
    """
    if not unreadable:
        return ()
    return (Check(name="case files", state="failed", message=f"not read: {', '.join(unreadable)}"),)


def crash_checks(crashed: Sequence[str]) -> tuple[Check, ...]:
    """The check that no process ended while a case ran.

    Args:
        crashed: node ids of the cases that ran then.
    """
    if not crashed:
        return ()
    message = f"the process ended while these ran: {', '.join(crashed)}"
    return (Check(name="crashes", state="failed", message=message),)


def _not_applied(name: str, reason: str) -> Check:
    return Check(name=name, state="not_applied", message=f"not applied: {reason}")


def _cases_check(results: Sequence[CaseResult]) -> Check:
    scored = sum(result.value is not None for result in results)
    if not results:
        message = "no case ran, and a gate over nothing never passes"
    else:
        message = f"{scored} of {len(results)} cases scored"
    return Check(name=CASES, state="passed" if scored else "failed", message=message)


def _mean_check(results: Sequence[CaseResult], metric: str, min_mean: float) -> Check:
    own = [result for result in results if result.metric == metric]
    scored = sum(result.value is not None for result in own)
    mean = means(own).get(metric)
    name, over = f"min mean of {metric}", f"over {scored} of {len(own)} cases"
    if mean is None:
        message = f"there is no mean {over}: no case of a weight above 0 was scored"
        return Check(name=name, state="failed", message=message)
    passed = meets(mean, min_mean)
    relation = "at or above" if passed else "below"
    message = f"mean {shown(mean, min_mean)} {over} is {relation} {shown(min_mean, mean)}"
    return Check(name=name, state="passed" if passed else "failed", message=message)


def _drop_check(metric: str, comparison: MeanComparison | None, most: float) -> Check:
    name = f"mean drop of {metric}"
    if comparison is None:
        return _not_applied(name, "fewer than two cases are comparable with the baseline")
    failed = comparison.verdict == "regression" and not meets(most, comparison.mean_drop)
    message = f"{mean_sentence(comparison)}; {shown(most)} may be lost"
    return Check(name=name, state="failed" if failed else "passed", message=message)


def mean_sentence(comparison: MeanComparison) -> str:
    """A sentence with the numbers of a suite held against its baseline."""
    direction = "dropped" if comparison.mean_drop >= 0 else "rose"
    verdict = comparison.verdict.replace("_", " ")
    return (
        f"mean {direction} by {abs(comparison.mean_drop):.3f} over {comparison.cases} cases"
        f" (one-sided 95 % bounds of the drop {comparison.lower:+.3f} and"
        f" {comparison.upper:+.3f}): {verdict}"
    )


def verdict(results: Sequence[CaseResult], checks: Sequence[Check]) -> tuple[bool, str]:
    """Whether the gate passed, and the one sentence that says so."""
    failed_checks = [check for check in checks if check.state == "failed"]
    passed = not failed_checks and all(result.outcome is Outcome.PASSED for result in results)
    clauses = [_cases_clause(results), *_failures(results)]
    clauses += [f"{check.name}: {check.message}" for check in failed_checks if check.name != CASES]
    clauses += [_means_clause(means(results))] if passed and results else []
    clauses += _comparability_clauses(results)
    line = ", ".join(clause for clause in clauses if clause)
    return passed, f"content-bias gate: {'PASSED' if passed else 'FAILED'} - {line}"


def _cases_clause(results: Sequence[CaseResult]) -> str:
    if not results:
        return "no case ran"
    below = sum(map(_below, results))
    if below or any(result.value is None for result in results):
        return f"{below} of {_cases(len(results))} below their threshold"
    return f"{len(results)} of {_cases(len(results))} at or above their threshold"


def _failures(results: Sequence[CaseResult]) -> list[str]:
    dropped = sum(_dropped(result) for result in results)
    otherwise = sum(
        result.outcome is Outcome.FAILED and not _below(result) and not _dropped(result)
        for result in results
    )
    errors = sum(result.outcome is Outcome.ERROR for result in results)
    return [
        f"{_cases(dropped)} dropped below the baseline" if dropped else "",
        f"{_cases(otherwise)} failed whatever the score" if otherwise else "",
        f"{errors} error{'s' * (errors != 1)}" if errors else "",
    ]


def _below(result: CaseResult) -> bool:
    return result.value is not None and not meets(result.value, result.threshold)


def _dropped(result: CaseResult) -> bool:
    return bool(result.baseline and result.baseline.dropped)


def _cases(count: int) -> str:
    return f"{count} case{'s' * (count != 1)}"


def _means_clause(found: Mapping[str, float]) -> str:
    if len(found) == 1:
        return f"mean {shown(*found.values())}"
    return "means " + ", ".join(f"{metric} {shown(mean)}" for metric, mean in found.items())


def _comparability_clauses(results: Sequence[CaseResult]) -> list[str]:
    states = [result.baseline.state for result in results if result.baseline]
    names = (("not_comparable", "not comparable with the baseline"), ("new", "not in the baseline"))
    return [f"{states.count(state)} {name}" for state, name in names if state in states]
