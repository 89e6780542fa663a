"""Checking, pruning and moving cassettes."""

import asyncio
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.journal import Journal
from pytest_content_bias.cassettes.lock import RecordingLock
from pytest_content_bias.cassettes.maintenance import drop_calls, orphans, prune, rename, verify
from pytest_content_bias.cassettes.paths import journal_path
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cassettes.tape import Tape, calls_of, case_of
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import (
    CASE_ID,
    NO_SECRETS,
    FakeSender,
    ask,
    chat_request,
    make_cassette,
    record,
)

ONE, TWO = chat_request(), chat_request("judge/plain")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A cassette directory with one cassette of two calls."""
    record(tmp_path / "cases" / "energy", ONE, TWO)
    return tmp_path


@pytest.fixture
def path(directory: Path) -> Path:
    """Its cassette."""
    return directory / "cases" / "energy" / "wind-power.yaml"


def problems(directory: Path, screen: SecretScreen = NO_SECRETS) -> list[str]:
    return [str(problem) for problem in verify(directory, {CASE_ID}, screen)]


def test_a_directory_in_order_has_no_problems(directory: Path) -> None:
    assert problems(directory) == []
    assert problems(directory / "missing") == []


def test_a_damaged_call_is_found_whether_or_not_it_is_asked_for(
    directory: Path, path: Path
) -> None:
    path.write_bytes(path.read_bytes().replace(b"answer to judge/plain", b"edited"))

    (problem,) = problems(directory)

    assert problem.startswith(f"{path}:")
    assert problem.endswith("this call was edited by hand, or cut off.")


def test_a_foreign_file_is_a_problem_and_never_an_orphan(directory: Path) -> None:
    (directory / "other.yaml").write_text("a: b\n", encoding="utf-8")

    assert len(problems(directory)) == 1
    assert orphans(directory, {CASE_ID}) == {}


def test_a_secret_is_found_with_its_line_and_not_shown(directory: Path, path: Path) -> None:
    screen = SecretScreen({"TOKEN": "answer to judge/plain"})

    (problem,) = problems(directory, screen)

    line = path.read_text(encoding="utf-8").split("answer to judge/plain")[0].count("\n") + 1
    assert problem == f"{path}:{line}: holds the value of TOKEN."


def test_a_cassette_without_a_case_is_a_problem(directory: Path) -> None:
    (problem,) = verify(directory, set(), NO_SECRETS)

    assert problem.line == 4
    assert problem.message == f"belongs to {CASE_ID}, which is no case."


def test_a_cassette_in_another_place_is_a_problem(directory: Path, path: Path) -> None:
    path.rename(directory / "elsewhere.yaml")

    (problem,) = verify(directory, {CASE_ID}, NO_SECRETS)

    assert "is not where the cassette of" in problem.message


def test_an_unfinished_recording_is_a_problem(directory: Path, path: Path) -> None:
    ask(make_cassette(path.parent, "all", FakeSender()), ONE, finish=False)

    (problem,) = verify(directory, {CASE_ID}, NO_SECRETS)

    assert problem.path.name == "wind-power.partial.yaml"
    assert "did not end" in problem.message


def test_pruning_removes_orphans_and_the_folders_that_they_leave_empty(
    directory: Path, path: Path
) -> None:
    assert prune(directory, {CASE_ID}) == []
    assert path.exists()

    assert prune(directory, {"cases/energy.bias.yaml::solar-power"}) == [path]
    assert list(directory.iterdir()) == []


def test_what_stands_in_the_place_of_a_case_is_a_problem_and_no_orphan_whoever_it_names(
    directory: Path, path: Path
) -> None:
    path.rename(path.with_stem("solar-power"))
    others = {"cases/energy.bias.yaml::solar-power"}

    (problem,) = verify(directory, others, NO_SECRETS)
    assert problem.message == f"belongs to {CASE_ID}, which is no case."
    assert prune(directory, others) == []


@pytest.mark.parametrize("name", ["wind-power.yaml.orig", "wind-power.json", "notes.txt"])
def test_a_copy_under_another_ending_is_let_be(directory: Path, path: Path, name: str) -> None:
    copy = path.with_name(name)
    copy.write_bytes(path.read_bytes())

    assert prune(directory, set()) == [path]
    assert copy.exists()


def test_what_is_no_file_is_let_be(directory: Path, path: Path) -> None:
    path.with_stem("link").symlink_to(directory / "nowhere")

    assert prune(directory, set()) == [path]
    assert path.with_stem("link").is_symlink()


def test_calls_that_nobody_asks_for_are_dropped(path: Path) -> None:
    drop_calls(path, CASE_ID, {"judge/plain"})

    tape = Tape.read(path, CASE_ID)
    assert tape is not None
    assert list(tape.calls) == ["judge/one_sided"]

    drop_calls(path, CASE_ID, {"judge/one_sided"})
    assert not path.exists()


def leave_a_call(path: Path) -> Path:
    """What a process leaves that was killed when it had recorded a third call."""
    other = record(path.parent / "other", chat_request("judge/justify_judge"))
    (call,) = calls_of(other.read_bytes())
    other.unlink()
    other.parent.rmdir()
    tape = Tape.read(path, CASE_ID) or Tape(CASE_ID)
    journal = Journal(path, tape, tape.data(), {})
    journal.append(call)
    journal.close()
    return journal_path(path)


def test_a_renamed_case_keeps_what_a_killed_process_left(directory: Path, path: Path) -> None:
    leave_a_call(path)
    new_id = "cases/power/more.bias.yaml::wind"

    moved = rename(directory, CASE_ID, new_id)

    tape = Tape.read(moved, new_id)
    assert tape is not None
    assert set(tape.calls) == {"judge/one_sided", "judge/plain", "judge/justify_judge"}
    assert not path.parent.exists()


def test_pruning_removes_what_a_killed_process_left_of_an_orphan(
    directory: Path, path: Path
) -> None:
    leave_a_call(path)

    prune(directory, set())

    assert list(directory.iterdir()) == []


@pytest.mark.parametrize("recorded", [True, False])
def test_what_a_killed_process_left_is_mentioned(
    directory: Path, path: Path, *, recorded: bool
) -> None:
    journal = leave_a_call(path)
    if not recorded:
        path.unlink()

    (problem,) = verify(directory, {CASE_ID}, NO_SECRETS)
    assert problem.path == journal
    assert f"did not end; record {CASE_ID} again" in problem.message

    path.unlink(missing_ok=True)
    (problem,) = verify(directory, set(), NO_SECRETS)
    assert "no case" in problem.message
    assert prune(directory, set()) == [journal]
    assert list(directory.iterdir()) == []


def test_a_renamed_case_keeps_its_recordings(directory: Path, path: Path) -> None:
    old_calls = path.read_bytes().partition(b"calls:")[2]

    new = rename(directory, CASE_ID, "cases/power/wind.bias.yaml::onshore")

    assert new == directory / "cases" / "power" / "wind" / "onshore.yaml"
    assert case_of(new) == "cases/power/wind.bias.yaml::onshore"
    assert new.read_bytes().partition(b"calls:")[2] == old_calls
    assert not path.parent.exists()


def test_recordings_that_were_moved_by_hand_are_renamed_where_they_are(
    directory: Path, path: Path
) -> None:
    (directory / "power").mkdir()
    moved = path.rename(directory / "power" / "onshore.yaml")

    assert rename(directory, CASE_ID, "power.bias.yaml::onshore") == moved
    assert verify(directory, {"power.bias.yaml::onshore"}, NO_SECRETS) == []


def test_recordings_are_renamed_where_they_are_when_the_ending_of_the_case_file_changed(
    directory: Path, path: Path
) -> None:
    ask(make_cassette(path.parent, "all", FakeSender()), ONE, finish=False)
    case_id = CASE_ID.replace(".bias.yaml", ".bias.yml")

    assert rename(directory, CASE_ID, case_id) == path
    assert [case_of(file) for file in path.parent.iterdir()] == [case_id, case_id]


def test_an_unfinished_recording_is_moved_with_its_cassette(directory: Path, path: Path) -> None:
    ask(make_cassette(path.parent, "all", FakeSender()), ONE, finish=False)

    new = rename(directory, CASE_ID, "cases/energy.bias.yaml::onshore")

    assert sorted(p.name for p in new.parent.iterdir()) == ["onshore.partial.yaml", "onshore.yaml"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cases/energy.bias.yaml::none", CASE_ID, "has no cassette that could be moved"),
        (CASE_ID, CASE_ID, "stands in the way"),
        (CASE_ID, "../../x.bias.yaml::x", "outside"),
        (CASE_ID, "wind", "expected a case as `path::input_id`"),
        (CASE_ID, f"{'b' * 300}.bias.yaml::x", "File name too long"),
    ],
)
def test_a_case_that_cannot_be_moved_is_named(
    directory: Path, path: Path, old: str, new: str, words: str
) -> None:
    before = path.read_bytes()

    with pytest.raises(CassetteError, match=words):
        rename(directory, old, new)

    assert path.read_bytes() == before


def test_a_damaged_cassette_is_not_moved(directory: Path, path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])

    with pytest.raises(CassetteError, match=r"wind-power\.yaml"):
        rename(directory, CASE_ID, "cases/energy.bias.yaml::onshore")


def test_dropping_calls_of_no_cassette_is_named(path: Path) -> None:
    with pytest.raises(CassetteError, match="there is no such cassette"):
        drop_calls(path.with_name("none.yaml"), CASE_ID, {"judge/plain"})


def test_an_orphan_that_cannot_be_removed_is_named(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)

    with pytest.raises(CassetteError, match="cannot be removed: Permission denied"):
        prune(directory, set())


def test_an_unreadable_cassette_is_a_problem_and_no_orphan(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)

    assert orphans(directory, set()) == {}
    (problem,) = verify(directory, {CASE_ID}, NO_SECRETS)
    assert problem.message == "it cannot be read: Permission denied."


def test_what_a_killed_process_did_not_end_to_write_is_mentioned(
    directory: Path, path: Path
) -> None:
    cut_off = path.with_name(".wind-power.yaml.tmp")
    cut_off.write_bytes(path.read_bytes()[:100])

    (problem,) = verify(directory, {CASE_ID}, NO_SECRETS)

    assert problem.path == cut_off
    assert "not written to its end" in problem.message


def test_journals_of_others_are_let_be(directory: Path) -> None:
    (directory / "other.journal").write_text("not ours", encoding="utf-8")

    assert verify(directory, {CASE_ID}, NO_SECRETS) == []
    assert prune(directory, {CASE_ID}) == []


def test_a_journal_that_cannot_be_read_is_mentioned_and_kept(directory: Path, path: Path) -> None:
    journal = journal_path(path)
    journal.write_text("?", encoding="utf-8")

    (problem,) = verify(directory, {CASE_ID}, NO_SECRETS)

    assert "cannot be read" in problem.message
    assert prune(directory, {CASE_ID}) == []


def test_calls_are_not_dropped_before_what_was_left_is_taken_up(path: Path) -> None:
    leave_a_call(path)

    drop_calls(path, CASE_ID, {"judge/plain"})

    tape = Tape.read(path, CASE_ID)
    assert tape is not None
    assert set(tape.calls) == {"judge/one_sided", "judge/justify_judge"}


@pytest.mark.parametrize("at_work", [CASE_ID, "cases/energy.bias.yaml::hydro-power"])
def test_nothing_is_moved_while_it_is_recorded(directory: Path, path: Path, at_work: str) -> None:
    place = path.with_name(at_work.rpartition("::")[2] + ".yaml")
    lock = asyncio.run(RecordingLock.acquire(place, "another run", 1.0))
    try:
        with pytest.raises(CassetteError, match="is recording this case"):
            rename(directory, CASE_ID, "cases/energy.bias.yaml::hydro-power")
    finally:
        lock.release()

    assert rename(directory, CASE_ID, "cases/energy.bias.yaml::hydro-power").exists()
