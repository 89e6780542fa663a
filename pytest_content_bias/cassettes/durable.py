"""Files that are either whole or untouched."""

import contextlib
import os
from pathlib import Path

from pytest_content_bias.cassettes.paths import shown
from pytest_content_bias.vocabulary.errors import CassetteError

WRITING = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
"""How a file beside a cassette is opened."""


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, for good.

    Args:
        path: the file; missing folders above it are made.
        data: its new content.

    Raises:
        CassetteError: it could not be written; the file is as it was.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(temporary, WRITING | os.O_TRUNC, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> CassetteError:
    """Say that a cassette cannot be written.

    Args:
        path: the cassette.
        error: why.
    """
    return CassetteError(
        f"{shown(path)}: the cassette cannot be written: {error.strerror or error}. "
        "What was recorded before is kept. Make room or give write access, then record again with "
        "--content-bias-record=missing: nothing recorded is paid twice."
    )


def sync_folder(folder: Path) -> None:
    """Make a new name outlast a power cut; Windows has no such step.

    Args:
        folder: where the name stands.

    Raises:
        OSError: it could not be done.
    """
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
