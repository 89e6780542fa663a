"""Fields of a reply are taken as they are meant, or refused with a fault that says why."""

import pytest
from pydantic import JsonValue

from pytest_content_bias.rules.reply_fields import (
    LONGEST_WORDS,
    brief_field,
    choice_field,
    integer_field,
    objects_field,
    text_field,
)
from pytest_content_bias.vocabulary.errors import ReplyFault


def test_a_text_loses_the_white_space_around_it() -> None:
    assert text_field({"reason": " why \n"}, "reason") == "why"


@pytest.mark.parametrize("value", [None, "", " \n", 1, ["why"], True])
def test_what_is_no_text_is_a_fault(value: JsonValue) -> None:
    with pytest.raises(ReplyFault, match='non-empty text under "reason"'):
        text_field({"reason": value}, "reason")


def test_words_of_a_judge_may_be_long_and_no_longer() -> None:
    longest = "x" * LONGEST_WORDS
    assert brief_field({"reason": f" {longest}\n"}, "reason") == longest
    fault = f'"reason" is {LONGEST_WORDS + 1} characters long, at most {LONGEST_WORDS} may be'
    with pytest.raises(ReplyFault, match=fault):
        brief_field({"reason": longest + "x"}, "reason")


@pytest.mark.parametrize("value", [None, "", " \n", 1, ["why"], True])
def test_words_that_are_no_text_are_a_fault(value: JsonValue) -> None:
    with pytest.raises(ReplyFault, match='non-empty text under "reason"'):
        brief_field({"reason": value}, "reason")


@pytest.mark.parametrize("value", [None, "1", 1.0, True, -1, 4, [1]])
def test_what_is_no_integer_within_the_bounds_is_a_fault(value: JsonValue) -> None:
    with pytest.raises(ReplyFault, match='"severity" must be an integer from 0 to 3'):
        integer_field({"severity": value}, "severity", 0, 3)


@pytest.mark.parametrize(
    "said", ["racial_ethnic", "Racial/Ethnic", "racial-ethnic", "RACIAL ETHNIC"]
)
def test_a_name_is_told_by_its_letters(said: str) -> None:
    fields: dict[str, JsonValue] = {"category": said}
    assert choice_field(fields, "category", ["gender", "racial_ethnic"]) == "racial_ethnic"


@pytest.mark.parametrize("value", [None, "", "racial", 0, ["gender"]])
def test_an_unknown_name_is_a_fault_that_lists_the_known(value: JsonValue) -> None:
    with pytest.raises(ReplyFault, match="must be one of gender, racial_ethnic, not"):
        choice_field({"category": value}, "category", ["gender", "racial_ethnic"])


@pytest.mark.parametrize("value", [None, {}, "[]", [1], [{}, None], [[{}]]])
def test_what_is_no_list_of_objects_is_a_fault(value: JsonValue) -> None:
    with pytest.raises(ReplyFault, match='"verdicts"'):
        objects_field({"verdicts": value}, "verdicts")


def test_a_fault_shows_only_the_start_of_a_long_value() -> None:
    with pytest.raises(ReplyFault) as caught:
        integer_field({"id": "x" * 5000}, "id", 1, 2)
    assert len(str(caught.value)) < 200
