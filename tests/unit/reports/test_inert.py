import re
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.reports import inert
from tests.report_factory import HOSTILE

HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
texts = st.one_of(
    st.text(),
    st.text(alphabet="<>&\"'`|\\[]()!@#:*_~%;,\r\n\t \x1b\u202e\u2028az1"),
    st.lists(st.sampled_from([*HOSTILE.split("\n"), "\n", "\r\n"])).map("".join),
)
TARGETS: list[Callable[[str], str]] = [
    inert.terminal,
    inert.html,
    inert.markdown_cell,
    inert.markdown_lines,
    inert.github_message,
    inert.github_property,
    inert.azure_message,
    inert.azure_property,
]
ONE_LINE = [target for target in TARGETS if target not in {inert.terminal, inert.html}]


@pytest.mark.parametrize("target", TARGETS)
@given(text=texts)
def test_no_target_lets_an_unseen_character_through(
    target: Callable[[str], str], text: str
) -> None:
    shown = {sign for sign in target(text) if unicodedata.category(sign) in HIDDEN}
    assert shown <= set("\n\t\u200c\u200d")


@pytest.mark.parametrize("target", ONE_LINE)
@given(text=texts)
def test_what_must_be_one_line_is_one_line(target: Callable[[str], str], text: str) -> None:
    assert len(target(text).splitlines()) <= 1


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [("\u202e", "⟨U+202E⟩"), ("\x1b", "⟨U+001B⟩"), ("\ufeff", "⟨U+FEFF⟩"), ("\x00", "⟨U+0000⟩")],
)
def test_unseen_characters_are_shown_as_code_points(hidden: str, shown: str) -> None:
    assert inert.visible(f"a{hidden}b") == f"a{shown}b"


def test_ordinary_text_of_any_language_stays_as_it_is() -> None:
    text = "Größe, œuvre\u202f! 日本語 שלום \u2018x\u2019\n\tfamily 👨\u200d👩\u200d👧"
    assert inert.visible(text) == text


@given(texts)
def test_no_line_of_the_terminal_starts_a_command(text: str) -> None:
    shown = inert.terminal(text)
    assert not any(line.strip().startswith("::") for line in shown.splitlines())
    assert "##[" not in shown
    assert "##vso[" not in shown


@given(texts, st.sampled_from(["ascii", "cp1252", "cp437", "utf-8"]))
def test_a_terminal_of_any_code_page_can_show_it(text: str, encoding: str) -> None:
    inert.terminal(text, encoding).encode(encoding)


def test_a_node_id_within_a_message_can_still_be_copied() -> None:
    assert inert.terminal("run pytest a.yaml::b::c") == "run pytest a.yaml::b::c"


@given(texts)
def test_html_holds_no_sign_that_html_reads(text: str) -> None:
    assert not set("<>\"'") & set(inert.html(text))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


@pytest.mark.parametrize("target", [inert.markdown_cell, inert.markdown_lines])
@given(text=texts)
def test_markdown_holds_only_our_own_elements(target: Callable[[str], str], text: str) -> None:
    parser = _Tags()
    parser.feed(target(text))
    parser.close()
    assert parser.tags <= {"code", "br", "wbr"}
    assert parser.attributes == []


@given(texts)
def test_a_markdown_cell_holds_no_sign_that_markdown_reads(text: str) -> None:
    shown = inert.markdown_cell(text)
    if shown.startswith("`"):
        assert not set("`|\\<>@#[]*~\n") & set(shown[1:-1])
    else:
        bare = re.sub(r"</?code>|<wbr>|&#\d+;", "", shown)
        assert not set("`|\\<>@#[]*_~&:!\n") & set(bare)


@given(texts)
def test_a_markdown_block_holds_no_sign_outside_code_that_github_looks_for(text: str) -> None:
    shown = inert.markdown_lines(text)
    outside = re.sub(r"<code>.*?</code>|<br>", " ", shown)
    outside = outside.replace("&quot;", " ").replace("&#x27;", " ")
    assert not set("`|\\<>@#[]*_~&:/") & set(outside)
    assert not re.search(r"(?i)gh-\d|[0-9a-f]{7}|www\.", outside)


@given(texts)
def test_annotations_escape_what_their_syntax_reads(text: str) -> None:
    github, azure = inert.github_property(text), inert.azure_property(text)
    assert not set(":,\r\n") & set(github)
    assert not re.search(r"%(?!25|0D|0A|3A|2C)", github)
    assert not set(";]\r\n") & set(azure)
    assert not re.search(r"%(?!AZP25|0D|0A|3B|5D)", azure)


def test_a_shortened_text_says_how_much_is_missing() -> None:
    assert inert.shortened("x" * 1_000_000, 10) == "xxxxxxxxxx … (999,990 more characters)"
    assert inert.shortened("short", 10) == "short"
