import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.files.names import check_input_id, check_tag


@pytest.mark.parametrize("name", ["a", "A1", "drug-x.side_effects", "2024", "console", "com"])
def test_a_name_of_letters_digits_and_signs_names_a_case(name: str) -> None:
    assert check_input_id(name) == name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "such as 'case-1'"),
        ("a b", "such as 'a-b'"),
        ("a/../b", "such as 'a-..-b'"),
        ("-a", "such as 'a'"),
        ("..", "such as 'case-1'"),
        ("médecine", "such as 'medecine'"),
        ("a::b", "such as 'a-b'"),
        ("a\n", "such as 'a'"),
        ("CON", "Windows keeps this file name"),
        ("nul.txt", "Windows keeps this file name"),
        ("lpt9", "Windows keeps this file name"),
        ("a.", "expected no '.'"),
        ("a.Partial", "'.partial' at its end"),
    ],
)
def test_a_name_that_cannot_be_a_file_everywhere_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match="cannot name a case") as caught:
        check_input_id(name)

    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("drug-x", "such as 'drug_x'"),
        ("_a", "such as 'a'"),
        ("2024", "such as 'topic'"),
        ("Wärme & Kälte", "such as 'Wärme_Kälte'"),
        ("skip", "a meaning of its own"),
        ("xfail", "a meaning of its own"),
        ("not", "a meaning of its own"),
    ],
)
def test_a_tag_that_cannot_be_a_mark_is_refused_with_a_suggestion(tag: str, reason: str) -> None:
    with pytest.raises(ValueError, match="cannot be a tag") as caught:
        check_tag(tag)

    assert reason in str(caught.value)


@pytest.mark.parametrize("tag", ["medical", "eu_2024", "santé", "Wärme"])
def test_a_word_of_any_language_is_a_tag(tag: str) -> None:
    assert check_tag(tag) == tag
    assert check_tag(unicodedata.normalize("NFD", tag)) == tag


@given(st.text())
def test_every_accepted_tag_is_an_identifier_as_marks_are(text: str) -> None:
    try:
        tag = check_tag(text)
    except ValueError:
        tag = "a"

    assert not tag.startswith("_")
    assert tag.isidentifier()


@given(st.text())
def test_an_accepted_name_is_plain_and_a_refusal_suggests_a_plain_one(text: str) -> None:
    try:
        name = check_input_id(text)
    except ValueError as error:
        suggested = re.search(r"such as '(.*)'$", str(error))
        name = suggested[1] if suggested else "a"
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name)
