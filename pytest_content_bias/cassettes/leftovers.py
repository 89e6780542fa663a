"""Versions of a cassette that a killed process had written, but not yet brought into place."""

from pathlib import Path

from pytest_content_bias.cassettes.durable import bring_into_place, leftovers
from pytest_content_bias.cassettes.tape import Tape
from pytest_content_bias.cassettes.tape_fault import TapeFault


def take_up_leftovers(path: Path, case_id: str) -> None:
    """Bring the latest such version into place, and remove the others.

    It must be whole, and either be written after the cassette or hold every call that the cassette
    holds. Beside a cassette that cannot be used nothing is touched.

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
    since = _written(path) if held.calls else 0
    versions = [
        (_written(file), len(tape.calls), file)
        for file in left
        if (tape := _whole(file, case_id))
        and (_written(file) >= since or held.calls.items() < tape.calls.items())
    ]
    if versions:
        bring_into_place(max(versions)[-1], path)
    for file in left:
        file.unlink(missing_ok=True)


def _whole(path: Path, case_id: str) -> Tape | None:
    """The tape in a file, if that was written to its end; else None."""
    try:
        tape = Tape.read(path, case_id)
    except TapeFault:
        return None
    return tape if tape and all(call.intact for call in tape.calls.values()) else None


def _written(path: Path) -> int:
    """When a file was written; bringing it into place does not count."""
    return path.stat().st_mtime_ns
