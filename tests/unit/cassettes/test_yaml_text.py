"""JSON values as YAML that people can review."""

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical
from pytest_content_bias.cassettes.yaml_text import yaml_scalar, yaml_text

LOADERS = [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)]

whole_text = st.text(st.characters(exclude_categories=["Cs"]))
odd_text = st.text(
    st.sampled_from("ab \t\n\r\0\x07\x85\u2028\u2029\ufeff\u202e\u00e9😀#:-?'\"\\|>&*!%@`{}[],0~")
)
texts = st.one_of(whole_text, odd_text, st.sampled_from(["yes", "012", "~", "1e3", "=", "<<", "-"]))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def written(value: JsonValue, pad: str = "") -> str:
    return yaml_text({"value": value}, pad)


@given(value=json_values, pad=st.sampled_from(["", "  ", "      "]))
@example(value="two\n\nlines\n", pad="  ")
@example(value="trailing space \nhere", pad="  ")
@example(value="  leading\n  spaces", pad="")
@example(value="ends in breaks\n\n\n", pad="")
@example(value="\\n is no break\nand \\ stays", pad="")
@example(value=["nested", ["lists", [{"deep": [[]]}]], {}], pad="  ")
@example(value={"k" * 3000: "v" * 3000}, pad="")
@example(value=["a word " * 400, {"word " * 300: 1}], pad="")
@example(value=[1e-7, 1e16, -0.0, 1.0, 10**30, True, None], pad="")
@example(value="\ttab first\n\tand second", pad="")
@example(value="a: b\n- c\n# d\n---\n...\n", pad="")
@pytest.mark.parametrize("loader", LOADERS)
def test_every_json_value_is_read_back_exactly(
    value: JsonValue, pad: str, loader: type[yaml.SafeLoader]
) -> None:
    read = yaml.load(written(value, pad), Loader=loader)

    assert canonical(read["value"]) == canonical(value)


@given(value=json_values)
def test_no_line_ends_in_white_space_and_no_text_ends_in_empty_lines(value: JsonValue) -> None:
    text = yaml_text({"value": value}, "  ")
    *lines, end = text.split("\n")

    assert end == ""
    assert lines[-1]
    assert all(line == line.rstrip() for line in lines)


@given(value=json_values)
def test_every_line_is_indented_or_empty(value: JsonValue) -> None:
    lines = yaml_text({"value": value}, "    ").split("\n")

    assert all(line.startswith("    ") or not line for line in lines)


@given(text=texts)
def test_a_scalar_stays_on_one_line_of_printable_characters(text: str) -> None:
    scalar = yaml_scalar(text)

    assert "\n" not in scalar
    assert not set(scalar) & set("\0\x07\r\x85\u2028\u2029\ufeff\u202e")


def test_text_of_several_lines_is_a_block_that_reads_as_it_is() -> None:
    assert yaml_text({"content": "Café 😀:\n\n  1. fair\n"}).splitlines() == [
        "content: |",
        "  Café 😀:",
        "",
        "    1. fair",
    ]


def test_text_that_a_block_cannot_hold_still_has_a_line_for_each_of_its_lines() -> None:
    assert yaml_text({"content": "one \n two\nthree"}).splitlines() == [
        r'content: "one \n\ '.rstrip(),
        r"  \ two\n\ ".rstrip(),
        '  three"',
    ]


def test_what_misleads_a_reviewer_is_escaped() -> None:
    assert yaml_scalar("user\u202e\u2066 ton\u2069") == r'"user\u202e\u2066 ton\u2069"'


def test_words_and_numbers_are_written_as_json_has_them() -> None:
    lines = [f"  {value}" for value in ("- null", "- true", "- false", "- 7", "- []", "- {}")]
    assert written([None, True, False, 7, [], {}], "  ").splitlines() == ["  value:", *lines]


def test_the_order_of_keys_is_kept() -> None:
    assert yaml_text({"role": "user", "content": "Why?"}) == "role: user\ncontent: Why?\n"
