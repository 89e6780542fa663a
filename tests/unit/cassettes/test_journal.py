"""What was recorded of a case and does not yet stand in its cassette."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.durable import write_whole
from pytest_content_bias.cassettes.journal import Journal, take_up
from pytest_content_bias.cassettes.lock import RecordingLock
from pytest_content_bias.cassettes.paths import journal_path, partial_path
from pytest_content_bias.cassettes.tape import Tape, calls_of
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError, CassetteError
from tests.unit.cassettes.cassette_helpers import (
    CASE_ID,
    FakeSender,
    ask,
    chat_request,
    files_of_at_most,
    make_cassette,
    record,
)

ROOT = Path(__file__).parents[3]
SLOTS = ["generator/one_sided", "system/one_sided", "judge/one_sided"]
REQUESTS = [chat_request(slot) for slot in SLOTS]
CHANGED = [chat_request(slot, "Is wind power really cheap?") for slot in SLOTS]

KILLED_AFTER_A_REPLY = """
import os, sys
from pathlib import Path
from tests.unit.cassettes.cassette_helpers import *
from tests.unit.cassettes import test_journal

folder, mode, after = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
requests = getattr(test_journal, sys.argv[4])
sender = FakeSender()

def kill(request, reply):
    if len(sender.sent) > after:
        os.kill(os.getpid(), 9)

ask(make_cassette(folder, mode, sender, on_call=kill), *requests)
"""


def record_until_killed(folder: Path, mode: str, after: int, asked: str = "REQUESTS") -> None:
    """Record in a process that is killed right after one reply more has arrived."""
    arguments = [str(folder), mode, str(after), asked]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_AFTER_A_REPLY, *arguments], cwd=ROOT, check=False
    )
    assert killed.returncode == -9


def leave(path: Path, requests: Sequence[CallRequest] = REQUESTS, said: str = "left") -> Path:
    """What a process leaves that was killed when it had recorded some calls."""
    before = path.read_bytes() if path.exists() else None
    tape = Tape.read(path, CASE_ID) or Tape(CASE_ID)
    recorded = record(path.parent / "other", *requests, answers=dict.fromkeys(SLOTS, said))
    other = Tape.read(recorded, CASE_ID)
    assert other is not None
    journal = Journal(path, tape, tape.data(), {})
    for call in other.calls.values():
        with journal.reserve(1000):
            journal.append(call)
    journal.close()
    recorded.unlink()
    recorded.parent.rmdir()
    assert before is None or path.read_bytes() == before
    return journal_path(path)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def recorded_slots(path: Path) -> list[str]:
    tape = Tape.read(path, CASE_ID)
    return list(tape.calls) if tape else []


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_kill_right_after_a_reply_does_not_lose_it(tmp_path: Path, after: int) -> None:
    record_until_killed(tmp_path, "missing", after)

    sender = FakeSender()
    ask(make_cassette(tmp_path, "missing", sender), *REQUESTS)

    assert sender.slots == SLOTS[after + 1 :]
    assert names(tmp_path) == ["wind-power.yaml"]


def test_neither_does_a_kill_while_everything_is_recorded_anew(tmp_path: Path) -> None:
    path = record(tmp_path, *REQUESTS)
    before = path.read_bytes()

    record_until_killed(tmp_path, "all", 1)
    assert path.read_bytes() == before
    ask(make_cassette(tmp_path, "missing", FakeSender()), *REQUESTS)

    assert b"answer 2 to system/one_sided" in path.read_bytes()
    assert not partial_path(path).exists()


@pytest.mark.parametrize("after", [0, 1, 2])
def test_neither_does_a_kill_while_changed_words_are_recorded(tmp_path: Path, after: int) -> None:
    record(tmp_path, *REQUESTS)

    record_until_killed(tmp_path, "missing", after, "CHANGED")

    sender = FakeSender()
    ask(make_cassette(tmp_path, "missing", sender), *CHANGED)
    assert sender.slots == SLOTS[after + 1 :]
    assert names(tmp_path) == ["wind-power.yaml"]


def test_a_cassette_that_is_as_it_was_gets_all_that_was_recorded(tmp_path: Path) -> None:
    path = record(tmp_path, REQUESTS[0])
    leave(path)

    take_up(path, CASE_ID)

    assert recorded_slots(path) == SLOTS
    assert path.read_bytes().count(b"left") == 3
    assert names(tmp_path) == ["wind-power.yaml"]


def test_a_cassette_that_was_changed_since_gets_only_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "wind-power.yaml"
    leave(path)
    record(tmp_path / "since", REQUESTS[0], answers={SLOTS[0]: "another answer"}).rename(path)
    (tmp_path / "since").rmdir()

    take_up(path, CASE_ID)

    assert recorded_slots(path) == SLOTS
    assert b"another answer" in path.read_bytes()
    assert path.read_bytes().count(b"left") == 2
    assert names(tmp_path) == ["wind-power.yaml"]


def test_answers_of_another_system_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "wind-power.yaml"
    leave(path, [REQUESTS[1], REQUESTS[2]])
    held = record(tmp_path / "since", chat_request("system/plain"))
    tape = Tape.read(held, CASE_ID)
    assert tape is not None
    write_whole(path, replace(tape, system={"prompt.txt": "other"}).data())

    take_up(path, CASE_ID)

    assert recorded_slots(path) == ["system/plain", "judge/one_sided"]


def test_a_journal_whose_last_call_was_not_written_to_its_end_gives_the_others(
    tmp_path: Path,
) -> None:
    path = tmp_path / "wind-power.yaml"
    journal = leave(path)
    content = journal.read_bytes().rstrip(b"\0")
    journal.write_bytes(content[:-40] + bytes(4096))

    take_up(path, CASE_ID)

    assert recorded_slots(path) == SLOTS[:2]


@pytest.mark.parametrize("damage", ["empty", "zeros", "no head", "edited"])
def test_a_journal_that_cannot_be_used_is_removed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "wind-power.yaml"
    journal = leave(path, REQUESTS[:1])
    content = journal.read_bytes()
    journal.write_bytes(
        {
            "empty": b"",
            "zeros": bytes(len(content)),
            "no head": content.partition(b"\n")[2],
            "edited": content.replace(b"left", b"lost"),
        }[damage]
    )

    take_up(path, CASE_ID)

    assert names(tmp_path) == []


def test_a_journal_of_another_case_is_kept(tmp_path: Path) -> None:
    journal = leave(tmp_path / "wind-power.yaml")
    moved = journal.rename(tmp_path / ".hydro-power.yaml.journal")

    with pytest.raises(CassetteError, match=rf"holds replies to {CASE_ID}, not to .*Move it back"):
        take_up(tmp_path / "hydro-power.yaml", CASE_ID.replace("wind", "hydro"))

    assert moved.exists()


def test_a_journal_that_cannot_be_read_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "wind-power.yaml"
    journal_path(path).mkdir()

    with pytest.raises(CassetteError, match=r"\.journal: it cannot be read: Is a directory"):
        take_up(path, CASE_ID)

    assert journal_path(path).exists()


def test_recording_all_anew_loses_nothing_that_was_left_beside_a_damaged_recording(
    tmp_path: Path,
) -> None:
    path = partial_path(record(tmp_path, *REQUESTS))
    leave(path, REQUESTS[1:])
    path.write_bytes(b"<<<<<<< damaged")

    def unreachable(request: CallRequest, number: int) -> CallReply:
        raise CallError("nobody answers")

    with pytest.raises(CallError):
        ask(make_cassette(tmp_path, "all", FakeSender(unreachable)), *REQUESTS)

    assert recorded_slots(path) == SLOTS[1:]


def test_a_call_that_could_not_be_written_does_not_damage_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "wind-power.yaml"
    long = dict.fromkeys(SLOTS, "a long answer " * 1000)
    (first,) = calls_of(record(tmp_path / "first", REQUESTS[0], answers=long).read_bytes())
    (second,) = calls_of(record(tmp_path / "second", REQUESTS[1]).read_bytes())
    tape = Tape(CASE_ID)
    journal = Journal(path, tape, tape.data(), {})

    with files_of_at_most(10_000), pytest.raises(CassetteError, match="File too large"):
        journal.append(first)
    journal.append(second)
    take_up(path, CASE_ID)
    journal.close()

    assert recorded_slots(path) == [SLOTS[1]]


def test_nothing_is_done_beside_a_damaged_cassette(tmp_path: Path) -> None:
    path = tmp_path / "wind-power.yaml"
    left = leave(path)
    path.write_bytes(b"damaged")

    take_up(path, CASE_ID)

    assert path.read_bytes() == b"damaged"
    assert left.exists()


def test_what_cannot_be_taken_up_is_kept_and_nothing_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = leave(tmp_path / "wind-power.yaml", REQUESTS[:2])
    before, sender = left.read_bytes(), FakeSender()
    cassette = make_cassette(tmp_path, "missing", sender)

    async def work(request: CallRequest) -> None:
        async with cassette.working():
            await cassette.call(request)

    async def metrics_at_once() -> list[BaseException | None]:
        held = await RecordingLock.acquire(tmp_path / "wind-power.yaml", "another run", 5.0)
        waiting = [asyncio.create_task(work(request)) for request in REQUESTS]
        await asyncio.sleep(0)
        held.release()
        return await asyncio.gather(*waiting, return_exceptions=True)

    monkeypatch.setattr(os, "replace", input_output_error)
    errors = asyncio.run(metrics_at_once())
    monkeypatch.undo()

    assert [type(error) for error in errors] == [CassetteError] * 3
    assert sender.sent == []
    assert left.read_bytes() == before
    ask(make_cassette(tmp_path, "missing", sender), *REQUESTS)
    assert sender.slots == SLOTS[2:]


def input_output_error(source: str, target: str) -> None:
    raise OSError(5, "Input/output error")


def test_room_is_taken_before_a_call_and_kept_for_the_cassette(tmp_path: Path) -> None:
    path = tmp_path / "wind-power.yaml"
    journal = Journal(path, Tape(CASE_ID), b"", {})

    with journal.reserve(600_000):
        assert journal_path(path).stat().st_size >= 2 * 600_000
    journal.close()

    assert journal_path(path).stat().st_size < 1000


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "cassettes").write_text("", encoding="utf-8")

    with pytest.raises(
        CassetteError, match=r"x\.yaml: the cassette cannot be written: (?:File|Not)"
    ):
        Journal(tmp_path / "cassettes" / "x.yaml", Tape(CASE_ID), b"", {})


def test_calls_reach_the_disk_once_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (call,) = calls_of(record(tmp_path / "other", REQUESTS[0]).read_bytes())
    synced, now = list[float](), [100.0]
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(now[0]))
    journal = Journal(tmp_path / "x.yaml", Tape(CASE_ID), b"", {}, lambda: now[0])

    for moment in (100.4, 100.8, 101.0, 101.5, 102.5):
        now[0] = moment
        journal.append(call)
    journal.close()

    assert sorted(set(synced)) == [101.0, 102.5]
