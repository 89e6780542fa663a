"""One process records a case at a time; the others wait.

The lock's file lies in the folder for temporary files, not beside the cassette. It also says what
was recorded anew in the current run, so that a second worker of that run does not pay for it again.
"""

import asyncio
import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, Self

from pytest_content_bias.cassettes.paths import shown
from pytest_content_bias.vocabulary.errors import CassetteError

_POLL = 0.05
"""Seconds between two attempts."""
_FAR = 1 << 30
"""Where Windows locks a byte: locked bytes cannot be read there, and waiters read the holder."""

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        os.lseek(file.fileno(), _FAR, os.SEEK_SET)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        os.lseek(file.fileno(), 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class RecordingLock:
    """The right to record into a cassette, until `release`; made by `acquire`.

    Attributes:
        anew: the (slot, key) of every call that this run has recorded anew.
    """

    def __init__(self, file: BinaryIO, run: str) -> None:
        self._file = file
        head, *lines = file.read().decode(errors="replace").splitlines() or [""]
        same_run = head.partition(" run ")[2] == run
        self.anew = {_pair(line) for line in lines if " " in line} if same_run else set()
        self._rewrite(run)

    @classmethod
    async def acquire(cls, cassette: Path, run: str, patience: float) -> Self:
        """Wait for the right to record.

        Args:
            cassette: the cassette.
            run: the name of the whole run, the same in all its workers.
            patience: the longest wait, in seconds.

        Raises:
            CassetteError: another process still records; names it.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + patience
        file = _open(_lock_path(cassette))
        try:
            while not _locked(file):
                if clock() >= deadline:
                    raise CassetteError(_held(cassette, _holder(file), patience))
                await asyncio.sleep(_POLL)
            return cls(file, run)
        except BaseException:
            file.close()
            raise

    def note(self, slot: str, key: str) -> None:
        """Remember that a call was recorded anew.

        Args:
            slot: the place of the call in its case.
            key: what its request is found by.
        """
        self.anew.add((slot, key))
        self._file.write(f"{slot} {key}\n".encode())

    def release(self) -> None:
        """Let others record."""
        self._file.close()

    def _rewrite(self, run: str) -> None:
        lines = [f"{os.getpid()} run {run}", *(f"{slot} {key}" for slot, key in sorted(self.anew))]
        self._file.seek(0)
        self._file.truncate()
        self._file.write("".join(f"{line}\n" for line in lines).encode())


def _locked(file: BinaryIO) -> bool:
    try:
        _lock(file)
    except OSError:
        return False
    return True


def _pair(line: str) -> tuple[str, str]:
    slot, _, key = line.partition(" ")
    return slot, key


def _lock_path(cassette: Path) -> Path:
    folder = Path(tempfile.gettempdir()) / f"pytest-content-bias-{_user()}"
    name = hashlib.sha256(os.path.realpath(cassette).encode(errors="surrogateescape")).hexdigest()
    return folder / f"{name}.lock"


def _user() -> int:
    return os.getuid() if sys.platform != "win32" else 0


def _open(path: Path) -> BinaryIO:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        return open(_descriptor(path, flags), "r+b", buffering=0)
    except OSError as error:
        raise CassetteError(
            f"{path}: the lock that recording needs cannot be made: {error.strerror}. "
            "Point TMPDIR to a folder that can be written."
        ) from error


def _descriptor(path: Path, flags: int) -> int:
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        return os.open(path, flags, 0o600)


def _holder(file: BinaryIO) -> str:
    file.seek(0)
    return file.read(200).decode(errors="replace").partition(" ")[0] or "unknown"


def _held(cassette: Path, holder: str, patience: float) -> str:
    return (
        f"{shown(cassette)}: process {holder} is recording this case and did not end within "
        f"{patience:g} s; nothing was called. Wait for it or end it, then record again."
    )
