"""Errors of the YAML parser in one sentence with a place."""

import re
from pathlib import Path

from yaml import MarkedYAMLError

from pytest_content_bias.files.text_file import place_of
from pytest_content_bias.vocabulary.errors import UserFileError

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ADVICE = {
    "mapping values are not allowed": "put a text that holds ': ' in quotation marks",
    "cannot start any token": "put a text that starts with a special character in quotation marks,"
    " and indent with spaces, not tabs",
    "could not find expected ':'": "put ': ' and a value after the key, and indent longer texts",
    "did not find expected key": "check the indentation and the quotation marks above this place",
    "expected <block end>": "check the indentation and the quotation marks above this place",
}


def syntax_error(error: Exception, text: str, path: Path) -> UserFileError:
    """What a parser error means for the author of the file.

    Args:
        error: what the parser raised.
        text: the text that it read.
        path: the file as the user knows it.
    """
    if isinstance(error, MarkedYAMLError):
        return _marked(error, path)
    if found := _UNPRINTABLE.search(text):
        problem = f"the character U+{ord(found[0]):04X} is not allowed in YAML: delete it"
        return UserFileError(path, *place_of(text[: found.start()]), problem)
    return UserFileError(path, None, None, f"this is not valid YAML: {_one_line(str(error))}")


def _marked(error: MarkedYAMLError, path: Path) -> UserFileError:
    what = _one_line(" ".join(filter(None, (error.problem, error.context))))
    advice = next((advice for part, advice in _ADVICE.items() if part in what), None)
    problem = f"this is not valid YAML: {what}" + (f"; {advice}" if advice else "")
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
    return UserFileError(path, line, column, problem)


def _one_line(text: str) -> str:
    return " ".join(text.split())
