"""Which words changed, and that they are always visible."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.word_diff import changed_words, printable

WORDS = ["the", "a", "fair", "unfair", "judge,", "says.", "no\n", "yes"]
words = st.lists(st.sampled_from(WORDS), max_size=40)


def test_a_changed_word_is_shown_with_a_few_words_around() -> None:
    old = "You are a careful reader who never agrees with it and never repeats it to anybody."
    new = old.replace("with it", "with them")

    assert list(changed_words(old, new)) == [
        "…careful reader who never agrees with [-it-]{+them+} and never repeats it to anybody…"
    ]


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("be fair", "be very fair", "be {+very +}fair"),
        ("be very fair", "be fair", "be [-very -]fair"),
        ("fair", "unfair", "[-fair-]{+unfair+}"),
        ("is it fair?", "is it fair!", "is it fair[-?-]{+!+}"),
        ("", "new", "{+new+}"),
        ("old", "", "[-old-]"),
        ("one two", "one  two", "[-one -]{+one  +}two"),
        ("one\ntwo", "one two", r"[-one\n-]{+one +}two"),
        ("red\x1b[31m", "red", r"red[-\x1b[31m-]"),
    ],
)
def test_changes_of_every_kind_are_shown(old: str, new: str, shown: str) -> None:
    assert list(changed_words(old, new)) == [shown]


@given(text=st.text())
def test_equal_texts_have_no_changes(text: str) -> None:
    assert list(changed_words(text, text)) == []


@given(old=words, new=words)
def test_different_texts_have_a_change_and_every_change_is_one_printable_line(
    old: list[str], new: list[str]
) -> None:
    before, after = " ".join(old), " ".join(new)
    changes = list(changed_words(before, after))

    assert bool(changes) == (before != after)
    assert all(change.isprintable() for change in changes)
    assert all("[-" in change or "{+" in change for change in changes)


def test_changes_far_apart_are_shown_apart() -> None:
    old = "one " + "same " * 50 + "two"
    new = "1 " + "same " * 50 + "2"

    assert [re.findall(r"\[-(.*?)-\]", change) for change in changed_words(old, new)] == [
        ["one"],
        ["two"],
    ]


def test_a_long_replaced_passage_is_cut_in_its_middle_and_shows_both_ends() -> None:
    old = " ".join(f"old{number}" for number in range(900))
    new = " ".join(f"new{number}" for number in range(900))

    (change,) = changed_words(old, new)

    assert len(change) < 700
    for word in ("old0", "old899", "new0", "new899", "876 more"):
        assert word in change


def test_a_change_deep_in_a_long_text_without_spaces_is_visible() -> None:
    old = "x" * 9_000 + "y" + "x" * 9_000
    new = "x" * 9_000 + "z" + "x" * 9_000

    (change,) = changed_words(old, new)

    assert "y" in change
    assert "z" in change
    assert len(change) < 700


def test_texts_of_many_changes_are_compared_in_bounded_work() -> None:
    old = " ".join(f"w{number % 97}" for number in range(4000))
    new = " ".join(f"w{number % 89}" for number in range(4000))

    assert list(changed_words(old, new))


def test_what_does_not_print_is_escaped() -> None:
    assert printable("a\nb\x1b\u202e é") == r"a\nb\x1b\u202e é"
