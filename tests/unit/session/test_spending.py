"""How many calls were replayed and paid, in words."""

from pytest_content_bias.session.spending import spending_lines
from pytest_content_bias.vocabulary.calls import CallRecord, Usage
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.run import CaseResult
from tests.report_factory import (
    make_calls,
    make_case,
    make_error,
    make_report,
    make_result,
    make_score,
)


def case(name: str, *calls: CallRecord) -> CaseResult:
    return make_result(make_score(make_case(name), calls=calls))


def lines(*results: CaseResult, verbosity: int = 0, record: str = "none") -> list[str]:
    return list(spending_lines(make_report(results, record=record), verbosity))


PAID, REPLAYED = make_calls(replayed=False), make_calls()


def test_a_run_without_a_call_says_nothing() -> None:
    assert lines(make_error(), case("a"), verbosity=2, record="missing") == []


def test_a_replay_is_one_line_without_tokens() -> None:
    assert lines(case("a", *REPLAYED), case("b", *REPLAYED)) == ["calls: 18 replayed, 0 paid"]


def test_a_recording_names_each_case_that_made_calls_and_counts_what_was_paid() -> None:
    found = lines(case("a", *PAID), case("b", *REPLAYED, PAID[0]), case("c"), record="missing")
    assert found == [
        "calls: 9 replayed, 10 paid (1000 tokens in, 100 out)",
        "  cases/medicine.bias.yaml::a::content_bias: 0 replayed, 9 paid (900 tokens in, 90 out)",
        "  cases/medicine.bias.yaml::b::content_bias: 9 replayed, 1 paid (100 tokens in, 10 out)",
    ]


def test_each_role_that_was_called_is_named_when_asked_for() -> None:
    judged = [call for call in PAID if call.role is not Role.GENERATOR]
    assert lines(case("a", *judged), verbosity=1)[1:] == [
        "  system: 0 replayed, 3 paid (300 tokens in, 30 out)",
        "  judge: 0 replayed, 3 paid (300 tokens in, 30 out)",
    ]


def test_calls_of_a_case_without_a_score_count() -> None:
    broken = make_error().model_copy(update={"unscored_calls": PAID[:2]})
    assert lines(broken)[0] == "calls: 0 replayed, 2 paid (200 tokens in, 20 out)"


def test_tokens_that_a_provider_did_not_count_are_none() -> None:
    uncounted = CallRecord(
        slot="system/plain",
        role=Role.SYSTEM,
        model="POST /ask",
        replayed=False,
        usage=Usage(),
        latency_ms=1,
    )
    assert lines(case("a", uncounted)) == ["calls: 0 replayed, 1 paid (0 tokens in, 0 out)"]
