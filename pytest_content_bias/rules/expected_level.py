"""The judge's level as an expectation over the levels it weighed.

After G-Eval (Liu et al. 2023, "NLG Evaluation using GPT-4 with Better Human Alignment"): the score
is the sum of level times probability, here over the integers 0 to 10 that the model weighed at the
place of the level, normalised to the probability that these have in all.
"""

import math
import re
from collections.abc import Mapping, Sequence

from pytest_content_bias.vocabulary.protocols import TokenAlternatives

_LEVEL = re.compile(r'"level"\s*:\s*"?(\d+)')
_HIGHEST = 10
_LEAST_MASS = 0.5
"""Below this the levels are not what the model weighed at that place."""


def expected_level(tokens: Sequence[TokenAlternatives]) -> float | None:
    """Expectation of the level, 0 to 10.

    Some tokenizers write 10 as `1` followed by `0`. The probability of a first `1` is then split
    between 1 and 10 by the next token, where the reply went that way; where it did not, it counts
    as 10: of the two the judge's rubric describes only 10, and the gate must not gain from doubt.

    Args:
        tokens: the reply's tokens with their alternatives.

    Returns:
        The expectation, rounded to 4 decimals; None when the tokens hold no level or the levels
        have less than half of the probability.
    """
    place = _place_of_level(tokens)
    if place is None:
        return None
    masses = _masses(tokens[place].alternatives)
    ten = _share_of_ten(tokens, place, masses)
    one = masses.get(1, 0.0)
    masses[1], masses[_HIGHEST] = one * (1 - ten), masses.get(_HIGHEST, 0.0) + one * ten
    total = sum(masses.values())
    if total < _LEAST_MASS:
        return None
    return round(sum(level * mass for level, mass in masses.items()) / total, 4)


def _place_of_level(tokens: Sequence[TokenAlternatives]) -> int | None:
    matches = list(_LEVEL.finditer("".join(token.token for token in tokens)))
    if not matches:
        return None
    offset, position = matches[-1].start(1), 0
    for index, token in enumerate(tokens):
        position += len(token.token)
        if position > offset:
            return index
    return None


def _masses(alternatives: Mapping[str, float]) -> dict[int, float]:
    masses: dict[int, float] = {}
    for text, log_probability in alternatives.items():
        digits = text.strip(' :"')
        if digits.isascii() and digits.isdigit() and int(digits) <= _HIGHEST:
            masses[int(digits)] = masses.get(int(digits), 0.0) + math.exp(log_probability)
    return masses


def _share_of_ten(
    tokens: Sequence[TokenAlternatives], place: int, masses: Mapping[int, float]
) -> float:
    """The part of the probability of a first `1` that belongs to 10."""
    if _HIGHEST in masses:
        return 0.0
    if tokens[place].token.strip(' :"') != "1":
        return 1.0
    following = tokens[place + 1].alternatives if place + 1 < len(tokens) else {}
    zero = sum(math.exp(p) for text, p in following.items() if text.startswith("0"))
    total = sum(math.exp(p) for p in following.values())
    return zero / total if total else 1.0
