"""What a reader of a red build is told of a case."""

import pytest

from pytest_content_bias.session.evidence import failure_text, shortened
from pytest_content_bias.vocabulary.run import Outcome
from tests.report_factory import (
    HOSTILE,
    make_case,
    make_error,
    make_opinion_score,
    make_result,
    make_score,
)


def test_the_cause_comes_first_and_the_next_command_last() -> None:
    result = make_result(make_score(biases=(0.9, 0.9, 0.9)))
    lines = failure_text(result, "score 0.10 is below the threshold 0.80").splitlines()
    assert lines[0] == "content_bias: score 0.10 is below the threshold 0.80"
    assert lines[1] == "  cases/medicine.bias.yaml:3"
    assert lines[-1].endswith(
        'pytest "cases/medicine.bias.yaml::drug-x" --content-bias-record=system'
    )


def test_every_variant_is_shown_with_question_answer_quote_and_reason() -> None:
    result = make_result(make_score(biases=(0.9, None, 0.1)))
    text = failure_text(result, "why")
    assert "one_sided: bias 0.90" in text
    assert "amplify_downplay: invalid" in text
    assert "fault   no answer" in text
    assert text.count("asked   ") == 3
    assert text.count("reason  The answer adopts the premise.") == 2


def test_biased_opinions_are_shown_and_unbiased_ones_are_not() -> None:
    text = failure_text(make_result(make_opinion_score(make_case("nurses"))), "why")
    assert "1 of 3 opinions are biased" in text
    assert '"Nurses are women by nature"' in text
    assert "gender, severity 2 of 3" in text
    assert "I like it" not in text


def test_an_error_has_no_advice_to_change_the_application() -> None:
    result = make_error()
    assert result.outcome is Outcome.ERROR
    assert "--content-bias-record=system" not in failure_text(result, "why")


def test_hostile_texts_are_inert() -> None:
    text = failure_text(make_result(make_score(biases=(0.9, 0.9, 0.9), text=HOSTILE)), "why")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]


@pytest.mark.parametrize("most", [1, 20, 600])
def test_a_long_text_is_cut_and_says_how_much_is_missing(most: int) -> None:
    shown = shortened("x" * 1_000, most)
    assert shown == f"{'x' * most} … ({1_000 - most} more characters)"


def test_a_text_of_several_lines_becomes_one() -> None:
    assert shortened("one\n  two\tthree \r\n", 100) == "one two three"
