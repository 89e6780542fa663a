"""What was recorded of a case and does not yet stand in its cassette: a write-ahead log.

A call is appended as soon as it was answered, in the words of the cassette, so that it outlasts
this process at once. It outlasts a power cut, too, unless several replies came within a second:
then all of them do with the first one after that. When the case is done, the cassette is written
and the journal is removed. The next recording takes up what a killed process left.
"""

import contextlib
import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from io import FileIO
from pathlib import Path
from typing import Self

from pytest_content_bias.cassettes.durable import WRITING, sync_folder, unwritable, write_whole
from pytest_content_bias.cassettes.paths import journal_path, shown
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.tape import Tape, intact_calls, is_systems, read_content
from pytest_content_bias.cassettes.tape_fault import TapeFault
from pytest_content_bias.vocabulary.errors import CassetteError

_SECONDS_BETWEEN_SYNCS = 1.0
"""How often at most the disk is waited for."""
_STEP = 256 * 1024
"""Room on disk is taken in steps of so many bytes, since taking it is slow."""


class Room:
    """Room on disk for one call, until it is given back; leaving the context does that.

    Args:
        journal: where the call will be written.
        size: the bytes that it may need.
    """

    def __init__(self, journal: "Journal", size: int) -> None:
        self._journal, self._size = journal, size

    def give_back(self) -> None:
        """The call was written, or will not be."""
        self._journal.give_back(self._size)
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.give_back()


class Journal:
    """The journal of a cassette that is being recorded.

    Args:
        path: the cassette.
        tape: what stands in the cassette.
        data: the same, as the content of the file.
        system: the fingerprint of the system whose answers will be recorded.
        clock: a time in seconds that never goes back.

    Attributes:
        begun: whether there was a call to write.

    Raises:
        CassetteError: it cannot be written.
    """

    def __init__(
        self,
        path: Path,
        tape: Tape,
        data: bytes,
        system: Mapping[str, str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._clock = path, clock
        self._held, self._end, self._promised, self._allocated = len(data), 0, 0, 0
        self._changing, self._synced = threading.Lock(), clock()
        self.begun = False
        try:
            self._file = _opened(journal_path(path))
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            self._write(_Head(tape.case_id, _digest(data), dict(system)).line())
        except OSError as error:
            self.remove()
            raise unwritable(path, error) from error

    def reserve(self, size: int) -> Room:
        """Take room for a call before it is paid; for the cassette that it will stand in, too.

        Args:
            size: the bytes that it may need.

        Raises:
            CassetteError: there is none.
        """
        with self._changing:
            needed = self._held + 2 * (self._end + self._promised + size)
            try:
                self._allocate(needed)
            except OSError as error:
                raise unwritable(self._path, error) from error
            self._promised += size
        return Room(self, size)

    def give_back(self, size: int) -> None:
        """Room that `reserve` took is not needed any more; `Room` does this.

        Args:
            size: in bytes.
        """
        with self._changing:
            self._promised -= size

    def append(self, call: RecordedCall) -> None:
        """Write a call.

        Args:
            call: the call.

        Raises:
            CassetteError: it could not be written.
        """
        with self._changing:
            self.begun = True
            try:
                self._write(call.chunk)
                if self._clock() - self._synced >= _SECONDS_BETWEEN_SYNCS:
                    os.fsync(self._file.fileno())
                    sync_folder(self._path.parent)
                    self._synced = self._clock()
            except OSError as error:
                raise unwritable(self._path, error) from error

    def close(self) -> None:
        """End it, and give back all room that is left."""
        with contextlib.suppress(OSError), self._file:
            self._file.truncate(self._end)

    def remove(self) -> None:
        """End it, since the cassette holds what it held."""
        self._file.close()
        with contextlib.suppress(OSError):
            journal_path(self._path).unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        self._file.seek(self._end)
        view = memoryview(data)
        try:
            while view:
                view = view[self._file.write(view) :]
        except OSError:
            # What follows may be shorter: the rest of this must not stand behind it.
            with contextlib.suppress(OSError):
                self._file.truncate(self._end)
            self._allocated = self._end
            raise
        self._end += len(data)

    def _allocate(self, size: int) -> None:
        if size <= self._allocated:
            return
        growth = -(-(size - self._allocated) // _STEP) * _STEP
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._file.fileno(), self._allocated, growth)
        else:
            self._file.seek(max(self._allocated, self._end))
            self._file.write(bytes(growth))
        self._allocated += growth


def _opened(file: Path) -> FileIO:
    file.parent.mkdir(parents=True, exist_ok=True)
    return open(os.open(file, WRITING | os.O_TRUNC, 0o666), "wb", buffering=0)


def take_up(path: Path, case_id: str, *, salvage: bool = False) -> None:
    """Write into a cassette what a killed process had recorded for it, and remove the journal.

    Where the cassette was changed since, only calls that it lacks are taken. Beside a cassette
    that cannot be used, nothing is touched.

    Args:
        path: the cassette; the caller holds its lock.
        case_id: the case that it belongs to.
        salvage: keep what is intact of a damaged cassette.

    Raises:
        CassetteError: the journal cannot be read or belongs to another case, or the cassette could
            not be written; the journal is kept.
    """
    file = journal_path(path)
    if not file.exists():
        return
    try:
        held = Tape.read(path, case_id) or Tape(case_id)
    except TapeFault as fault:
        if not (salvage and fault.replaceable):
            return
        held = Tape.salvage(path, case_id)
    try:
        taken = _continue(held, file)
    except TapeFault as fault:
        raise CassetteError(f"{shown(file)}: {fault.problem}") from None
    if taken:
        write_whole(path, held.data())
    try:
        file.unlink()
    except OSError as error:
        raise unwritable(path, error) from error


def case_of_journal(file: Path) -> str | None:
    """The case that a journal belongs to; None where that cannot be read.

    Args:
        file: the journal.
    """
    try:
        content = _read(file)
    except TapeFault:
        return None
    return content[0].case if content else None


def _continue(held: Tape, file: Path) -> bool:
    """Add what a journal holds to the tape that it belongs to; say whether that was anything."""
    content = _read(file)
    if content is None:
        return False
    head, data = content
    if head.case != held.case_id:
        raise TapeFault(
            1,
            f"holds replies to {head.case}, not to {held.case_id}. Move it back, then `python -m "
            f"pytest_content_bias rename {head.case} {held.case_id}`; or remove it, which loses "
            "these replies.",
        )
    unchanged = _digest(held.data()) == head.continues
    same_system = not held.answers or held.system == head.system
    taken = [
        call
        for call in intact_calls(data)
        if unchanged or (call.slot not in held.calls and (same_system or not is_systems(call.slot)))
    ]
    for call in taken:
        held.take(call, head.system)
    return bool(taken)


def _read(file: Path) -> "tuple[_Head, bytes] | None":
    data = (read_content(file) or b"").rstrip(b"\0")
    head = _Head.read(data.partition(b"\n")[0])
    return (head, data) if head else None


@dataclass(frozen=True, slots=True)
class _Head:
    """The first line.

    Attributes:
        case: the case.
        continues: the hash of the cassette's content when the recording began.
        system: the fingerprint of the system whose answers follow.
    """

    case: str
    continues: str
    system: dict[str, str]

    def line(self) -> bytes:
        return f"{json.dumps(asdict(self))}\n".encode()

    @classmethod
    def read(cls, line: bytes) -> Self | None:
        """What a whole first line says, else None."""
        try:
            return cls(**json.loads(line))
        except (ValueError, TypeError):
            return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
