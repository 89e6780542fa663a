from pytest_content_bias.reports.calls import CallTotals, call_totals
from pytest_content_bias.vocabulary.names import Role
from tests.report_factory import make_calls, make_error, make_opinion_score, make_result, make_score


def test_calls_and_tokens_add_up_by_role() -> None:
    totals = call_totals([make_result(), make_error()])
    assert totals[Role.JUDGE] == CallTotals(0, 3, 300, 30)
    assert list(totals) == list(Role)


def test_calls_that_two_metrics_of_a_case_share_count_once_and_as_paid() -> None:
    paid = make_result(make_score(calls=make_calls(replayed=False)))
    shared = make_result(make_opinion_score())
    for results in ([paid, shared], [shared, paid]):
        assert call_totals(results)[Role.SYSTEM] == CallTotals(3, 0, 300, 30)


def test_calls_of_a_case_that_ended_without_a_score_count() -> None:
    broken = make_error().model_copy(update={"unscored_calls": make_calls(replayed=False)})
    assert call_totals([broken])[Role.GENERATOR] == CallTotals(3, 0, 300, 30)


def test_asking_a_slot_again_counts_again() -> None:
    calls = make_calls()
    twice = make_result(make_score(calls=(*calls, calls[-1])))
    assert call_totals([twice])[Role.JUDGE].replayed == 4
