"""Versions of a cassette that a killed process had written, but not yet brought into place."""

from pathlib import Path

from pytest_content_bias.cassettes.durable import bring_into_place, leftovers
from pytest_content_bias.cassettes.tape import Tape
from pytest_content_bias.cassettes.tape_fault import TapeFault


def take_up_leftovers(path: Path, case_id: str) -> None:
    """Bring the longest such version into place, and remove the others.

    It must be whole, and hold every call that the cassette holds. Beside a cassette that cannot be
    used nothing is touched.

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
    versions = [(len(tape.calls), file) for file in left if (tape := _successor(file, held))]
    if versions:
        bring_into_place(max(versions)[1], path)
    for file in left:
        file.unlink(missing_ok=True)


def _successor(path: Path, held: Tape) -> Tape | None:
    """The tape in a file, if it is whole and goes on from another; else None."""
    try:
        tape = Tape.read(path, held.case_id)
    except TapeFault:
        return None
    if tape is None or not held.calls.items() < tape.calls.items():
        return None
    return tape if all(call.intact for call in tape.calls.values()) else None
