import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from pytest_content_bias.rules.json_reply import parse_object
from pytest_content_bias.vocabulary.errors import ReplyFault

VALUES = st.recursive(
    st.none() | st.integers() | st.text('ab"{}[]\\\n', max_size=9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("ab{", max_size=2), inner),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.text("abc", min_size=1), VALUES, min_size=1)
PROSE = st.text("Sure, here: it is. \n[1]", max_size=20).map(lambda text: text.rstrip("["))


@given(OBJECTS, PROSE)
def test_an_object_is_found_in_a_fence_and_between_prose(
    value: dict[str, JsonValue], prose: str
) -> None:
    text = json.dumps(value)
    assert parse_object(text) == value
    assert parse_object(f"{prose}\n```json\n{text}\n```\n{prose}.") == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"level": 3}', {"level": 3}),
        ('Level {as asked}: {"level": 3}', {"level": 3}),
        ('<think>{"level": 9}? No.</think>\n{"level": 3}', {"level": 3}),
        ('{"reason": "two\nlines"}', {"reason": "two\nlines"}),
        ("{}", {}),
    ],
)
def test_usual_disorder_is_passed_over(reply: str, value: dict[str, JsonValue]) -> None:
    assert parse_object(reply) == value


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("The answer is fair.", "no JSON object"),
        ("3", "no JSON object"),
        ('"level"', "no JSON object"),
        ("<!DOCTYPE html><html>{}</html>", "HTML"),
        ("<html><script>var a = {};</script></html>", "HTML"),
        ('{"level": 3', "broken"),
        ('{"level": 3,}', "broken"),
        ("{'level': 3}", "no JSON object"),
        ('{"verdict": {"level": 0}, oops', "broken"),
        ('{"level": 3} or rather {"level": 0}', "more than one"),
        ('[{"level": 3}]', "part of something else"),
        ('"verdict": {"level": 3}', "part of something else"),
        ('{ {"level": 3}', "part of something else"),
        ('{"level": 3}}', "part of something else"),
        ('{"level": 3, "level": 0}', '"level" stands twice'),
        ('{"a": {"level": 3, "level": 3}}', '"level" stands twice'),
        ('{"level": NaN}', "finite"),
        ('{"level": -Infinity}', "finite"),
        ('{"level": 1e999}', "finite"),
        ('{"level": ' + "9" * 5000 + "}", "100 digits"),
        ('{"quote": "\\ud83d"}', "surrogate"),
        ('{"a": ' * 100_000, "broken|nested"),
    ],
)
def test_what_can_be_read_in_no_way_or_in_two_is_a_fault(reply: str, fault: str) -> None:
    with pytest.raises(ReplyFault, match=fault):
        parse_object(reply)


@given(st.text('{}[]":,a1 \n<'))
def test_a_reply_is_an_object_or_a_fault(reply: str) -> None:
    with contextlib.suppress(ReplyFault):
        assert isinstance(parse_object(reply), dict)
