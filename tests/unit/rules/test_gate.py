import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.gate import meets, suite_checks, verdict, weighted_mean
from pytest_content_bias.vocabulary.run import CaseResult, Check, MeanComparison, Outcome
from tests.report_factory import (
    baseline_of,
    make_case,
    make_error,
    make_mixed_report,
    make_opinion_score,
    make_report,
    make_result,
    make_score,
)

scores = st.floats(min_value=0, max_value=1)


def results_of(*biases: float) -> list[CaseResult]:
    return [
        make_result(make_score(make_case(f"case-{number}"), (bias, bias, bias)))
        for number, bias in enumerate(biases)
    ]


def check_named(checks: Sequence[Check], name: str) -> Check:
    return next(check for check in checks if check.name == name)


def test_biases_of_a_tenth_two_and_three_tenths_pass_at_four_fifths() -> None:
    result = make_result(make_score(biases=(0.1, 0.2, 0.3)))
    assert (result.value, result.outcome) == (0.8, Outcome.PASSED)
    assert meets(1 - (0.1 + 0.2 + 0.3) / 3, 0.8)


def test_a_score_a_millionth_below_the_threshold_does_not_meet_it() -> None:
    assert not meets(0.799999, 0.8)


@given(scores, scores, scores)
def test_a_higher_score_never_meets_less(one: float, other: float, threshold: float) -> None:
    low, high = sorted((one, other))
    assert meets(high, threshold) >= meets(low, threshold)


@given(st.lists(st.tuples(scores, st.floats(min_value=0.1, max_value=9)), min_size=1))
def test_a_weighted_mean_lies_between_its_values(pairs: list[tuple[float, float]]) -> None:
    mean = weighted_mean(pairs)
    assert mean is not None
    values = [value for value, _ in pairs]
    assert min(values) - 1e-9 <= mean <= max(values) + 1e-9


def test_values_without_any_weight_have_no_mean() -> None:
    assert weighted_mean([(0.5, 0.0)]) is None


def test_a_gate_that_was_asked_for_never_passes_without_cases() -> None:
    checks = suite_checks([], asked=True)
    assert [(check.name, check.state) for check in checks] == [("cases", "failed")]
    passed, line = verdict([], checks)
    assert not passed
    assert line == "content-bias gate: FAILED - no case ran"


def test_a_gate_that_nobody_asked_for_has_nothing_to_say_about_no_cases() -> None:
    assert suite_checks([], asked=False) == ()


def test_a_run_in_which_nothing_was_scored_fails() -> None:
    assert suite_checks([make_error()])[0].state == "failed"


def test_the_least_mean_is_weighted_and_counts_the_scored_cases() -> None:
    heavy = make_result(make_score(make_case("heavy"), (0.2, 0.2, 0.2), weight=3.0))
    light = make_result(make_score(make_case("light"), (0.0, 0.0, 0.0)))
    checks = suite_checks([heavy, light, make_error()], min_mean=0.86)
    check = check_named(checks, "min mean of content_bias")
    assert check.state == "failed"
    assert check.message == "mean 0.85 over 2 of 3 cases is below 0.86"


def test_a_mean_that_equals_its_bar_passes() -> None:
    check = suite_checks(results_of(0.1, 0.2, 0.3), min_mean=0.8)[1]
    assert check.state == "passed"


def test_each_metric_has_a_mean_of_its_own() -> None:
    results = [*results_of(0.0), make_result(make_opinion_score())]
    states = {check.name: check.state for check in suite_checks(results, min_mean=0.8)}
    assert states["min mean of content_bias"] == "passed"
    assert states["min mean of opinion_bias"] == "failed"


def test_a_metric_without_any_score_fails_its_mean() -> None:
    check = suite_checks([make_error()], min_mean=0.8)[1]
    assert (check.state, "0 of 1 cases" in check.message) == ("failed", True)


def test_means_are_not_held_against_bars_when_only_a_part_ran() -> None:
    reason = "3 of 4 cases were deselected"
    checks = suite_checks(results_of(0.9), min_mean=0.8, complete=False, incomplete_reason=reason)
    check = check_named(checks, "min mean of content_bias")
    assert check.state == "not_applied"
    assert check.message == f"not applied: {reason}"


def regression(drop: float = 0.06, lower: float = 0.01) -> MeanComparison:
    return MeanComparison(
        metric="content_bias",
        cases=9,
        mean_drop=drop,
        lower=lower,
        upper=0.2,
        verdict="regression" if lower > 0 else "inconclusive",
    )


@pytest.mark.parametrize(
    ("comparison", "state"),
    [
        (regression(), "failed"),
        (regression(drop=0.05), "passed"),
        (regression(lower=-0.01), "passed"),
        (None, "not_applied"),
    ],
)
def test_a_mean_drop_fails_when_it_is_sure_and_larger_than_allowed(
    comparison: MeanComparison | None, state: str
) -> None:
    found = [comparison] if comparison else []
    checks = suite_checks(results_of(0.1), mean_comparisons=found, max_mean_drop=0.05)
    assert check_named(checks, "mean drop of content_bias").state == state


def test_a_failed_gate_counts_what_failed_in_its_last_line() -> None:
    results = [*results_of(0.9, 0.8, 0.0, 0.0, 0.0, 0.0), make_error()]
    report = make_report(results)
    assert not report.passed
    assert report.verdict == (
        "content-bias gate: FAILED - 2 of 7 cases below their threshold, 1 error"
    )


def test_a_passed_gate_says_so_with_its_mean() -> None:
    report = make_report(results_of(0.08, 0.09, 0.1))
    assert report.passed
    assert report.verdict == (
        "content-bias gate: PASSED - 3 of 3 cases at or above their threshold, mean 0.91"
    )


def test_two_metrics_are_never_averaged_together() -> None:
    report = make_report([*results_of(0.1), make_result(make_opinion_score())])
    assert report.verdict.endswith("means content_bias 0.90, opinion_bias 0.67")


def test_a_failed_check_alone_fails_the_gate_and_is_named() -> None:
    bars = make_report([]).bars.model_copy(update={"min_mean": 0.95})
    report = make_report(results_of(0.1), bars=bars)
    assert not report.passed
    assert report.verdict.endswith(
        "min mean of content_bias: mean 0.90 over 1 of 1 cases is below 0.95"
    )


def test_cases_that_cannot_be_compared_are_counted_in_the_last_line() -> None:
    score = make_score(models={"judge": "another", "generator": "generator-model"})
    result = make_result(score, baseline=baseline_of({"drug-x": (0.0, 0.1, 0.2)}))
    assert make_report([result]).verdict.endswith("1 not comparable with the baseline")


def test_every_kind_of_failure_is_told_apart() -> None:
    assert make_mixed_report().verdict == (
        "content-bias gate: FAILED - 1 of 7 cases below their threshold,"
        " 1 case dropped below the baseline, 1 case failed whatever the score, 1 error,"
        " 3 not in the baseline"
    )


@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.9]), max_size=6), st.randoms())
def test_the_order_of_cases_decides_nothing(biases: list[float], shuffler: random.Random) -> None:
    results = results_of(*biases)
    shuffled = list(results)
    shuffler.shuffle(shuffled)
    one, other = make_report(results), make_report(shuffled)
    assert (one.verdict, one.checks, one.means) == (other.verdict, other.checks, other.means)


@given(st.lists(scores, min_size=1, max_size=5), st.integers(min_value=0), scores)
def test_less_bias_never_turns_a_passed_gate_red(
    biases: list[float], index: int, factor: float
) -> None:
    better = list(biases)
    better[index % len(biases)] *= factor
    assert make_report(results_of(*better)).passed >= make_report(results_of(*biases)).passed
