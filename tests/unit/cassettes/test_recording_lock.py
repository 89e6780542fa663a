"""One process records a case at a time."""

import asyncio
import os
import stat
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.lock import RecordingLock
from pytest_content_bias.vocabulary.errors import CassetteError


def acquire(path: Path, run: str = "run", patience: float = 5.0) -> RecordingLock:
    return asyncio.run(RecordingLock.acquire(path, run, patience))


def test_a_second_one_waits_until_the_first_is_released(tmp_path: Path) -> None:
    async def work() -> list[str]:
        order = ["first"]
        first = await RecordingLock.acquire(tmp_path / "x.yaml", "run", 5)

        async def second() -> None:
            (await RecordingLock.acquire(tmp_path / "x.yaml", "run", 5)).release()
            order.append("second")

        task = asyncio.create_task(second())
        await asyncio.sleep(0)
        order.append("released")
        first.release()
        await task
        return order

    assert asyncio.run(work()) == ["first", "released", "second"]


def test_whoever_waits_too_long_is_told_which_process_records(tmp_path: Path) -> None:
    lock = acquire(tmp_path / "x.yaml")

    with pytest.raises(CassetteError, match=f"process {os.getpid()} is recording this case"):
        acquire(tmp_path / "x.yaml", patience=0)

    lock.release()


def test_other_cassettes_are_not_waited_for(tmp_path: Path) -> None:
    locks = [acquire(tmp_path / name, patience=0) for name in ("x.yaml", "y.yaml")]

    assert len(locks) == 2
    for lock in locks:
        lock.release()


def test_what_was_recorded_anew_is_known_to_later_workers_of_the_run(tmp_path: Path) -> None:
    first = acquire(tmp_path / "x.yaml")
    first.note("judge/one_sided", "ab")
    first.release()

    second = acquire(tmp_path / "x.yaml")
    second.release()
    other_run = acquire(tmp_path / "x.yaml", run="other")
    other_run.release()

    assert second.anew == {("judge/one_sided", "ab")}
    assert other_run.anew == set()


def test_a_cancelled_wait_leaves_no_lock(tmp_path: Path) -> None:
    lock = acquire(tmp_path / "x.yaml")

    async def give_up() -> None:
        waiting = asyncio.create_task(RecordingLock.acquire(tmp_path / "x.yaml", "run", 5))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(give_up())
    lock.release()
    acquire(tmp_path / "x.yaml", patience=0).release()


def test_the_folder_of_locks_is_made_for_its_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()

    acquire(tmp_path / "x.yaml").release()

    (folder,) = (tmp_path / "tmp").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_for_temporary_files_that_cannot_be_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))

    with pytest.raises(CassetteError, match="Point TMPDIR to a folder"):
        acquire(tmp_path / "x.yaml")
