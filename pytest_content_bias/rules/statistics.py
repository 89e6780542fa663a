"""Student's t distribution, and the paired comparison of a suite with its baseline."""

import math
from collections.abc import Sequence
from functools import cache
from statistics import fmean, stdev

from pytest_content_bias.vocabulary.run import MeanComparison, MeanVerdict

MARGIN = 0.05
"""A mean drop that is surely smaller than this counts as none."""
CONFIDENCE = 0.95
"""Of each end of the interval by itself: 5 % of unchanged suites look worse than `lower`."""
_LEAST_DEVIATION = 0.02
"""Identical differences would make the interval a point, which no finite sample justifies."""


def mean_comparison(metric: str, pairs: Sequence[tuple[float, float]]) -> MeanComparison | None:
    """Hold a suite against its baseline, paired by case.

    The case is the unit: the variants of one question are not independent. `drop ± t · sd / √n`
    with n - 1 degrees of freedom (Miller, "Adding Error Bars to Evals", arXiv 2411.00640: paired
    differences, clustered by question), read as a three-way non-inferiority decision.

    Args:
        metric: the metric's name.
        pairs: accepted score and score of each comparable case, 0 to 1.

    Returns:
        `regression` when the mean surely dropped, `no_regression` when it surely did not drop by
        0.05, else `inconclusive`; None with fewer than two cases.
    """
    count = len(pairs)
    if count < 2:
        return None
    drops = [accepted - score for accepted, score in pairs]
    mean = fmean(drops)
    error = max(stdev(drops), _LEAST_DEVIATION) / math.sqrt(count)
    reach = t_quantile(CONFIDENCE, count - 1) * error
    return MeanComparison(
        metric=metric,
        cases=count,
        mean_drop=round(mean, 9),
        lower=round(mean - reach, 9),
        upper=round(mean + reach, 9),
        verdict=_verdict(mean - reach, mean + reach),
    )


def _verdict(lower: float, upper: float) -> MeanVerdict:
    if lower > 0:
        return "regression"
    return "no_regression" if upper < MARGIN else "inconclusive"


def t_tail(t: float, freedom: float) -> float:
    """The probability that Student's t exceeds a value.

    Args:
        t: the value, any finite number.
        freedom: degrees of freedom, above 0.

    Returns:
        The upper tail, 0 to 1, by the regularized incomplete beta function (Abramowitz and
        Stegun, 26.7.1).
    """
    upper = 0.5 * _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))
    return upper if t >= 0 else 1 - upper


@cache
def t_quantile(probability: float, freedom: float) -> float:
    """The value that Student's t stays below with a probability.

    Args:
        probability: above 0 and below 1.
        freedom: degrees of freedom, above 0.

    Returns:
        The quantile, by bisection, right to about 12 significant digits.
    """
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > 1 - probability:
        high *= 2
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if t_tail(middle, freedom) > 1 - probability else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function, for a, b above 0 and x from 0 to 1."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    logarithm += a * math.log(x) + b * math.log1p(-x)
    return math.exp(logarithm) / (a * _beta_fraction(a, b, x))


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), from its tail.

    Evaluated backwards with a fixed depth: converges fast for x below (a + 1) / (a + b + 2).
    """
    value = 1.0
    for step in range(_DEPTH, 0, -1):
        value = 1 + _beta_coefficient(a, b, x, step) / value
    return value


_DEPTH = 400


def _beta_coefficient(a: float, b: float, x: float, step: int) -> float:
    half, odd = divmod(step, 2)
    if odd:
        return -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
    return half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
