"""Files that are either whole or untouched, and room on disk before money is spent."""

import contextlib
import os
import re
import secrets
from pathlib import Path
from types import TracebackType
from typing import Self

from pytest_content_bias.cassettes.paths import shown
from pytest_content_bias.vocabulary.errors import CassetteError

_TEMPORARY = ".tmp"


class Reserved:
    """Room on disk for a new version of a file, taken before a call is paid.

    Leaving the context gives the room back, unless it was filled: what was paid stays there until
    `commit` or `give_back`, or until the next recording takes it up.

    Args:
        path: the file that will be written.
        size: bytes to reserve.

    Raises:
        CassetteError: the room cannot be had: the disk is full, or the folder cannot be written.
    """

    def __init__(self, path: Path, size: int) -> None:
        self._path, self._filled = path, False
        self._temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_TEMPORARY}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._allocate(size)
        except OSError as error:
            self.give_back()
            raise unwritable(path, error) from error

    def fill(self, data: bytes) -> None:
        """Write what will be the content of the file; it outlasts this process, not a power cut.

        Args:
            data: the whole new content.

        Raises:
            CassetteError: it could not be written; the file is as it was.
        """
        try:
            # Written over in place, so that reserved blocks are used and not taken twice.
            with open(os.open(self._temporary, _FLAGS, 0o666), "wb", buffering=0) as file:
                view = memoryview(data)
                while view:
                    view = view[file.write(view) :]
                file.truncate()
            self._filled = True
        except OSError as error:
            raise unwritable(self._path, error) from error

    def commit(self) -> None:
        """Make what `fill` wrote the content of the file, for good.

        Raises:
            CassetteError: it could not be written; the file is as it was.
        """
        try:
            bring_into_place(self._temporary, self._path)
        except OSError as error:
            raise unwritable(self._path, error) from error

    def give_back(self) -> None:
        """Remove it, with whatever it was filled with."""
        with contextlib.suppress(OSError):
            self._temporary.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._filled:
            self.give_back()

    def _allocate(self, size: int) -> None:
        with open(os.open(self._temporary, _FLAGS, 0o666), "wb", buffering=0) as file:
            if size and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:
                file.write(bytes(size))


_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step.

    Args:
        path: the file; missing folders above it are made.
        data: its new content.

    Raises:
        CassetteError: it could not be written; the file is as it was.
    """
    with Reserved(path, 0) as reserved:
        reserved.fill(data)
        try:
            reserved.commit()
        except CassetteError:
            reserved.give_back()
            raise


def leftovers(path: Path) -> list[Path]:
    """What processes that were killed left beside a file.

    Args:
        path: the file; the caller holds its lock.
    """
    name = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}{re.escape(_TEMPORARY)}")
    return [file for file in path.parent.glob(f".*{_TEMPORARY}") if name.fullmatch(file.name)]


def bring_into_place(temporary: Path, path: Path) -> None:
    """Replace a file by another in its folder, for good.

    Args:
        temporary: the other file; its name is gone afterwards.
        path: the file.

    Raises:
        OSError: it could not be done; the file is as it was.
    """
    with open(temporary, "r+b") as file:
        os.fsync(file.fileno())
    os.replace(temporary, path)
    _sync_folder(path.parent)


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


def _sync_folder(folder: Path) -> None:
    """A rename lasts once its folder is written; Windows has no such step."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
