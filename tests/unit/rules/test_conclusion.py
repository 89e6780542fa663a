from pytest_content_bias.rules.conclusion import concluded, mean_comparisons
from pytest_content_bias.vocabulary.run import SuiteBars
from tests.report_factory import baseline_of, make_case, make_report, make_result, make_score

ACCEPTED = {f"case-{number}": (0.0, 0.0, 0.0) for number in range(4)}


def test_the_means_of_comparable_cases_are_compared_and_gated() -> None:
    baseline = baseline_of(ACCEPTED)
    scores = [make_score(make_case(name), (0.04, 0.04, 0.04)) for name in ACCEPTED]
    results = [make_result(score, baseline=baseline) for score in scores]
    report = make_report(results, bars=SuiteBars(max_mean_drop=0.01))
    (comparison,) = report.mean_comparisons
    assert (comparison.cases, comparison.mean_drop) == (4, 0.04)
    assert comparison.verdict == "regression"
    assert not report.passed
    assert make_report(results).passed


def test_cases_that_cannot_be_compared_take_no_part_in_the_comparison() -> None:
    baseline = baseline_of(ACCEPTED)
    scores = [make_score(make_case(name), models={"judge": "another"}) for name in ACCEPTED]
    assert mean_comparisons([make_result(score, baseline=baseline) for score in scores]) == ()


def test_a_case_that_ended_its_process_keeps_the_gate_from_passing() -> None:
    report = make_report([make_result()], bars=SuiteBars(crashed=("x.bias.yaml::a::content_bias",)))
    assert not report.passed
    assert "crashes: the process ended while these ran: x.bias.yaml::a::" in report.verdict


def test_concluding_twice_is_concluding_once() -> None:
    report = make_report([make_result()], bars=SuiteBars(min_mean=0.5))
    assert concluded(report) == report
