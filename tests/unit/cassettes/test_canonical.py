"""The key of a call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical, key_of
from pytest_content_bias.vocabulary.errors import CassetteError


@given(
    st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(), min_size=2)
)
def test_the_order_of_keys_does_not_count(value: dict[str, JsonValue]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (1, True), (0, False), (0.0, -0.0), ("1", 1), (None, "null"), ([1, 2], [2, 1])],
)
def test_values_that_python_or_readers_confuse_have_different_texts(
    one: JsonValue, other: JsonValue
) -> None:
    assert canonical(one) != canonical(other)


def test_composed_and_decomposed_characters_differ() -> None:
    assert canonical("\u00e9") != canonical("e\u0301")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "half \ud83d pair", {"\udc00": 1}])
def test_what_has_no_json_text_is_an_error_and_never_a_match(value: JsonValue) -> None:
    with pytest.raises(CassetteError, match="not JSON text"):
        canonical(value)


def test_a_value_nested_beyond_all_bounds_is_an_error() -> None:
    value: JsonValue = []
    for _ in range(100_000):
        value = [value]

    with pytest.raises(CassetteError):
        canonical(value)


def test_the_key_is_the_sha256_of_the_text() -> None:
    text = canonical({})

    assert text == "{}"
    assert key_of(text) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
