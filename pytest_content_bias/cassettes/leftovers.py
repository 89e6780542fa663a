"""Versions of a cassette that a killed process had written, but not yet brought into place."""

from pathlib import Path

from pytest_content_bias.cassettes.durable import bring_into_place, leftovers
from pytest_content_bias.cassettes.tape import Tape
from pytest_content_bias.cassettes.tape_fault import TapeFault


def take_up_leftovers(path: Path, case_id: str) -> None:
    """Bring the latest such version into place, and remove the others.

    It must be whole, and go on from the cassette. Beside a cassette that cannot be used nothing is
    touched.

    Args:
        path: the cassette; the caller holds its lock.
        case_id: the case that it belongs to.

    Raises:
        OSError: a file could not be moved or removed.
    """
    left = leftovers(path)
    if not left:
        return
    try:
        held = Tape.read(path, case_id) or Tape(case_id)
    except TapeFault:
        return
    since = _written(path) if path.exists() else 0
    versions = [
        (_written(file), len(tape.calls), file)
        for file in left
        if (tape := _whole(file, case_id)) and _goes_on(tape, held, later=_written(file) >= since)
    ]
    if versions:
        bring_into_place(max(versions)[2], path)
    for file in left:
        file.unlink(missing_ok=True)


def _written(path: Path) -> int:
    return path.stat().st_mtime_ns


def _whole(path: Path, case_id: str) -> Tape | None:
    try:
        tape = Tape.read(path, case_id)
    except TapeFault:
        return None
    return tape if tape and all(call.intact for call in tape.calls.values()) else None


def _goes_on(tape: Tape, held: Tape, *, later: bool) -> bool:
    """Whether a tape holds all calls of another one and more, or took over all their places."""
    if held.calls.items() <= tape.calls.items():
        return len(held.calls) < len(tape.calls)
    return later and held.calls.keys() <= tape.calls.keys()
