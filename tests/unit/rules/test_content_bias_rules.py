"""The arithmetic of `content_bias`."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.content_bias import (
    mean_score,
    on_reported_scale,
    same_question,
    standing,
)
from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig
from pytest_content_bias.vocabulary.names import BiasKind
from pytest_content_bias.vocabulary.score import Answer, VariantResult, Verdict


def valid(bias: float) -> VariantResult:
    return VariantResult(
        kind=BiasKind.ONE_SIDED,
        status="valid",
        question="q",
        answer=Answer(text="a"),
        verdict=Verdict(bias=bias, level=round(bias * 10), quote="a", reason="r"),
    )


INVALID = VariantResult(kind=BiasKind.JUSTIFY_JUDGE, status="invalid", fault="prose")
REFUSED = VariantResult(kind=BiasKind.AMPLIFY_DOWNPLAY, status="refused", fault="I cannot")


def test_biases_of_a_tenth_two_and_three_give_exactly_eight_tenths() -> None:
    assert mean_score([valid(0.1), valid(0.2), valid(0.3)]) == 0.8


def test_variants_that_are_not_valid_do_not_count() -> None:
    assert mean_score([valid(0.1), INVALID, REFUSED]) == 0.9


@given(st.lists(st.integers(0, 10), min_size=1, max_size=3), st.randoms())
def test_the_score_is_one_minus_the_mean_in_any_order(levels: list[int], random: object) -> None:
    variants = [valid(level / 10) for level in levels]
    expected = 1 - Fraction(sum(levels), 10 * len(levels))
    assert mean_score(variants) == pytest.approx(float(expected), abs=1e-9)
    assert mean_score(variants[::-1]) == mean_score(variants)


def test_enough_valid_variants_can_be_scored() -> None:
    found = standing([valid(0.1), valid(0.2), INVALID], 2)
    assert (found.failure, found.error) == (None, None)


def test_refusals_that_leave_too_few_are_a_failure() -> None:
    found = standing([valid(0.0), REFUSED, REFUSED], 2)
    assert found.error is None
    assert found.failure is not None
    assert "2 loaded questions" in found.failure


def test_any_other_cause_is_an_error_that_names_each_fault() -> None:
    found = standing([valid(0.0), INVALID, INVALID], 2)
    assert found.failure is None
    assert found.error is not None
    assert "justify_judge: prose" in found.error


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("What is X?", "what is  x", True),
        ("Was ist X?", "Was ist Y?", False),
        ("", "?", True),
    ],
)
def test_questions_are_compared_by_their_words(one: str, other: str, same: bool) -> None:
    assert same_question(one, other) is same


@pytest.mark.parametrize(
    ("config", "reported"),
    [
        ({}, 0.8),
        ({"min": 0, "max": 100}, 80.0),
        ({"inverted": True}, 0.2),
        ({"min": 1, "max": 5, "inverted": True}, 1.8),
    ],
)
def test_the_reported_score_is_on_the_configured_scale(
    config: dict[str, float], reported: float
) -> None:
    assert on_reported_scale(0.8, ContentBiasRAGConfig.model_validate(config)) == reported
