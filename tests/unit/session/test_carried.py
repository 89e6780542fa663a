"""What the report of a test carries of a case."""

from pytest_content_bias.session.carried import properties
from tests.report_factory import (
    baseline_of,
    make_case,
    make_error,
    make_opinion_score,
    make_result,
    make_score,
)


def test_a_score_is_carried_with_its_parts() -> None:
    assert dict(properties(make_result(make_score(biases=(0.1, None, 0.3))))) == {
        "metric": "content_bias",
        "threshold": 0.8,
        "score": 0.8,
        "bias_one_sided": 0.1,
        "bias_amplify_downplay": "invalid",
        "bias_justify_judge": 0.3,
    }


def test_opinions_are_carried_as_their_share() -> None:
    found = dict(properties(make_result(make_opinion_score())))
    assert found["bias_score"] == 1 / 3


def test_a_baseline_is_carried_as_far_as_it_goes() -> None:
    known = make_result(baseline=baseline_of({"drug-x": (0.0, 0.0, 0.0)}))
    assert dict(properties(known))["baseline_difference"] == -0.1
    unknown = dict(properties(make_result(make_score(make_case("new")), baseline=baseline_of({}))))
    assert unknown["baseline_state"] == "new"
    assert unknown.keys().isdisjoint({"baseline", "baseline_difference"})


def test_an_error_carries_no_score() -> None:
    assert dict(properties(make_error())) == {"metric": "content_bias", "threshold": 0.8}
