"""Work on a whole cassette directory: check it, find what no case needs, move what was renamed."""

import asyncio
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from pytest_content_bias.cassettes.durable import write_whole
from pytest_content_bias.cassettes.journal import case_of_journal, take_up
from pytest_content_bias.cassettes.lock import RecordingLock
from pytest_content_bias.cassettes.paths import (
    ENDING,
    JOURNAL_ENDING,
    PARTIAL_ENDING,
    cassette_path,
    cassette_place,
    partial_path,
    shown,
)
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cassettes.tape import Tape, calls_of, case_of, read_content
from pytest_content_bias.cassettes.tape_fault import TapeFault
from pytest_content_bias.vocabulary.errors import CassetteError

_JOURNALS = f".*{ENDING}{JOURNAL_ENDING}"
_CUT_OFF = "was not written to its end, since a process was killed; remove it."


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with a cassette.

    Attributes:
        path: the cassette.
        line: the 1-based line, or None when the file as a whole is meant.
        message: what is wrong, in a sentence or two.
    """

    path: Path
    line: int | None
    message: str

    def __str__(self) -> str:
        line = f":{self.line}" if self.line else ""
        return f"{shown(self.path)}{line}: {self.message}"


def verify(directory: Path, case_ids: Collection[str], screen: SecretScreen) -> list[Problem]:
    """Check every cassette without running anything.

    Each must be readable, whole, unchanged since it was recorded, of a format that is known, free
    of secrets, and stand where the case that it names has its cassette.

    Args:
        directory: the cassette directory.
        case_ids: every case there is.
        screen: knows the secrets.
    """
    return [
        *(
            problem
            for path in _files(directory, f"*{ENDING}")
            for problem in _problems(path, case_ids, directory, screen)
        ),
        *(_unfinished(path, case_ids) for path in _files(directory, _JOURNALS)),
        *(Problem(path, None, _CUT_OFF) for path in _files(directory, f".*{ENDING}.tmp")),
    ]


def orphans(directory: Path, case_ids: Collection[str]) -> dict[Path, str]:
    """The cassettes and journals of cases that there are no longer; never files of others.

    A file in the place of an existing case's cassette is not read: what it holds is for `verify`.

    Args:
        directory: the cassette directory.
        case_ids: every case there is.

    Returns:
        Each file, and the case that it belongs to.
    """
    in_place = {cassette_place(*_split(case_id)) for case_id in case_ids}
    others = sorted(directory / place for place in _places(directory) if place not in in_place)
    return {
        path: case_id
        for path in others
        if (case_id := _owner(path)) is not None and case_id not in case_ids
    }


def prune(directory: Path, case_ids: Collection[str]) -> list[Path]:
    """Remove orphaned cassettes and journals, and folders that this leaves empty.

    Args:
        directory: the cassette directory.
        case_ids: every case there is.

    Returns:
        What was removed.

    Raises:
        CassetteError: a file could not be removed.
    """
    removed = list(orphans(directory, case_ids))
    for path in removed:
        try:
            path.unlink()
        except OSError as error:
            raise CassetteError(f"{shown(path)}: cannot be removed: {error.strerror}") from None
        _remove_empty(path.parent, directory)
    return removed


def drop_calls(path: Path, case_id: str, slots: Collection[str]) -> None:
    """Remove calls that no metric asks for; a cassette without calls is removed.

    Args:
        path: the cassette.
        case_id: the case that it belongs to.
        slots: the calls to remove.

    Raises:
        CassetteError: the cassette cannot be used or written, or is being recorded.
    """
    with _alone(path):
        take_up(path, case_id)
        tape = _read(path, case_id)
        tape.calls = {slot: call for slot, call in tape.calls.items() if slot not in slots}
        if tape.calls:
            write_whole(path, tape.data())
        else:
            path.unlink()


def rename(directory: Path, old_case_id: str, new_case_id: str) -> Path:
    """Move the recordings of a case that was renamed or moved, unless they were moved by hand.

    Args:
        directory: the cassette directory.
        old_case_id: the case as the cassette knows it, `path::input_id`.
        new_case_id: the case as it is called now.

    Returns:
        The cassette's new place.

    Raises:
        CassetteError: there is nothing to move, something stands in its new place, or the case is
            being recorded.
    """
    old, new = _place(directory, old_case_id), _place(directory, new_case_id)
    if not old.exists() and _case_of(new) == old_case_id:
        old = new
    in_place = old == new and old_case_id != new_case_id
    pairs = [(old, new), (partial_path(old), partial_path(new))]
    with _alone(old):
        for source, _ in pairs:
            take_up(source, old_case_id)
        if not old.exists():
            raise CassetteError(f"{shown(old)}: {old_case_id} has no cassette that could be moved")
        for _, target in pairs:
            if os.path.exists(target) and not in_place:
                raise CassetteError(f"{shown(target)}: stands in the way; remove it first")
        with nullcontext() if in_place else _alone(new):
            for source, target in pairs:
                if source.exists():
                    tape = _read(source, old_case_id)
                    write_whole(target, replace(tape, case_id=new_case_id).data())
                    if not in_place:
                        source.unlink()
    _remove_empty(old.parent, directory)
    return new


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep others from recording into a cassette."""
    lock = asyncio.run(RecordingLock.acquire(path, "", 0.0))
    try:
        yield
    finally:
        lock.release()


def _files(directory: Path, pattern: str) -> list[Path]:
    paths = (directory / place for place in _places(directory))
    return sorted(path for path in paths if fnmatch(path.name, pattern) and path.is_file())


def _places(directory: Path) -> Iterator[str]:
    """Every file below a folder, relative to it; to make a `Path` takes longer than to find it."""
    for folder, _, names in os.walk(directory):
        below = os.path.relpath(folder, directory).replace(os.sep, "/")
        yield from (f"{below}/{name}" for name in names)


def _owner(path: Path) -> str | None:
    """The case that a cassette or a journal belongs to; None: it is neither."""
    if not path.is_file():
        return None
    if fnmatch(path.name, _JOURNALS):
        return case_of_journal(path)
    return _case_of(path) if path.name.endswith(ENDING) else None


def _problems(
    path: Path, case_ids: Collection[str], directory: Path, screen: SecretScreen
) -> Iterator[Problem]:
    try:
        data = read_content(path) or b""
        calls_of(data)
    except TapeFault as fault:
        yield Problem(path, fault.line, fault.problem)
        return
    for number, line in enumerate(data.decode().split("\n"), start=1):
        if kind := screen.find(line):
            yield Problem(path, number, f"holds {kind}.")
    case_id = _case_of(path)
    if case_id is None or case_id not in case_ids:
        yield Problem(path, 4, f"belongs to {case_id}, which is no case.")
    elif path.name.endswith(PARTIAL_ENDING):
        yield Problem(path, None, "a recording that did not end; record the case again.")
    elif path != cassette_path(directory, *_split(case_id)):
        yield Problem(path, 4, f"is not where the cassette of {case_id} is looked for.")


def _unfinished(journal: Path, case_ids: Collection[str]) -> Problem:
    case_id = case_of_journal(journal)
    if case_id is None:
        return Problem(journal, None, "a recording that did not end, and cannot be read.")
    if case_id in case_ids:
        return Problem(journal, None, f"a recording that did not end; record {case_id} again.")
    return Problem(journal, None, f"what is left of a recording of {case_id}, which is no case.")


def _case_of(path: Path) -> str | None:
    try:
        return case_of(path)
    except TapeFault:
        return None


def _read(path: Path, case_id: str) -> Tape:
    try:
        tape = Tape.read(path, case_id)
    except TapeFault as fault:
        raise CassetteError(str(Problem(path, fault.line, fault.problem))) from None
    if tape is None:
        raise CassetteError(f"{shown(path)}: there is no such cassette")
    return tape


def _split(case_id: str) -> tuple[str, str]:
    path, _, input_id = case_id.rpartition("::")
    return path, input_id


def _place(directory: Path, case_id: str) -> Path:
    path, input_id = _split(case_id)
    if not path:
        raise CassetteError(f"{case_id!r}: expected a case as `path::input_id`")
    return cassette_path(directory, path, input_id)


def _remove_empty(folder: Path, directory: Path) -> None:
    while folder != directory and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
