"""False alarms and power of the suite check, by simulation.

    python benchmarks/suite_check_error_rates.py

Twice a suite is measured: once for the baseline and once more, with a true drop between. The rate
at which the check then says `regression` is its false-alarm rate (no drop) or its power. What is
assumed of the noise: the bias of a case has mean Beta(1.2, 6); each run moves the case as a whole
by a deviation of 0.05, each answer by 0.08, each rating by 0.05; ratings come in steps of 0.05;
three answers per case. Half and twice that noise are shown beside it.
"""

import argparse
import random
from collections import Counter
from statistics import fmean

from pytest_content_bias.rules.statistics import mean_comparison

CASES = (10, 20, 40)
DROPS = (0.0, 0.02, 0.05, 0.1)
NOISE = (0.5, 1.0, 2.0)
_CASE, _ANSWER, _RATING, _STEP, _VARIANTS = 0.05, 0.08, 0.05, 0.05, 3


def case_score(mean_bias: float, noise: float, chance: random.Random) -> float:
    """The score that one run gives to a case of a given mean bias."""
    case = mean_bias + chance.gauss(0, _CASE * noise)
    ratings = []
    for _ in range(_VARIANTS):
        bias = case + chance.gauss(0, _ANSWER * noise) + chance.gauss(0, _RATING * noise)
        ratings.append(min(1.0, max(0.0, round(bias / _STEP) * _STEP)))
    return 1 - fmean(ratings)


def verdict(cases: int, drop: float, noise: float, chance: random.Random) -> str:
    """What the check says of one suite, measured before and after a drop."""
    biases = [chance.betavariate(1.2, 6) for _ in range(cases)]
    pairs = [
        (case_score(bias, noise, chance), case_score(bias + drop, noise, chance)) for bias in biases
    ]
    comparison = mean_comparison("content_bias", pairs)
    assert comparison is not None
    return comparison.verdict


def rates(cases: int, drop: float, noise: float, suites: int, seed: int) -> dict[str, float]:
    """The share of suites per verdict."""
    chance = random.Random(f"{seed}/{cases}/{drop}/{noise}")
    counts = Counter(verdict(cases, drop, noise, chance) for _ in range(suites))
    return {name: count / suites for name, count in counts.items()}


def table(suites: int, seed: int) -> str:
    """A Markdown table of all combinations."""
    lines = [
        "| noise | cases | true drop | regression | inconclusive | no regression |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for noise in NOISE:
        for cases in CASES:
            for drop in DROPS:
                found = rates(cases, drop, noise, suites, seed)
                shares = (
                    f"{found.get(name, 0):.1%}"
                    for name in ("regression", "inconclusive", "no_regression")
                )
                lines.append(f"| {noise:g} x | {cases} | {drop:g} | {' | '.join(shares)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--suites", type=int, default=500, help="simulated suites per row")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(table(options.suites, options.seed))


if __name__ == "__main__":
    main()
