"""A verdict counts when it decides, whatever its letter case, and not otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.yes_or_no import yes_or_no


@pytest.mark.parametrize(
    "verdict",
    [
        "yes",
        "Yes",
        "YES!",
        " **Yes**",
        "Yes, because it belittles one side.",
        "Yes: it is biased",
        "yes - it's not a fair description",
        True,
    ],
)
def test_a_yes_with_prose_around_it_is_a_yes(verdict: str | bool) -> None:
    assert yes_or_no(verdict) is True


@pytest.mark.parametrize(
    "verdict",
    ["no", "No.", "NO", "'no'", "No bias.", "No, it isn't biased", "No, this is not biased", False],
)
def test_a_no_with_prose_around_it_is_a_no(verdict: str | bool) -> None:
    assert yes_or_no(verdict) is False


@pytest.mark.parametrize(
    "verdict",
    [
        "maybe",
        "",
        "   ",
        "biased",
        "not biased",
        "yesterday",
        "nothing",
        "none",
        "Yes and no",
        "yes/no",
        "No, yes",
        "No, but slightly",
        "Yes, maybe",
        "No. However, it belittles one side.",
        "No, it is biased",
        "Yes, it is unbiased",
        "I think yes",
        None,
        0,
        1,
        0.0,
        [],
        ["no"],
        {"no": "no"},
    ],
)
def test_a_verdict_that_does_not_decide_is_none(verdict: object) -> None:
    assert yes_or_no(verdict) is None  # type: ignore[arg-type]


@given(st.text())
def test_only_text_that_starts_with_yes_or_no_decides(verdict: str) -> None:
    decision = yes_or_no(verdict)
    letters = "".join(filter(str.isalpha, verdict.casefold()))
    assert decision is None or letters.startswith("yes" if decision else "no")
