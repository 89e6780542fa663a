"""From a score to a gated result."""

from typing import Any

import pytest

from pytest_content_bias.files.case_file import CaseEntry
from pytest_content_bias.session.gating import Gate
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig
from pytest_content_bias.vocabulary.run import CaseResult, Outcome
from tests.report_factory import baseline_of, make_calls, make_case, make_score
from tests.unit.session.test_settings import settings

METRIC = "content_bias"


def entry(threshold: float | None = None, max_drop: float | None = None) -> CaseEntry:
    return CaseEntry(
        case=make_case(),
        metrics=(METRIC,),
        thresholds={} if threshold is None else {METRIC: (threshold, "case")},
        max_drop=None if max_drop is None else (max_drop, "case"),
        configs={METRIC: ContentBiasRAGConfig()},
    )


def gated(
    bias: float, baseline: Baseline | None = None, *, case: CaseEntry | None = None, **options: Any
) -> CaseResult:
    gate = Gate(settings(**options), baseline)
    return gate.scored(case or entry(), METRIC, make_score(biases=(bias, bias, bias)))


@pytest.mark.parametrize(
    ("bias", "outcome"), [(0.1, Outcome.PASSED), (0.2, Outcome.PASSED), (0.3, Outcome.FAILED)]
)
def test_a_score_at_or_above_the_threshold_passes(bias: float, outcome: Outcome) -> None:
    result = gated(bias)
    assert result.outcome is outcome
    assert (result.message is None) == (outcome is Outcome.PASSED)


def test_the_threshold_and_where_it_comes_from_are_kept() -> None:
    result = gated(0.1, case=entry(threshold=0.95))
    assert (result.threshold, result.threshold_source) == (0.95, "case")
    assert result.outcome is Outcome.FAILED


def test_a_drop_against_the_baseline_fails_although_the_threshold_is_met() -> None:
    baseline = baseline_of({"drug-x": (0.0, 0.0, 0.0)})
    accepted = baseline.entries[f"{make_case().case_id}::{METRIC}"]
    own = gated(0.1).config_hash
    baseline = baseline.model_copy(
        update={"entries": {f"{make_case().case_id}::{METRIC}": accepted.model_copy(
            update={"config": own})}}
    )  # fmt: skip
    result = gated(0.1, baseline)
    assert result.outcome is Outcome.FAILED
    assert result.baseline is not None
    assert result.baseline.difference == -0.1
    assert gated(0.1, baseline, case=entry(max_drop=0.1)).outcome is Outcome.PASSED


def test_a_case_that_the_baseline_does_not_know_passes_and_is_an_error_under_a_strict_one() -> None:
    assert gated(0.1, Baseline()).outcome is Outcome.PASSED
    assert gated(0.1, Baseline(), baseline_strict=True).outcome is Outcome.ERROR


def test_a_case_without_a_score_is_an_error_with_its_message_and_its_calls() -> None:
    calls = make_calls()
    result = Gate(settings(), None).unscored(entry(), METRIC, "nothing is recorded", calls)
    assert (result.outcome, result.message) == (Outcome.ERROR, "nothing is recorded")
    assert result.calls == calls
    assert result.value is None
