"""Which recorded call a changed call once was."""

import itertools
import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical
from pytest_content_bias.cassettes.recorded_call import RecordedCall

_WORD = re.compile(r"\w+")
_MOST_WORDS = 4000
_LEAST = 0.5
"""Share of equal words from which on a call is taken for a changed one, and not for another."""


def most_similar(
    asked: Mapping[str, JsonValue], recorded: Iterable[RecordedCall]
) -> RecordedCall | None:
    """Find the recorded call that shares most words with a request; None: none shares half.

    Args:
        asked: the request, as the cassette describes it.
        recorded: the calls to choose from; of equally similar ones the first is taken.
    """
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(_words(asked))
    best, share = None, _LEAST
    for call in recorded:
        matcher.set_seq1(_words(call.request()))
        if matcher.real_quick_ratio() > share and (ratio := matcher.ratio()) > share:
            best, share = call, ratio
    return best


def _words(request: Mapping[str, JsonValue]) -> list[str]:
    found = _WORD.finditer(canonical(dict(request)))
    return [match[0] for match in itertools.islice(found, _MOST_WORDS)]
