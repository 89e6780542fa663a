import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from pytest_content_bias.files import yaml_reader
from pytest_content_bias.files.document import Document
from pytest_content_bias.files.yaml_reader import parse_yaml, read_yaml
from pytest_content_bias.vocabulary.errors import UserFileError

FILE = Path("a.yaml")
LOADERS = {"libyaml": yaml.CSafeLoader, "pure": yaml.SafeLoader}


@pytest.fixture(params=LOADERS, autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs every test with libyaml, and with the parser that stands in where it is missing."""
    monkeypatch.setattr(yaml_reader, "_LOADER", LOADERS[request.param])


def read(text: str) -> Document:
    return parse_yaml(text, FILE)


def problem(text: str) -> tuple[int | None, int | None, str]:
    with pytest.raises(UserFileError) as caught:
        read(text)
    return caught.value.line, caught.value.column, caught.value.problem


def test_values_are_plain_and_their_places_are_known() -> None:
    document = read("a: 1\nb:\n  - x\n  - {c: true, d: null}\n")

    assert document.value == {"a": 1, "b": ["x", {"c": True, "d": None}]}
    assert document.place(()) == (1, 1)
    assert document.place(("a",)) == (1, 4)
    assert document.place(("a",), key=True) == (1, 1)
    assert document.place(("b", 1, "d")) == (4, 18)
    assert document.place(("b", 1, "d"), key=True) == (4, 15)


def test_the_place_of_what_does_not_exist_is_that_of_the_nearest_value_around_it() -> None:
    document = read("a:\n  b: 1\n")

    assert document.place(("a", "missing", 3)) == (2, 3)
    assert document.at(("a", "missing", 3)) == {"b": 1}


def test_quoted_and_block_scalars_are_text_whatever_they_hold() -> None:
    assert read("- 'yes'\n- \"1\"\n- |\n  2024-05-01\n- !!str 5\n- ! no\n").value == [
        "yes",
        "1",
        "2024-05-01\n",
        "5",
        "no",
    ]


def test_an_ambiguous_scalar_is_refused_at_its_place() -> None:
    line, column, text = problem("a: b\nc: no\n")

    assert (line, column) == (2, 4)
    assert 'write "no" in quotation marks' in text


def test_a_key_given_twice_is_refused_and_both_lines_are_named() -> None:
    assert problem("a: 1\nb: 2\na: 3\n") == (3, 1, "the key 'a' is given twice, first on line 1")


@pytest.mark.parametrize("text", ["1: a", "true: a", "null: a"])
def test_a_key_that_is_no_text_is_refused(text: str) -> None:
    assert "is no text: put it in quotation marks" in problem(text)[2]


@pytest.mark.parametrize("text", ["[a]: b", "? {a: b}\n: c", "&k a: 1\n*k : 2"])
def test_a_key_that_is_not_a_word_is_refused(text: str) -> None:
    assert "expected a word and a colon" in problem(text)[2]


def test_a_key_without_a_value_is_refused_but_null_may_be_written() -> None:
    assert "a value is missing here" in problem("a:\nb: 1\n")[2]
    assert read("a: null\nb: ''").value == {"a": None, "b": ""}


def test_an_alias_repeats_a_value_and_points_to_where_it_was_written() -> None:
    document = read("a: &x {k: 1}\nb: *x\n")

    assert document.value == {"a": {"k": 1}, "b": {"k": 1}}
    assert document.place(("b",)) == (2, 4)
    assert document.place(("b", "k")) == (1, 11)


def test_a_merge_key_adds_what_is_not_given_and_earlier_mappings_win() -> None:
    document = read(
        "- &x {a: 1, b: 1}\n- &y {b: 2, c: 2}\n- {<<: [*x, *y], c: 3}\n- {<<: *y, d: 4}\n"
    )

    assert document.value == [
        {"a": 1, "b": 1},
        {"b": 2, "c": 2},
        {"a": 1, "b": 1, "c": 3},
        {"b": 2, "c": 2, "d": 4},
    ]
    assert document.place((2, "b")) == (1, 16)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: {<<: 1}", "'<<' merges mappings only"),
        ("a: {<<: [{b: 1}, 2]}", "'<<' merges mappings only"),
        ("a: {<<: {b: 1}, <<: {c: 1}}", "the key '<<' is given twice"),
        ("a: *x", "alias"),
        ("a: &x [*x]", "names no value marked with & above it"),
        ("a: !!int '1'", "the tag 'tag:yaml.org,2002:int' is not supported"),
        ("a: !!python/object/apply:os.system [x]", "is not supported"),
        ("a: !mine {b: 1}", "the tag '!mine' is not supported"),
        ("a: 1\n---\nb: 2", "a second YAML document starts here"),
        ("", "the file is empty"),
        ("# only this\n", "the file is empty or holds comments only"),
        ("a: [1", "this is not valid YAML"),
        ("a: 'b", "this is not valid YAML"),
        ("a: b: c", "put a text that holds ': ' in quotation marks"),
        ("a:\n\t- b", "this is not valid YAML"),
        ("a: @b", "put a text that starts with a special character in quotation marks"),
        ("a: \0", "the character U+0000 is not allowed in YAML"),
        ("%YAML 3.0\n---\na", "this is not valid YAML"),
        ('a: "\\UFFFFFFFF"', "this is not valid YAML"),
    ],
)
def test_yaml_that_could_surprise_is_refused_in_one_sentence(text: str, part: str) -> None:
    _, _, found = problem(text)

    assert part in found
    assert "\n" not in found


def test_a_control_character_is_named_with_its_place() -> None:
    assert problem("é: é\nb: é\x07")[:2] == (2, 5)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused_and_does_not_exhaust_the_stack(opening: str) -> None:
    assert problem(opening * 60 + "x")[0] == 1
    assert problem(opening * 20_000)[0] == 1


def test_fifty_levels_are_read() -> None:
    assert read("[" * 50 + "]" * 50).value is not None


def test_aliases_cannot_hide_deep_nesting() -> None:
    text = "- &a0 []\n" + "".join(f"- &a{n + 1} [[[[*a{n}]]]]\n" for n in range(30))

    assert "nested more than 50 levels deep" in problem(text)[2]


def test_aliases_that_multiply_the_file_are_refused() -> None:
    lines = [f"- &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]" for n in range(9)]

    assert "multiply this file" in problem("- &a0 [lol, lol]\n" + "\n".join(lines))[2]


def test_merge_keys_that_multiply_the_file_are_refused() -> None:
    text = f"- &a {{k: {'x' * 100_000}}}\n" + "- {<<: *a}\n" * 300

    assert "multiply this file" in problem(text)[2]


def test_a_thousand_cases_may_share_one_long_text() -> None:
    text = f"- &a {'x' * 5000}\n" + "- *a\n" * 1000

    document = read(text)

    assert isinstance(document.value, list)
    assert len(document.value) == 1001


def test_windows_line_ends_are_read_as_others(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xef\xbb\xbfa: |\r\n  x\r\n  y\r\nb: 1\r\n")

    document = read_yaml(tmp_path / "a.yaml")

    assert document.value == {"a": "x\ny\n", "b": 1}
    assert document.place(("b",)) == (4, 4)


TEXT = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)


@given(JSON)
def test_every_json_text_is_read_as_json_would(value: JsonValue) -> None:
    for parser in LOADERS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_reader, "_LOADER", parser)
            assert read(json.dumps(value)).value == value
