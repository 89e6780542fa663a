import pytest

from pytest_content_bias.reports.regate import regate
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.run import Outcome
from tests.report_factory import (
    make_error,
    make_mixed_report,
    make_opinion_score,
    make_report,
    make_result,
)


def test_a_higher_bar_fails_what_passed_without_any_call() -> None:
    stored = make_report([make_result()])
    gated = regate(stored, {"": 0.95})
    assert (stored.passed, gated.passed) == (True, False)
    assert gated.results[0].message == "score 0.90 is below the threshold 0.95"
    assert gated.results[0].threshold_source == "--threshold"


def test_a_lower_bar_passes_what_failed() -> None:
    assert regate(make_report([make_result(threshold=0.95)]), {"content_bias": 0.5}).passed


def test_only_the_named_metric_is_gated_anew() -> None:
    stored = make_report([make_result(), make_result(make_opinion_score())])
    gated = regate(stored, {"opinion_bias": 0.9})
    assert [result.outcome for result in gated.results] == [Outcome.PASSED, Outcome.FAILED]


def test_errors_refusals_and_drops_stay_what_they_are() -> None:
    gated = regate(make_mixed_report(), {"": 0.0})
    outcomes = {result.case.input_id: result.outcome for result in gated.results}
    assert outcomes["broken"] is Outcome.ERROR
    assert outcomes["refused"] is Outcome.FAILED
    assert outcomes["dropped"] is Outcome.FAILED
    assert outcomes["low"] is Outcome.PASSED


def test_an_error_without_a_score_never_passes() -> None:
    assert not regate(make_report([make_result(), make_error()]), {"": 0.0}).passed


def test_a_metric_that_the_run_does_not_have_is_refused() -> None:
    with pytest.raises(SettingsError, match="no case of metric toxicity; it has content_bias"):
        regate(make_report([make_result()]), {"toxicity": 0.5})
