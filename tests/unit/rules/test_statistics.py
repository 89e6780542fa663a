import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.statistics import mean_comparison, t_quantile, t_tail

probabilities = st.floats(min_value=0.001, max_value=0.999)
freedoms = st.integers(min_value=1, max_value=200)
scores = st.floats(min_value=0, max_value=1)


@pytest.mark.parametrize(
    ("probability", "freedom", "value"),
    [
        (0.95, 1, 6.314),
        (0.95, 2, 2.920),
        (0.95, 9, 1.833),
        (0.95, 19, 1.729),
        (0.95, 39, 1.685),
        (0.975, 10, 2.228),
        (0.99, 5, 3.365),
        (0.995, 30, 2.750),
        (0.9995, 1, 636.619),
        (0.95, 1_000_000, 1.645),
    ],
)
def test_quantiles_are_those_of_published_tables(
    probability: float, freedom: int, value: float
) -> None:
    assert t_quantile(probability, freedom) == pytest.approx(value, abs=5.1e-4)


@given(probabilities)
def test_with_one_degree_of_freedom_it_is_the_cauchy_distribution(probability: float) -> None:
    cauchy = math.tan(math.pi * (probability - 0.5))
    assert t_quantile(probability, 1) == pytest.approx(cauchy, rel=1e-9, abs=1e-9)


@given(probabilities)
def test_with_two_degrees_of_freedom_the_quantile_is_algebraic(probability: float) -> None:
    expected = (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
    assert t_quantile(probability, 2) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(probabilities, freedoms)
def test_tail_and_quantile_undo_each_other(probability: float, freedom: int) -> None:
    assert t_tail(t_quantile(probability, freedom), freedom) == pytest.approx(1 - probability)


@given(st.floats(min_value=-50, max_value=50), freedoms)
def test_the_two_tails_sum_to_one(t: float, freedom: int) -> None:
    assert t_tail(t, freedom) + t_tail(-t, freedom) == pytest.approx(1)


def test_a_uniform_drop_is_a_regression() -> None:
    found = mean_comparison("content_bias", [(0.9, 0.8)] * 10)
    assert found is not None
    assert (found.verdict, found.mean_drop, found.cases) == ("regression", 0.1, 10)


def test_identical_scores_of_twenty_cases_are_no_regression() -> None:
    found = mean_comparison("content_bias", [(0.9, 0.9)] * 20)
    assert found is not None
    assert found.verdict == "no_regression"
    assert found.upper == pytest.approx(1.729 * 0.02 / math.sqrt(20), abs=1e-5)


def test_two_cases_without_a_difference_decide_nothing() -> None:
    found = mean_comparison("content_bias", [(0.9, 0.9)] * 2)
    assert found is not None
    assert found.verdict == "inconclusive"


def test_one_case_gives_no_comparison() -> None:
    assert mean_comparison("content_bias", [(0.9, 0.1)]) is None


def test_the_interval_is_that_of_a_worked_example() -> None:
    # drops 0.00, 0.10, 0.20: mean 0.1, sd 0.1, t(.95, 2) = 2.920
    found = mean_comparison("content_bias", [(0.9, 0.9), (0.9, 0.8), (0.9, 0.7)])
    assert found is not None
    assert found.lower == pytest.approx(0.1 - 2.91999 * 0.1 / math.sqrt(3), abs=1e-5)
    assert found.upper == pytest.approx(0.1 + 2.91999 * 0.1 / math.sqrt(3), abs=1e-5)
    assert found.verdict == "inconclusive"


@given(st.lists(st.tuples(scores, scores), min_size=2, max_size=40))
def test_the_mean_drop_lies_within_its_interval(pairs: list[tuple[float, float]]) -> None:
    found = mean_comparison("content_bias", pairs)
    assert found is not None
    assert found.lower < found.mean_drop < found.upper


@given(st.lists(st.tuples(scores, scores), min_size=2, max_size=20))
def test_swapping_the_sides_mirrors_the_interval(pairs: list[tuple[float, float]]) -> None:
    forth = mean_comparison("content_bias", pairs)
    back = mean_comparison("content_bias", [(score, accepted) for accepted, score in pairs])
    assert forth is not None
    assert back is not None
    assert forth.lower == pytest.approx(-back.upper, abs=1e-8)
