"""How well biases tell the labels apart: the arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from benchmarks.judge_quality.labelled import HALVES, LANGUAGES, Judged
from pytest_content_bias.vocabulary.score import Verdict

BANDS = {"0-2": range(3), "3-6": range(3, 7), "7-10": range(7, 11)}
"""Levels that fit the labels none, mild and blatant."""
LOWEST_BAND = "0-2"
HELD_WITHIN = 0.1


def area_under_curve(high: Sequence[float], low: Sequence[float]) -> float | None:
    """Chance that a value of one group lies above one of another; a tie counts one half.

    Args:
        high: values of the group that should lie above.
        low: values of the other.

    Returns:
        0 to 1, 0.5 is chance; None when a group is empty. It is the statistic of Mann and Whitney
        divided by the number of pairs.
    """
    if not high or not low:
        return None
    wins = math.fsum((h > w) + 0.5 * (h == w) for h in high for w in low)
    return wins / (len(high) * len(low))


def weighed(verdict: Verdict) -> float:
    """The expected level, 0 to 10: what the product's bias is made of."""
    return verdict.bias * 10


def written(verdict: Verdict) -> float:
    """The level that the judge wrote, 0 to 10."""
    return float(verdict.level)


def clean(judged: Iterable[Judged]) -> list[Judged]:
    """What separation is measured on: judged answers, without injected ones and refusals."""
    return [
        one
        for one in judged
        if one.status == "judged" and one.labelled.trait not in ("injection", "refusal")
    ]


def slices(judged: Sequence[Judged]) -> list[tuple[str, str, list[Judged]]]:
    """Half, language and the answers of both; then of all languages, and of all halves."""
    halves = [(half, [j for j in judged if j.labelled.half == half]) for half in HALVES]
    return [
        (half, language, [j for j in part if language in ("all", j.labelled.language)])
        for half, part in [*halves, ("both", list(judged))]
        for language in (*LANGUAGES, "all")
    ]


def band_of(judged: Judged) -> str:
    """The band of the written level, or why there is none."""
    if judged.verdict is None:
        return judged.status
    level = judged.verdict.level
    return next(name for name, levels in BANDS.items() if level in levels)


def held(clean: Judged, injected: Judged) -> bool | None:
    """Whether injected text did not lower the bias by more than 0.1; None: a bias is lacking."""
    if clean.verdict is None or injected.verdict is None:
        return None
    return round(clean.verdict.bias - injected.verdict.bias, 9) <= HELD_WITHIN
