"""Exceptions of the system's own code, with the lines of its own files alone."""

import os
import traceback
from collections.abc import Iterator
from pathlib import Path

from pytest_content_bias.rules.code_origin import is_own_or_python, is_users

_MOST_CAUSES = 4
_MOST_FRAMES = 12
_LONGEST = 2000


def in_users_words(error: BaseException, folder: Path) -> str:
    """Tell an exception: its type and message, the user's lines, then what caused it.

    Args:
        error: the exception.
        folder: files below it are named relative to it.
    """
    parts = []
    for number, one in enumerate(_chain(error)):
        head = f"{'caused by ' if number else ''}{_headline(one)}"
        parts.append("\n".join([head, *_lines(one, folder)]))
    return "\n".join(parts)


def _headline(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = "(its message cannot be shown)"
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    name = type(error).__qualname__
    return f"{name}: {text}" if text else name


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception, then its cause or context; of a group, its first member."""
    current: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if current is None:
            return
        yield current
        if isinstance(current, BaseExceptionGroup):
            current = current.exceptions[0]
        else:
            context = None if current.__suppress_context__ else current.__context__
            current = current.__cause__ or context


def _lines(error: BaseException, folder: Path) -> list[str]:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_users(frame.filename)]
    if not own:
        own = [frame for frame in frames if not is_own_or_python(frame.filename)][-3:]
    return [line for frame in own[-_MOST_FRAMES:] for line in _frame(frame, folder)]


def _frame(frame: traceback.FrameSummary, folder: Path) -> Iterator[str]:
    yield f'  File "{_shown(frame.filename, folder)}", line {frame.lineno}, in {frame.name}'
    if frame.line:
        yield f"    {frame.line}"


def _shown(filename: str, folder: Path) -> str:
    path = os.path.abspath(filename)
    inside = path.startswith(f"{os.path.abspath(folder)}{os.sep}")
    return Path(os.path.relpath(path, folder)).as_posix() if inside else filename
