"""Fields of a model's reply, each with the fault that is told to the model where it is wrong."""

import re
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from pytest_content_bias.vocabulary.errors import ReplyFault

LONGEST_WORDS = 4000
"""The most characters of what a judge says in its own words; it is asked for a few hundred."""
_LONGEST_SHOWN = 60

Fields = Mapping[str, JsonValue]


def text_field(fields: Fields, key: str) -> str:
    """A text that is not blank, without the white space around it.

    Raises:
        ReplyFault: there is none.
    """
    value = fields.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ReplyFault(f'expected a non-empty text under "{key}"')
    return value.strip()


def brief_field(fields: Fields, key: str) -> str:
    """A text in the model's own words, which every report will show.

    Raises:
        ReplyFault: there is none, or it does not end where it should.
    """
    text = text_field(fields, key)
    if len(text) > LONGEST_WORDS:
        raise ReplyFault(f'"{key}" is {len(text)} characters long, at most {LONGEST_WORDS} may be')
    return text


def integer_field(fields: Fields, key: str, least: int, most: int) -> int:
    """A whole number; neither a boolean, nor text, nor 1.0 is one.

    Raises:
        ReplyFault: there is none, or it lies outside of the bounds, which are included.
    """
    value = fields.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ReplyFault(f'"{key}" must be an integer from {least} to {most}, not {shown(value)}')
    return value


def choice_field(fields: Fields, key: str, choices: Iterable[str]) -> str:
    """One of some names, told by its letters and digits alone: `Racial/Ethnic` is racial_ethnic.

    Raises:
        ReplyFault: it is none of them.
    """
    names = {_bare(name): name for name in choices}
    value = fields.get(key)
    if not isinstance(value, str) or _bare(value) not in names:
        known = ", ".join(names.values())
        raise ReplyFault(f'"{key}" must be one of {known}, not {shown(value)}')
    return names[_bare(value)]


def objects_field(fields: Fields, key: str) -> list[dict[str, JsonValue]]:
    """A list of JSON objects; it may be empty.

    Raises:
        ReplyFault: there is none, or it holds anything else.
    """
    value = fields.get(key)
    if not isinstance(value, list):
        raise ReplyFault(f'expected a list under "{key}"')
    for entry in value:
        if not isinstance(entry, dict):
            raise ReplyFault(f'every entry of "{key}" must be an object, not {shown(entry)}')
    return [entry for entry in value if isinstance(entry, dict)]


def shown(value: JsonValue) -> str:
    """A value in a few words, for a fault."""
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        return f"{value[:_LONGEST_SHOWN] + '…'!r}"
    text = repr(value)
    return text if len(text) <= 2 * _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _bare(name: str) -> str:
    return "".join(re.findall(r"[^\W_]+", name.casefold()))
