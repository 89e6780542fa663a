import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.files.environment import interpolate


def test_a_variable_is_replaced_by_its_value() -> None:
    result = interpolate("a ${X} b", {"X": "1 ${Y} $$"})

    assert result.text == "a 1 ${Y} $$ b"
    assert result.used == ("X",)
    assert result.changed


def test_a_default_stands_in_for_an_unset_and_for_an_empty_variable() -> None:
    assert interpolate("${X:-a:-b}", {}).text == "a:-b"
    assert interpolate("${X:-d}", {"X": ""}).text == "d"
    assert interpolate("${X:-}", {}).missing == ()


def test_a_default_is_not_a_value_of_the_environment() -> None:
    assert interpolate("${X:-d}", {}).used == ()


@pytest.mark.parametrize("environ", [{}, {"X": ""}])
def test_a_variable_without_value_and_default_is_missing(environ: dict[str, str]) -> None:
    result = interpolate("a${X}b", environ)

    assert result.missing == ("X",)
    assert result.text == "ab"


def test_two_dollars_are_one_and_a_dollar_alone_is_itself() -> None:
    result = interpolate("$$5, $5, $X, $${X}, a$", {"X": "1"})

    assert result.text == "$5, $5, $X, ${X}, a$"
    assert not result.changed


@pytest.mark.parametrize("text", ["${", "${}", "${1A}", "${A", "${A-b}", "${A:-${B}}", "${A:-{}}"])
def test_what_begins_like_a_variable_and_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"begins no variable: expected \$\{NAME\}"):
        interpolate(f"x {text}", {"A": "1"})


@given(st.text())
def test_text_with_doubled_dollars_comes_out_as_it_was(text: str) -> None:
    assert interpolate(text.replace("$", "$$"), {}).text == text
