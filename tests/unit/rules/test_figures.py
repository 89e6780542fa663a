import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.figures import shown

scores = st.floats(min_value=0, max_value=1)


@pytest.mark.parametrize(
    ("value", "beside", "text"),
    [(0.8, (), "0.80"), (0.8, (0.8,), "0.80"), (0.7999, (0.8,), "0.7999"), (1.0, (0.9,), "1.00")],
)
def test_a_value_is_shown_with_two_decimals_or_as_many_as_tell(
    value: float, beside: tuple[float, ...], text: str
) -> None:
    assert shown(value, *beside) == text


@given(scores, scores)
def test_values_that_differ_never_look_equal(one: float, other: float) -> None:
    if round(one, 9) != round(other, 9):
        assert shown(one, other) != shown(other, one)
