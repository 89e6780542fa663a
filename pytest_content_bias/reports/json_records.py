"""Reading a record from a JSON file, with the line of whatever is wrong with it."""

import json
import re
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from pytest_content_bias.reports.text_files import read_text
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.record import Record

_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?:\s|$)", re.MULTILINE)

R = TypeVar("R", bound=Record)


def read_record(path: Path, kind: type[R], what: str, remedy: str) -> R:
    """Read a record.

    Args:
        path: the file.
        kind: the record; it has a field `format` with one allowed value.
        what: what the file is, as in `a baseline`.
        remedy: how to get a good one, as the end of a sentence after a semicolon.

    Raises:
        UserFileError: the file is missing, damaged, holds a merge conflict or a duplicate key,
            or is of another format or version.
    """
    text = read_text(path)
    data = _parse(path, text, what, remedy)
    expected = kind.model_fields["format"].default
    found = data.get("format") if isinstance(data, dict) else None
    if found != expected:
        problem = f"found {_format(found)}, expected {what} of format {expected}; {remedy}"
        raise UserFileError(path, _line_of(text, '"format"') or 1, None, problem)
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        problem = f"{what} is damaged: {place}: {first['msg']}; {remedy}"
        raise UserFileError(path, _line_at(text, first["loc"]), None, problem) from error


def _parse(path: Path, text: str, what: str, remedy: str) -> JsonValue:
    if conflict := _CONFLICT.search(text):
        problem = f"{what} holds a merge conflict; {remedy}"
        raise UserFileError(path, _line(text, conflict.start()), None, problem)
    try:
        data: JsonValue = json.loads(text, object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        problem = f"{what} is damaged JSON: {error.msg}; {remedy}"
        raise UserFileError(path, error.lineno, error.colno, problem) from error
    except _DuplicateKey as error:
        key = json.dumps(error.key, ensure_ascii=False)
        line = _line(text, text.rfind(key)) if key in text else None
        problem = f"{what} has the key {key} twice in one place; {remedy}"
        raise UserFileError(path, line, None, problem) from error
    except RecursionError as error:
        problem = f"{what} is nested too deeply to be one; {remedy}"
        raise UserFileError(path, None, None, problem) from error
    return data


class _DuplicateKey(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def _without_duplicates(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKey(key)
        found[key] = value
    return found


def _format(found: JsonValue) -> str:
    return f"format {found!r:.80}" if found is not None else "no format"


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _line_of(text: str, part: str, start: int = 0) -> int | None:
    offset = text.find(part, start)
    return _line(text, offset) if offset >= 0 else None


def _line_at(text: str, location: tuple[int | str, ...]) -> int:
    """The line of the innermost key of a location that can be found, keys taken in order."""
    offset = 0
    for key in location:
        found = (
            text.find(json.dumps(key, ensure_ascii=False), offset) if isinstance(key, str) else -1
        )
        offset = max(offset, found)
    return _line(text, offset)
