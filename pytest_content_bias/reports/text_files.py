"""Reading and writing whole text files: a reader never meets half of one."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from pytest_content_bias.vocabulary.errors import SettingsError, UserFileError


def write_text(path: Path, text: str) -> None:
    """Write a file as a whole or not at all, as UTF-8 with line feeds; folders are made.

    Raises:
        SettingsError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(_mode(path))
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be written: {error.strerror or error}; give a path in a folder that"
            " can be written to"
        ) from error


def _mode(path: Path) -> int:
    """The file's permissions if it exists, else those of any new file."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def read_text(path: Path) -> str:
    """Read a file as UTF-8.

    Raises:
        UserFileError: it cannot be read or is no UTF-8.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserFileError(
            path, None, None, f"cannot be read: {error.strerror or error}"
        ) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = "found bytes that are no UTF-8, expected a UTF-8 file"
        raise UserFileError(path, line, None, problem) from error
