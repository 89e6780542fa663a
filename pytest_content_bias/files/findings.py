"""What is wrong in a file, collected before it is raised."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

from pytest_content_bias.files.document import Document, Location
from pytest_content_bias.files.text_file import shown
from pytest_content_bias.vocabulary.errors import UserFileError

_LINES_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of a file.

    Attributes:
        location: where it is.
        text: one sentence: what was found and what was expected.
        at_key: whether the key is meant and not its value.
    """

    location: Location
    text: str
    at_key: bool = False


def refuse(document: Document, findings: Iterable[Finding]) -> NoReturn:
    """Raise the first of the findings, and name the lines of the others.

    Args:
        document: the file; of what is no file, every finding is named and no line.
        findings: at least one.

    Raises:
        UserFileError: always.
    """
    placed = sorted(
        (document.place(found.location, key=found.at_key), found.text) for found in findings
    )
    if not document.is_file:
        problem = "\n".join(dict.fromkeys(text for _, text in placed))
        raise UserFileError(shown(document.path), None, None, problem)
    (line, column), text = placed[0]
    if others := [place[0] for place, _ in placed[1:]]:
        text += f"\n{_and_more(others)}"
    raise UserFileError(shown(document.path), line, column, text)


def _and_more(lines: Sequence[int]) -> str:
    distinct = sorted(set(lines))
    listed = ", ".join(map(str, distinct[:_LINES_SHOWN]))
    etc = ", …" if len(distinct) > _LINES_SHOWN else ""
    problems = "problem" if len(lines) == 1 else "problems"
    word = "line" if len(distinct) == 1 else "lines"
    return f"and {len(lines)} more {problems} in this file: {word} {listed}{etc}"


def suggestion(word: str, known: Iterable[str], kind: str) -> str:
    """The end of a sentence on an unknown word: the nearest known one, or all of them.

    Args:
        word: what was written.
        known: what may be written.
        kind: what these words are, in the plural, such as `keys`.
    """
    names = sorted(known)
    lowered = {name.lower(): name for name in names}
    near = get_close_matches(word.lower(), lowered, n=1)
    if near:
        return f"did you mean '{lowered[near[0]]}'?"
    return f"known {kind}: {', '.join(names)}"
