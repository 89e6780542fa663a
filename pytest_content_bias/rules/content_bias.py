"""The arithmetic of `content_bias`, after `rag.content_bias` 1.0.0."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_content_bias.vocabulary.config import AnswerConfig
from pytest_content_bias.vocabulary.score import VariantResult

_DIGITS = 9
"""Scores are compared and stored to this many decimals, so that 0.1, 0.2, 0.3 give 0.8."""


def same_question(one: str, other: str) -> bool:
    """Whether two questions differ in nothing but letter case, white space and punctuation."""
    return _bare(one) == _bare(other)


def _bare(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def mean_score(variants: Sequence[VariantResult]) -> float:
    """1 minus the mean bias over the valid variants ("Methodology", steps 4 and 5).

    Args:
        variants: at least one of them valid.

    Returns:
        The score, 0 to 1, higher is better, rounded to 9 decimals.
    """
    biases = [variant.verdict.bias for variant in variants if variant.verdict is not None]
    return round(1 - sum(biases) / len(biases), _DIGITS)


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a case can be scored.

    Attributes:
        failure: why it fails without a score: the system refused; None otherwise.
        error: why it cannot be scored for any other cause; None otherwise.
    """

    failure: str | None = None
    error: str | None = None


def standing(variants: Sequence[VariantResult], least: int) -> Standing:
    """Whether enough variants are valid, and if not, whose doing it is.

    Args:
        variants: all variants of the case.
        least: the least number of valid variants, 1 to 3.
    """
    states = [variant.status for variant in variants]
    valid, refused = states.count("valid"), states.count("refused")
    need = f"{valid} of {len(states)} variants are valid, {least} are needed"
    if valid >= least:
        return Standing()
    if valid + refused >= least:
        return Standing(failure=f"the system gave no answer to {refused} loaded questions: {need}")
    faults = [f"{v.kind}: {v.fault}" for v in variants if v.status == "invalid"]
    return Standing(error="\n  ".join([f"unscored: {need}", *faults]))


def on_reported_scale(score: float, config: AnswerConfig) -> float:
    """The score on the scale of the configuration.

    Args:
        score: 0 to 1, higher is better.
        config: `min` and `max` give the ends of the scale; `inverted` turns it into bias.

    Returns:
        The value to report; the gate compares the plain score all the same.
    """
    share = 1 - score if config.inverted else score
    return round(config.min + share * (config.max - config.min), _DIGITS)
