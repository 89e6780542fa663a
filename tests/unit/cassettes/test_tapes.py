"""The cassette of a case while it grows: in the journal at once, in the cassette at the end."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.call_writer import write_request
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.tape import Tape, intact_calls
from pytest_content_bias.cassettes.tapes import Tapes
from pytest_content_bias.vocabulary.calls import CallReply
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import CASE_ID, COMMAND

SLOTS = ["generator/one_sided", "system/one_sided", "judge/one_sided"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wind-power.yaml"


@pytest.fixture
def tapes(path: Path) -> Iterator[Tapes]:
    mode = RecordMode.parse("missing")
    tapes = Tapes(path, CASE_ID, mode, COMMAND, lambda call: None, {})
    yield tapes
    with contextlib.suppress(CassetteError):
        tapes.bring_into_place()


def recorded(slot: str) -> RecordedCall:
    reply = CallReply(status=200, body="yes", host="", latency_ms=1, recorded="2026-11-30")
    return write_request(slot, "0" * 64, {"body": slot}).answered(reply)


def add(tapes: Tapes, slot: str) -> None:
    with tapes.reserve(1000):
        tapes.add(recorded(slot))


def in_place(path: Path) -> list[str]:
    tape = Tape.read(path, CASE_ID)
    return [] if tape is None else list(tape.calls)


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def test_each_call_is_in_the_journal_at_once(tapes: Tapes, path: Path) -> None:
    for count, slot in enumerate(SLOTS, start=1):
        add(tapes, slot)

        (journal,) = path.parent.iterdir()
        assert [call.slot for call in intact_calls(journal.read_bytes().rstrip(b"\0"))] == SLOTS[
            :count
        ]


def test_at_the_end_all_is_in_place_and_nothing_beside_it(tapes: Tapes, path: Path) -> None:
    for slot in SLOTS:
        add(tapes, slot)
    tapes.bring_into_place()
    tapes.bring_into_place()

    assert in_place(path) == SLOTS
    assert names(path) == ["wind-power.yaml"]


def test_room_that_was_not_used_leaves_nothing(tapes: Tapes, path: Path) -> None:
    with tapes.reserve(1000):
        assert names(path) == [".wind-power.yaml.journal"]
    tapes.bring_into_place()

    assert names(path) == []


def test_a_cassette_that_cannot_be_written_leaves_all_in_the_journal(
    tapes: Tapes, path: Path
) -> None:
    add(tapes, SLOTS[0])
    path.mkdir()

    with pytest.raises(CassetteError, match=r"What was recorded before is kept"):
        tapes.bring_into_place()

    journal = path.with_name(".wind-power.yaml.journal")
    assert [call.slot for call in intact_calls(journal.read_bytes())] == SLOTS[:1]
