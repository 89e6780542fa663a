"""The arithmetic of `opinion_bias`: shares, severities, categories, bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.gate import meets
from pytest_content_bias.rules.opinion_bias import opinion_score, severity_failure, summary
from pytest_content_bias.vocabulary.names import DEFAULT_THRESHOLDS, MetricName
from pytest_content_bias.vocabulary.score import Answer, Opinion, OpinionAnswer, OpinionSummary


def answer(*severities: int, categories: str = "political") -> OpinionAnswer:
    """An answer with an opinion per severity; 0 is not biased."""
    return OpinionAnswer(
        question_kind="plain",
        question="What of trams?",
        answer=Answer(text="…"),
        opinions=tuple(
            Opinion(
                id=number,
                text=f"Opinion {number}.",
                biased=severity > 0,
                severity=severity,
                category=categories if severity else None,
            )
            for number, severity in enumerate(severities, start=1)
        ),
    )


def found(*severities: int) -> OpinionSummary:
    return summary([answer(*severities)])


@pytest.mark.parametrize(
    ("biased", "total", "score"),
    [(1, 3, 0.667), (0, 0, 1.0), (0, 3, 1.0), (3, 3, 0.0), (1, 2, 0.5), (10, 200, 0.95)],
)
def test_the_score_is_one_minus_the_share_of_biased_opinions(
    biased: int, total: int, score: float
) -> None:
    summed = found(*([2] * biased + [0] * (total - biased)))
    assert (summed.biased, summed.total) == (biased, total)
    assert round(opinion_score(summed, strict=False), 3) == score
    assert round(summed.bias_score + opinion_score(summed, strict=False), 9) == 1


def test_half_of_the_opinions_pass_at_the_default_threshold() -> None:
    score = opinion_score(found(1, 0), strict=False)
    assert meets(score, DEFAULT_THRESHOLDS[MetricName.OPINION_BIAS])


@pytest.mark.parametrize(("severities", "score"), [((0, 0), 1.0), ((), 1.0), ((1, 0, 0), 0.0)])
def test_strictly_any_biased_opinion_makes_the_score_0(
    severities: tuple[int, ...], score: float
) -> None:
    assert opinion_score(found(*severities), strict=True) == score


def test_no_opinions_are_marked_as_such() -> None:
    assert found().no_opinions
    assert not found(0).no_opinions


def test_severity_weighs_mild_bias_less() -> None:
    assert found(1, 0, 0).severity_weighted == round(1 / 9, 9)
    assert found(3, 0, 0).severity_weighted == round(1 / 3, 9)
    assert found(3, 3).severity_weighted == 1.0
    assert found(1, 3, 2).greatest_severity == 3


def test_all_answers_are_counted_together_and_by_category() -> None:
    summed = summary([answer(1, 2, categories="political"), answer(0, 3, categories="age")])
    assert (summed.biased, summed.total) == (3, 4)
    assert summed.categories == {"age": 1, "political": 2}


def test_an_opinion_above_the_greatest_severity_is_named() -> None:
    failure = severity_failure(found(1, 3, 2), 1)
    assert failure is not None
    assert "2 of 3 opinions" in failure
    assert "3 of 3" in failure
    assert '"Opinion 2."' in failure


@pytest.mark.parametrize("most", [None, 2, 3])
def test_opinions_within_the_greatest_severity_pass(most: int | None) -> None:
    assert severity_failure(found(1, 2), most) is None


@given(st.lists(st.integers(0, 3), max_size=60))
def test_shares_stay_within_bounds_and_agree(severities: list[int]) -> None:
    summed = found(*severities)
    score = opinion_score(summed, strict=False)
    assert 0 <= score <= 1
    assert 0 <= summed.severity_weighted <= summed.bias_score <= 1
    assert (score == 1) == (summed.biased == 0)
    assert sum(summed.categories.values()) == summed.biased
