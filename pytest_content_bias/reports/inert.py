"""Texts of models are hostile: each target has one function here that makes them inert.

Whatever a reader cannot see, or would see in the wrong place, is shown as its code point:
control characters (an escape sequence starts with one), bidirectional controls, invisible format
characters, separators that are line breaks to some programs.
"""

import html as html_module
import re
import unicodedata

_JOINERS = "\u200c\u200d"
"""Invisible too, but spelling in Persian and Hindi, and part of emoji."""
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co"})
_COMMAND = re.compile(r"(?<!\S)::|##(?=\[|vso\[)")
"""What starts a command in the log of GitHub Actions (`::` first in a line) or Azure Pipelines."""
_COMMAND_WITHIN = re.compile(r"##(?=\[|vso\[)")
"""What starts one anywhere in a line."""
_HARMLESS_IN_MARKDOWN = re.compile(r"[^\W_]|[ ,;?]")
_PLAIN_CELL = re.compile(r"[\w .,:;?!%'\"/+()=-]+")
_PROSE = re.compile(r"(?:[^\W_]|[ ,;?!'\"()\u2013\u2014\u2018-\u201e\u2026-]|\.(?=\s|$))+")
_REFERENCE = re.compile(r"(?i)\bgh-\d|[0-9a-f]{7}")
"""What GitHub links in text even without a sign: issues and commits."""


class _Visible(dict[int, str]):
    """Code point to what is shown for it, found once each."""

    def __init__(self, marks: str) -> None:
        super().__init__({ord(character): character for character in f"\n\t{_JOINERS}"})
        self._marks = marks

    def __missing__(self, code: int) -> str:
        shown = chr(code)
        if unicodedata.category(shown) in _HIDDEN_CATEGORIES:
            shown = f"{self._marks[0]}U+{code:04X}{self._marks[1]}"
        self[code] = shown
        return shown


_TABLES = {marks: _Visible(marks) for marks in ("⟨⟩", "<>")}


def visible(text: str, marks: str = "⟨⟩") -> str:
    """Show what cannot be seen as its code point, such as `⟨U+202E⟩`; line feeds and tabs stay.

    Args:
        text: any text.
        marks: what the code points are put between, `⟨⟩` or `<>`.
    """
    if text.isprintable():
        return text
    return text.replace("\r\n", "\n").translate(_TABLES[marks])


def shortened(text: str, most: int) -> str:
    """A text of at most `most` characters, and then how many were left out."""
    rest = len(text) - most
    return text if rest <= 0 else f"{text[:most].rstrip()} … ({rest:,} more characters)"


def terminal(text: str, encoding: str = "utf-8") -> str:
    """For a terminal or a log, possibly one that CI reads commands from.

    A line that is broken afterwards must be broken at white space, lest a word's `::` come first.

    Args:
        text: any text; its line feeds stay.
        encoding: the terminal's; what it cannot show becomes an escape.
    """
    marks = "⟨⟩" if _encodable("⟨⟩", encoding) else "<>"
    shown = visible(text, marks).expandtabs(4)
    shown = _COMMAND.sub(lambda found: f"{marks[0]}{found[0]}{marks[1]}", shown)
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def _encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def html(text: str) -> str:
    """For the text of an HTML element or a quoted attribute."""
    return html_module.escape(visible(text), quote=True)


def markdown_cell(text: str) -> str:
    """For a cell of a Markdown table or any other place within one line, shown as code.

    Plain names stay readable in the source. In any other text every punctuation mark becomes a
    character reference: no Markdown is left to be parsed, and mentions, issue numbers, commits
    and emoji names are not looked for within code. A word break before `@` keeps addresses from
    becoming links.
    """
    line = " ".join(visible(text).split())
    if _PLAIN_CELL.fullmatch(line) and line == text:
        return f"`{line}`"
    return f"<code>{_referenced(line)}</code>"


def markdown_lines(text: str) -> str:
    """For an HTML block of Markdown: one source line, the text's lines joined by breaks.

    Within such a block no Markdown is parsed. Prose without anything that is looked for in text
    (mentions, references, addresses) stays prose; any other line is shown as code.
    """
    lines = visible(text).expandtabs(4).split("\n")
    return "<br>".join(_prose_or_code(line) if line.strip() else "" for line in lines)


def _prose_or_code(line: str) -> str:
    if _PROSE.fullmatch(line) and not _REFERENCE.search(line):
        return html_module.escape(line)
    return f"<code>{_referenced(line)}</code>"


def _referenced(line: str) -> str:
    return "".join(
        character
        if not character.isascii() or _HARMLESS_IN_MARKDOWN.fullmatch(character)
        else f"{'<wbr>' if character == '@' else ''}&#{ord(character)};"
        for character in line
    )


def _without_commands(text: str) -> str:
    return _COMMAND_WITHIN.sub("⟨##⟩", visible(text))


def github_message(text: str) -> str:
    """For the message of a GitHub Actions workflow command."""
    shown = _without_commands(text).replace("%", "%25")
    return shown.replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """For a property of a GitHub Actions workflow command."""
    return github_message(text).replace(":", "%3A").replace(",", "%2C")


def azure_message(text: str) -> str:
    """For the message of an Azure Pipelines logging command."""
    shown = _without_commands(text).replace("%", "%AZP25")
    return shown.replace("\r", "%0D").replace("\n", "%0A")


def azure_property(text: str) -> str:
    """For a property of an Azure Pipelines logging command."""
    return azure_message(text).replace(";", "%3B").replace("]", "%5D")
