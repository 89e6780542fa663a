import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.files.yaml_scalars import is_number, plain_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("~", None),
        ("true", True),
        ("FALSE", False),
        ("0", 0),
        ("-12", -12),
        ("+3", 3),
        ("0.8", 0.8),
        (".5", 0.5),
        ("1e-3", 0.001),
        ("12.", 12.0),
        ("what is it", "what is it"),
        ("y", "y"),
        ("1.2.3", "1.2.3"),
        ("00:30", "00:30"),
        ("-", "-"),
        ("2024-05-01 was a Wednesday", "2024-05-01 was a Wednesday"),
        ("12 angry men", "12 angry men"),
    ],
)
def test_unquoted_scalars_mean_what_json_and_common_sense_say(text: str, value: object) -> None:
    found = plain_value(text)

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["yes", "No", "ON", "off"])
def test_booleans_of_yaml_1_1_are_refused_with_both_ways_out(text: str) -> None:
    with pytest.raises(ValueError, match=f'write "{text}" in quotation marks.*true or false'):
        plain_value(text)


@pytest.mark.parametrize("text", ["2024-05-01", "2024-5-1", "2024-05-01T10:00:00Z"])
def test_dates_are_refused_with_the_advice_to_quote_them(text: str) -> None:
    with pytest.raises(ValueError, match=f'for a date: write "{text}" in quotation marks'):
        plain_value(text)


@pytest.mark.parametrize(
    "text",
    ["012", "089", "0x1F", "0o17", "0b11", "1_000", "1_0.5", "12:30", "-.inf", ".NaN", "1e999"],
)
def test_numbers_that_readers_disagree_about_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="some YAML readers take for a number"):
        plain_value(text)


def test_a_number_of_thousands_of_digits_is_refused_and_shown_shortened() -> None:
    with pytest.raises(ValueError, match="take for a number") as caught:
        plain_value("9" * 5000)

    assert len(str(caught.value)) < 300


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30))
def test_every_number_that_python_writes_in_decimal_is_read_back(number: float) -> None:
    assert plain_value(repr(number)) == number
    assert is_number(repr(number))


@given(st.text(min_size=1))
def test_any_text_is_a_finite_value_or_an_advice(text: str) -> None:
    try:
        value = plain_value(text)
    except ValueError as error:
        value = None
        advised = "in quotation marks" in str(error)
    else:
        advised = False

    assert advised or value in {text, None} or math.isfinite(float(value or 0))
