"""The cassette of a case while it grows: in a file at once, in its place once in a while."""

from pathlib import Path

import pytest

from pytest_content_bias.cassettes.call_writer import write_request
from pytest_content_bias.cassettes.durable import leftovers
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.tape import Tape
from pytest_content_bias.cassettes.tapes import Tapes
from pytest_content_bias.vocabulary.calls import CallReply
from tests.unit.cassettes.cassette_helpers import CASE_ID, COMMAND

SLOTS = ["generator/one_sided", "system/one_sided", "judge/one_sided"]


class Clock:
    """A clock that stands still until it is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wind-power.yaml"


@pytest.fixture
def tapes(path: Path, clock: Clock) -> Tapes:
    mode = RecordMode.parse("missing")
    return Tapes(path, CASE_ID, mode, COMMAND, lambda call: None, {}, clock)


def recorded(slot: str) -> RecordedCall:
    reply = CallReply(status=200, body="yes", host="", latency_ms=1, recorded="2026-11-30")
    return write_request(slot, "0" * 64, {"body": slot}).answered(reply)


def add(tapes: Tapes, slot: str) -> None:
    with tapes.reserve(1000) as room:
        tapes.add(recorded(slot), room)


def in_place(path: Path) -> list[str]:
    tape = Tape.read(path, CASE_ID)
    return [] if tape is None else list(tape.calls)


def beside(path: Path) -> list[list[str]]:
    return [in_place(file) for file in leftovers(path)]


def test_the_first_reply_is_brought_into_place_at_once(tapes: Tapes, path: Path) -> None:
    add(tapes, SLOTS[0])

    assert in_place(path) == SLOTS[:1]
    assert beside(path) == []


def test_what_follows_within_a_second_waits_in_one_file_beside_it(
    tapes: Tapes, path: Path, clock: Clock
) -> None:
    add(tapes, SLOTS[0])
    for slot in SLOTS[1:]:
        clock.now += 0.3
        add(tapes, slot)

    assert in_place(path) == SLOTS[:1]
    assert beside(path) == [SLOTS]


def test_after_a_second_the_next_reply_brings_all_into_place(
    tapes: Tapes, path: Path, clock: Clock
) -> None:
    add(tapes, SLOTS[0])
    add(tapes, SLOTS[1])
    clock.now += 1.0
    add(tapes, SLOTS[2])

    assert in_place(path) == SLOTS
    assert beside(path) == []


def test_at_the_end_of_the_case_nothing_waits(tapes: Tapes, path: Path) -> None:
    for slot in SLOTS:
        add(tapes, slot)
    tapes.bring_into_place()
    tapes.bring_into_place()

    assert in_place(path) == SLOTS
    assert beside(path) == []
