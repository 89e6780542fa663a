from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.vocabulary.run import BaselineComparison, Outcome
from tests.report_factory import baseline_of, make_case, make_result, make_score


def test_a_drop_of_six_hundredths_fails_above_the_threshold_with_both_numbers() -> None:
    baseline = baseline_of({"drug-x": (0.0, 0.0, 0.06)})
    result = make_result(make_score(biases=(0.0, 0.1, 0.14)), baseline=baseline)
    assert result.outcome is Outcome.FAILED
    assert result.message == (
        "score 0.92 is 0.06 below the accepted score 0.98; the greatest drop that passes is 0.05"
    )


def test_a_drop_of_exactly_the_greatest_one_passes() -> None:
    baseline = baseline_of({"drug-x": (0.0, 0.03, 0.03)})
    result = make_result(make_score(biases=(0.07, 0.07, 0.07)), baseline=baseline)
    assert (result.value, result.outcome) == (0.93, Outcome.PASSED)


def test_numbers_that_decided_are_never_shown_as_equal() -> None:
    outcome, message = case_outcome(make_score(value=0.79999), 0.8)
    assert outcome is Outcome.FAILED
    assert message == "score 0.79999 is below the threshold 0.80000"


def test_a_case_below_its_threshold_that_also_dropped_says_both() -> None:
    baseline = baseline_of({"drug-x": (0.0, 0.0, 0.0)})
    result = make_result(make_score(biases=(0.5, 0.5, 0.5)), baseline=baseline)
    assert result.message is not None
    assert "below the threshold" in result.message
    assert "below the accepted score" in result.message


def test_a_refusal_is_a_failure_and_a_broken_measurement_an_error() -> None:
    refused = make_score(value=None, failure="the system gave no answer")
    unscored = make_score(value=None, error="2 of 3 variants are invalid")
    assert case_outcome(refused, 0.8) == (Outcome.FAILED, "the system gave no answer")
    assert case_outcome(unscored, 0.8) == (Outcome.ERROR, "2 of 3 variants are invalid")


def test_no_score_and_no_reason_is_an_error() -> None:
    assert case_outcome(make_score(value=None), 0.8)[0] is Outcome.ERROR


def test_a_strict_baseline_makes_an_error_of_what_it_cannot_compare() -> None:
    score = make_score(make_case("unknown"))
    new = BaselineComparison(state="new", max_drop=0.05)
    changed = BaselineComparison(state="not_comparable", changed=("judge model (a to b)",))
    assert case_outcome(score, 0.8, new)[0] is Outcome.PASSED
    assert case_outcome(score, 0.8, new, strict=True)[0] is Outcome.ERROR
    outcome, message = case_outcome(score, 0.8, changed, strict=True)
    assert outcome is Outcome.ERROR
    assert message is not None
    assert "judge model (a to b)" in message
