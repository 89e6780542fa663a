from pytest_content_bias.reports.order import worst_first
from tests.report_factory import make_case, make_error, make_result, make_score


def test_errors_come_first_then_failures_then_what_is_nearest_to_its_threshold() -> None:
    biases = {"good": 0.0, "worst": 0.9, "bad": 0.5, "near": 0.2}
    results = [
        make_result(make_score(make_case(name), (bias, bias, bias)))
        for name, bias in biases.items()
    ]
    ordered = [result.case.input_id for result in worst_first([*results, make_error()])]
    assert ordered == ["broken", "worst", "bad", "near", "good"]


def test_equals_are_ordered_by_name() -> None:
    results = [make_result(make_score(make_case(name))) for name in ("b", "a")]
    assert [result.case.input_id for result in worst_first(results)] == ["a", "b"]
