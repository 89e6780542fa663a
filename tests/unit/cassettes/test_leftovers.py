"""Replies that a process had written when it was killed, but had not yet brought into place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.durable import Reserved, write_whole
from pytest_content_bias.cassettes.leftovers import take_up_leftovers
from pytest_content_bias.cassettes.paths import partial_path
from tests.unit.cassettes.cassette_helpers import (
    CASE_ID,
    FakeSender,
    ask,
    chat_request,
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
from tests.unit.cassettes import test_leftovers

folder, mode, after = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
requests = getattr(test_leftovers, sys.argv[4])
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


def leave(path: Path, content: bytes) -> Path:
    """What a killed process leaves of a version that it had written whole."""
    earlier = set(path.parent.glob(".*.tmp"))
    left = Reserved(path, 0)
    left.fill(content)
    (found,) = set(path.parent.glob(".*.tmp")) - earlier
    return found


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def longer(tmp_path: Path) -> bytes:
    """The content of a cassette of all three calls."""
    return record(tmp_path / "longer", *REQUESTS).read_bytes()


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


def test_of_two_versions_the_later_one_is_taken_up(tmp_path: Path, longer: bytes) -> None:
    path = tmp_path / "wind-power.yaml"
    changed = record(tmp_path / "changed", *CHANGED).read_bytes()
    for hour, content in enumerate([longer, changed, longer, changed]):
        os.utime(leave(path, content), (hour * 3600, hour * 3600))

    take_up_leftovers(path, CASE_ID)

    assert path.read_bytes() == changed
    assert names(tmp_path) == ["changed", "longer", "wind-power.yaml"]


def test_a_cassette_that_was_changed_since_stays_as_it_is(tmp_path: Path, longer: bytes) -> None:
    path = tmp_path / "wind-power.yaml"
    left = leave(path, longer)
    changed = record(tmp_path / "changed", REQUESTS[0], answers={SLOTS[0]: "another answer"})
    write_whole(path, changed.read_bytes())
    os.utime(left, ns=(0, path.stat().st_mtime_ns - 1))

    take_up_leftovers(path, CASE_ID)

    assert path.read_bytes() == changed.read_bytes()
    assert names(tmp_path) == ["changed", "longer", "wind-power.yaml"]


def test_an_earlier_version_that_lacks_a_recorded_call_is_not_taken_up(
    tmp_path: Path, longer: bytes
) -> None:
    path = record(tmp_path, REQUESTS[0], chat_request("judge/plain"))
    before = path.read_bytes()
    os.utime(leave(path, longer), (0, 0))

    take_up_leftovers(path, CASE_ID)

    assert path.read_bytes() == before
    assert names(tmp_path) == ["longer", "wind-power.yaml"]


@pytest.mark.parametrize("damage", ["cut off", "edited", "of another case", "not filled"])
def test_a_version_that_is_not_whole_is_removed(tmp_path: Path, longer: bytes, damage: str) -> None:
    path = tmp_path / "wind-power.yaml"
    leave(
        path,
        {
            "cut off": longer[:-200],
            "edited": longer.replace(b"answer to judge", b"Answer to judge"),
            "of another case": longer.replace(b"::wind-power", b"::wind-pawer"),
            "not filled": bytes(len(longer)),
        }[damage],
    )

    take_up_leftovers(path, CASE_ID)

    assert names(tmp_path) == ["longer"]


def test_nothing_takes_the_place_of_a_damaged_cassette(tmp_path: Path, longer: bytes) -> None:
    path = tmp_path / "wind-power.yaml"
    write_whole(path, b"damaged")
    left = leave(path, longer)

    take_up_leftovers(path, CASE_ID)

    assert path.read_bytes() == b"damaged"
    assert left.exists()


@pytest.mark.parametrize(
    ("name", "neighbour"),
    [("wind.yaml", "wind.yaml.power.yaml"), ("wind[1].yaml", "wind1.yaml")],
)
def test_what_was_left_beside_another_cassette_is_let_be(
    tmp_path: Path, longer: bytes, name: str, neighbour: str
) -> None:
    left = leave(tmp_path / neighbour, longer)

    take_up_leftovers(tmp_path / name, CASE_ID)

    assert left.exists()


def test_the_name_of_a_cassette_may_hold_what_globs_are_made_of(
    tmp_path: Path, longer: bytes
) -> None:
    path = tmp_path / "wind[1].yaml"
    leave(path, longer)

    take_up_leftovers(path, CASE_ID)

    assert path.read_bytes() == longer
