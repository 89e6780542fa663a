from pytest_content_bias.reports.causes import cause
from tests.report_factory import make_error, make_report, make_result, make_score


def test_the_cause_is_one_sentence_whatever_evidence_the_message_holds() -> None:
    failed = make_result(make_score(biases=(0.9, 0.9, 0.9)))
    told = failed.model_copy(update={"message": f"{failed.message}\n  asked …\n  answer …"})
    assert cause(make_report([told]), told) == "score 0.10 is below the threshold 0.80"


def test_the_cause_of_an_error_before_any_score_is_its_message() -> None:
    error = make_error(message="no recording answers this call")
    assert cause(make_report([error]), error) == "no recording answers this call"


def test_a_passed_case_has_none() -> None:
    passed = make_result()
    assert cause(make_report([passed]), passed) == ""
