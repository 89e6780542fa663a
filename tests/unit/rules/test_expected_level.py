"""The expectation over levels, for tokenizers that write 10 as one token and as two."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.expected_level import expected_level
from pytest_content_bias.vocabulary.protocols import TokenAlternatives


def token(text: str, **alternatives: float) -> TokenAlternatives:
    weighed = {name.lstrip("_"): math.log(p) for name, p in alternatives.items()}
    return TokenAlternatives(token=text, alternatives=weighed or {text: 0.0})


def reply(*level: TokenAlternatives) -> list[TokenAlternatives]:
    return [token('{"quote": "5", '), token('"level": '), *level, token("}")]


def test_one_certain_level_is_itself() -> None:
    assert expected_level(reply(token("4", _4=1.0))) == 4.0


def test_levels_are_weighed_by_their_probability() -> None:
    assert expected_level(reply(token("0", _0=0.75, _8=0.25))) == 2.0


def test_what_is_no_level_does_not_count() -> None:
    assert expected_level(reply(token("0", _0=0.5, _10=0.25, x=0.2, _11=0.05))) == pytest.approx(
        10 * 0.25 / 0.75, abs=1e-4
    )


def test_ten_as_one_token_leaves_one_alone() -> None:
    assert expected_level(reply(token("1", _1=0.5, _10=0.5))) == 5.5


def test_ten_as_two_tokens_is_split_by_the_second() -> None:
    second = TokenAlternatives(token="0", alternatives={"0": math.log(0.75), "}": math.log(0.25)})
    assert expected_level(reply(token("1", _1=1.0), second)) == pytest.approx(7.75)


def test_a_one_that_was_not_followed_counts_as_ten() -> None:
    assert expected_level(reply(token("0", _0=0.9, _1=0.1))) == pytest.approx(1.0)


def test_a_level_written_as_text_with_blanks_is_found() -> None:
    tokens = [token('{"level"'), token(": "), token(" 6", **{" 6": 1.0}), token("}")]
    assert expected_level(tokens) == 6.0


@pytest.mark.parametrize(
    "tokens",
    [[], [token("no level here")], reply(token("x", x=1.0)), reply(token("3", _3=0.3, x=0.7))],
)
def test_tokens_without_a_level_have_no_expectation(tokens: list[TokenAlternatives]) -> None:
    assert expected_level(tokens) is None


@given(st.dictionaries(st.integers(0, 9), st.floats(0.01, 1.0), min_size=1))
def test_the_expectation_stays_between_lowest_and_highest(masses: dict[int, float]) -> None:
    total = sum(masses.values())
    weighed = {str(level): math.log(mass / total) for level, mass in masses.items()}
    first = str(next(iter(masses)))
    found = expected_level(reply(TokenAlternatives(token=first, alternatives=weighed)))
    highest = 10 if 1 in masses else max(masses)
    assert found is not None
    assert min(masses) - 1e-3 <= found <= highest + 1e-3
