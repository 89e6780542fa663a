"""Where the passages that a judge lists stand in an answer, each at a place of its own.

A judge that lists a passage twice, or a sentence and a part of it, would have it counted twice;
one that leaves a sentence out would have it count as if nobody had said it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pytest_content_bias.rules.quotes import Span, fold
from pytest_content_bias.vocabulary.errors import ReplyFault

_LEAST_PASSAGE = 12
"""A passage of fewer folded characters counts only as a sentence of its own, such as `Bad!`"""
_EDGES = " .,;:!?"
_ENDS_OF_SENTENCES = ".!?:;…\n"
_AROUND_SENTENCES = " \t\"'*•()-\u2013\u2014«»\u2018\u2019\u201a\u201c\u201d\u201e"
_SENTENCE = re.compile(r"[^.!?\u2026\n]+")
_LEAST_WORDS = 4
"""Of fewer words are headings, `Yes.` and what a full stop inside a sentence cuts off."""


def find_apart(answer: str, passages: Sequence[str], listed: str) -> tuple[Span, ...]:
    """Find passages in an answer, so that no two of them overlap.

    Typography may differ, as in quotes. Long passages are placed first, so that a short one that
    also stands inside a long one gets the place that is its own.

    Args:
        answer: the text that is said to hold the passages.
        passages: the passages.
        listed: the name of their list in the reply, for faults.

    Returns:
        Start and end of each passage in `answer`.

    Raises:
        ReplyFault: passages do not stand in the answer word for word, or are listed twice.
    """
    folded = _Folded(answer)
    taken: dict[int, Span] = {}
    foreign: list[int] = []
    repeated: list[int] = []
    for index in sorted(range(len(passages)), key=lambda index: -len(passages[index])):
        span = next(_apart_from(taken.values(), folded.places(passages[index])), None)
        if span is not None:
            taken[index] = span
        else:
            stands = next(folded.places(passages[index]), None) is not None
            (repeated if stands else foreign).append(index + 1)
    if foreign:
        raise ReplyFault(f'not a passage of the text: entries {_list(foreign)} of "{listed}"')
    if repeated:
        raise ReplyFault(f'listed twice or inside another: entries {_list(repeated)} of "{listed}"')
    return tuple(taken[index] for index in range(len(passages)))


def untouched(answer: str, spans: Iterable[Span]) -> tuple[str, ...]:
    """The sentences of an answer that no listed passage touches; those of a few words do not count.

    Args:
        answer: the answer.
        spans: where the listed passages stand in it.
    """
    touched = tuple(spans)
    return tuple(
        sentence[0].strip()
        for sentence in _SENTENCE.finditer(answer)
        if len(re.findall(r"\w+", sentence[0])) >= _LEAST_WORDS
        and next(_apart_from(touched, [sentence.span()]), None) is not None
    )


class _Folded:
    """An answer without its typography, which still knows where each character comes from."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._text, self._origin = fold(answer)

    def places(self, passage: str) -> Iterator[Span]:
        """Where a passage stands, in the answer as it is."""
        part = fold(passage)[0].strip()
        if part not in self._text:
            part = part.strip(_EDGES)
        start = self._text.find(part) if part else -1
        while start >= 0:
            end = start + len(part)
            span = self._origin[start], self._origin[end - 1] + 1
            if len(part) >= _LEAST_PASSAGE or _is_sentence(self._answer, span):
                yield span
            start = self._text.find(part, end)


def _apart_from(taken: Iterable[Span], places: Iterable[Span]) -> Iterator[Span]:
    taken = tuple(taken)
    return (
        (start, end)
        for start, end in places
        if all(end <= other_start or other_end <= start for other_start, other_end in taken)
    )


def _is_sentence(answer: str, span: Span) -> bool:
    """Whether a passage has the end of a sentence, or of the answer, on both sides."""
    start, end = span
    before = answer[:start].rstrip(_AROUND_SENTENCES)[-1:]
    last, after = answer[end - 1], answer[end:].lstrip(_AROUND_SENTENCES)[:1]
    ends = last in _ENDS_OF_SENTENCES or after in _ENDS_OF_SENTENCES
    return ends and before in _ENDS_OF_SENTENCES  # the empty text is in every text


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
