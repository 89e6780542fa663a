"""Whether a quote stands in an answer.

Models change typography when they quote. White space, letter case, quotation marks and dashes are
therefore folded on both sides, and an ellipsis may stand between parts that follow each other.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

_QUOTATION_MARKS = frozenset({"Pi", "Pf"})
_LOW_AND_STRAIGHT_MARKS = frozenset("\"'`\u00b4\u201a\u201e\uff02\uff07")
_DASHES = frozenset({"Pd"})
_MINUS = "\u2212"
_BRACKETS = {"<": "(", ">": ")"}
"""Models read tags in data with round brackets (`templates.fence_safe`), and quote them so."""
_ELLIPSIS = re.compile(r"\s*(?:\[\s*)?(?:…|\.{3,})(?:\s*\])?\s*")
LEAST_QUOTE = 12
"""A quote of fewer folded characters shows nothing: `the` stands in every answer."""
_LEAST_PART = 3

Span = tuple[int, int]


def holds_quote(answer: str, quote: str) -> bool:
    """Whether a quote stands in an answer; see `locate_quote`, which also says where.

    Args:
        answer: the text that is said to hold the quote.
        quote: the quote; its parts may be joined by an ellipsis.
    """
    return _located(_folded(answer), quote) is not None


def locate_quote(answer: str, quote: str) -> tuple[Span, ...] | None:
    """Find where the parts of a quote stand in an answer.

    Args:
        answer: the text that is said to hold the quote.
        quote: the quote; its parts may be joined by an ellipsis.

    Returns:
        Start and end of each part in `answer`, in order; None when the quote does not stand there
        or is too short to show anything (fewer than 12 characters, or than the answer has).
    """
    folded, places = fold(answer)
    spans = _located(folded, quote)
    return spans and tuple((places[start], places[end - 1] + 1) for start, end in spans)


def shows_too_little(answer: str, quote: str) -> bool:
    """Whether a quote stands in an answer and is too short to show anything.

    Args:
        answer: the text that is said to hold the quote.
        quote: the quote; its parts may be joined by an ellipsis.
    """
    folded, parts = _folded(answer), _parts(quote)
    return bool(_places(folded, parts)) and not _are_enough(folded, parts)


def _located(folded: str, quote: str) -> tuple[Span, ...] | None:
    """Where the parts of a quote stand in a folded answer."""
    parts = _parts(quote)
    return _places(folded, parts) if _are_enough(folded, parts) else None


def _parts(quote: str) -> list[str]:
    parts = [_folded(part).strip(" .,;:") for part in _ELLIPSIS.split(quote)]
    return [part for part in parts if part]


def _are_enough(folded: str, parts: Sequence[str]) -> bool:
    if sum(map(len, parts)) < min(LEAST_QUOTE, len(folded.strip(" .,;:"))) or not parts:
        return False
    return len(parts) == 1 or all(len(part) >= _LEAST_PART for part in parts)


def _places(folded: str, parts: Iterable[str]) -> tuple[Span, ...] | None:
    spans: list[Span] = []
    end = 0
    for part in parts:
        start = folded.find(part, end)
        if start < 0:
            return None
        end = start + len(part)
        spans.append((start, end))
    return tuple(spans)


def fold(text: str) -> tuple[str, list[int]]:
    """Take the typography out of a text.

    Returns:
        The folded text, and for each of its characters the index in `text` that it comes from.
    """
    folded: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        for part in _FOLDS[ord(character)]:
            if part == " " and (not folded or folded[-1] == " "):
                continue
            folded.append(part)
            places.append(index)
    return "".join(folded), places


def _folded(text: str) -> str:
    """What `fold` makes of a text, without the places, and much faster."""
    return _SPACES.sub(" ", text.translate(_FOLDS)).removeprefix(" ")


class _Folds(dict[int, str]):
    """Code point to its folded text, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = "".join(_folded_character(chr(code)))
        return folded


_FOLDS = _Folds()
_SPACES = re.compile("  +")


def _folded_character(character: str) -> Iterator[str]:
    category = unicodedata.category(character)
    if category in _QUOTATION_MARKS or character in _LOW_AND_STRAIGHT_MARKS:
        return
    if category in _DASHES or character == _MINUS:
        yield "-"
        return
    character = _BRACKETS.get(character, character)
    for part in unicodedata.normalize("NFKC", character).casefold():
        yield " " if part.isspace() else _BRACKETS.get(part, part)
