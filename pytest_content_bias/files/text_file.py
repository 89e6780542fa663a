"""Files written by people: bytes to text, with errors that name the place."""

import codecs
import os
from pathlib import Path

from pytest_content_bias.vocabulary.errors import UserFileError

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def shown(path: Path) -> Path:
    """The path as the user knows it: relative to the current folder where it lies below it."""
    absolute = Path(os.path.abspath(path))
    here = Path.cwd()
    return absolute.relative_to(here) if absolute.is_relative_to(here) else absolute


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        UserFileError: the file cannot be read.
    """
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except (OSError, ValueError) as error:
        cause = (isinstance(error, OSError) and error.strerror) or str(error)
        raise UserFileError(shown(path), None, None, f"cannot be read: {cause}") from None


def decode(data: bytes, path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark.

    Raises:
        UserFileError: the content is not UTF-8.
    """
    if data.startswith(_UTF16):
        problem = "the file is in UTF-16, expected UTF-8: save it as UTF-8"
        raise UserFileError(shown(path), 1, 1, problem)
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        bad = error.object[error.start]
        line, column = place_of(error.object[: error.start].decode())
        problem = f"byte 0x{bad:02x} is not valid UTF-8: save the file as UTF-8"
        raise UserFileError(shown(path), line, column, problem) from None


def place_of(before: str) -> tuple[int, int]:
    """The 1-based line and column of the character that follows a text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")
