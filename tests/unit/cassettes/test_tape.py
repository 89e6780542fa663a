"""Cassette files: their order, and every way in which one cannot be used."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_content_bias.cassettes.tape import Tape, calls_of, case_of, read_content, slot_order
from pytest_content_bias.cassettes.tape_fault import TapeFault
from tests.unit.cassettes.cassette_helpers import CASE_ID, chat_request, record

SLOTS = ("generator/one_sided", "system/one_sided", "judge/one_sided")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A cassette of three calls."""
    return record(tmp_path, *(chat_request(slot) for slot in SLOTS))


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Change a file's text."""
    path.write_bytes(change(path.read_bytes().decode()).encode())


def fault(path: Path) -> TapeFault:
    """What is said about a file that cannot be used."""
    with pytest.raises(TapeFault) as error:
        calls_of(read_content(path) or b"")
    return error.value


def test_a_cassette_says_what_it_is_in_its_first_lines(path: Path) -> None:
    assert path.read_text(encoding="utf-8").splitlines()[:6] == [
        "# Recorded by pytest-content-bias. Do not edit: re-record instead (see README).",
        "version: 1",
        "format: pytest-content-bias/1",
        "case: cases/energy.bias.yaml::wind-power",
        "calls: 3",
        "interactions:",
    ]


def test_calls_are_in_the_order_of_slots_whatever_order_they_came_in(tmp_path: Path) -> None:
    forwards = record(tmp_path / "one", *(chat_request(slot) for slot in SLOTS))
    backwards = record(tmp_path / "two", *(chat_request(slot) for slot in reversed(SLOTS)))

    assert forwards.read_bytes() == backwards.read_bytes()


def test_slots_go_by_role_then_kind_then_name() -> None:
    slots = [
        "generator/one_sided",
        "generator/one_sided/2",
        "generator/amplify_downplay",
        "generator/justify_judge",
        "system/one_sided",
        "system/plain",
        "judge/one_sided",
        "judge/plain",
        "judge/opinions",
        "user/1",
    ]

    assert sorted([*slots[5:], *slots[:5]], key=slot_order) == slots


def test_what_is_written_is_what_was_read(path: Path) -> None:
    tape = Tape.read(path, CASE_ID)

    assert tape is not None
    assert tape.data() == path.read_bytes()
    assert case_of(path) == CASE_ID


def test_the_line_of_a_call_is_known(path: Path) -> None:
    tape = Tape.read(path, CASE_ID)
    lines = path.read_text(encoding="utf-8").splitlines()

    assert tape is not None
    for slot in SLOTS:
        assert lines[tape.line_of(slot) - 1] == f"- slot: {slot}"


def test_a_file_that_is_not_there_is_no_fault(tmp_path: Path) -> None:
    assert Tape.read(tmp_path / "none.yaml", CASE_ID) is None


def test_windows_line_ends_of_a_checkout_do_not_count(path: Path) -> None:
    edit(path, lambda text: text.replace("\n", "\r\n"))

    tape = Tape.read(path, CASE_ID)

    assert tape is not None
    assert all(call.intact for call in tape.calls.values())


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_named_empty(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    assert fault(path).problem == "it is empty."


def test_a_foreign_file_is_never_replaced(path: Path) -> None:
    path.write_text("hello: world\n", encoding="utf-8")

    found = fault(path)

    assert found.problem.startswith("it is no cassette of pytest-content-bias.")
    assert not found.replaceable


def test_a_cassette_of_vcrpy_is_recognised(path: Path) -> None:
    path.write_text("version: 1\ninteractions:\n- request: {}\n", encoding="utf-8")

    assert "looks like one of vcrpy's" in fault(path).problem


def test_bytes_that_are_no_text_are_a_foreign_file(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")

    assert not fault(path).replaceable


def test_a_newer_format_asks_for_an_upgrade(path: Path) -> None:
    edit(path, lambda text: text.replace("bias/1\n", "bias/2\n"))

    found = fault(path)

    assert found.line == 3
    assert "format 2 is newer" in found.problem
    assert "Upgrade pytest-content-bias" in found.problem
    assert not found.replaceable


def test_a_merge_conflict_is_named_with_its_line(path: Path) -> None:
    edit(
        path,
        lambda text: text.replace(
            "      model: small\n",
            "<<<<<<< HEAD\n      model: small\n=======\n      model: big\n>>>>>>> branch\n",
            1,
        ),
    )

    found = fault(path)

    assert found.problem == "an unresolved merge conflict."
    assert found.line is not None
    assert path.read_text(encoding="utf-8").splitlines()[found.line - 1] == "<<<<<<< HEAD"


def test_text_of_a_call_that_looks_like_a_conflict_or_a_call_is_neither(tmp_path: Path) -> None:
    content = "<<<<<<< HEAD\n- slot: judge/x\n  response:\n=======\n>>>>>>> b"
    request = chat_request(content=content)

    tape = Tape.read(record(tmp_path, request), CASE_ID)

    assert tape is not None
    assert list(tape.calls) == [request.slot]


@pytest.mark.parametrize("line_count", range(5, 66, 4))
def test_a_cassette_that_was_cut_off_is_never_a_shorter_one(path: Path, line_count: int) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) > line_count
    path.write_bytes(b"".join(lines[:line_count]))

    assert fault(path).replaceable


def test_a_call_that_was_removed_by_hand_is_missed(path: Path) -> None:
    edit(path, lambda text: text[: text.index("- slot: judge/one_sided")])

    found = fault(path)

    assert found.line == 5
    assert found.problem.startswith("it says that it holds 3 calls, but holds 2")


def test_a_call_that_stands_twice_is_named(path: Path) -> None:
    edit(path, lambda text: text + text[text.index("- slot: judge/one_sided") :])

    assert fault(path).problem == "judge/one_sided stands in it twice."


def test_an_edited_call_is_named_with_its_line(path: Path) -> None:
    edit(path, lambda text: text.replace("answer to system", "better answer to system"))

    found = fault(path)

    assert found.problem.startswith("this call was edited by hand")
    assert found.line is not None
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[found.line - 1] == "- slot: system/one_sided"


def test_a_reformatted_file_is_recognised_as_edited(path: Path) -> None:
    edit(path, lambda text: text.replace("  sha256: {request", "  sha256:  {request"))

    assert "edited by hand" in fault(path).problem


def test_a_file_that_is_no_yaml_any_more_is_named_with_its_line(path: Path) -> None:
    edit(path, lambda text: text.replace("calls: 3", "calls: [3"))

    found = fault(path)

    assert found.line is not None
    assert "no longer valid YAML" in found.problem


def test_changed_first_lines_are_named(path: Path) -> None:
    edit(path, lambda text: text.replace("version: 1\n", "version: 1\nmine: 1\n"))

    assert fault(path).problem == "its first lines were edited by hand."


@given(start=st.integers(0, 4000), length=st.integers(0, 60), content=st.binary(max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_damage_gives_other_calls_or_a_traceback(
    path: Path, start: int, length: int, content: bytes
) -> None:
    data = path.read_bytes()
    damaged = path.with_name("damaged.yaml")
    damaged.write_bytes(data[:start] + content + data[start + length :])
    whole = Tape.read(path, CASE_ID)
    assert whole is not None

    try:
        tape = Tape.read(damaged, CASE_ID)
    except TapeFault:
        return
    assert tape is not None
    for slot, call in tape.calls.items():
        assert not call.intact or call == whole.calls[slot]


def test_the_cassette_of_another_case_is_not_taken(path: Path) -> None:
    with pytest.raises(TapeFault) as error:
        Tape.read(path, "cases/energy.bias.yaml::Wind-Power")

    assert "belongs to cases/energy.bias.yaml::wind-power" in error.value.problem
    assert not error.value.replaceable


def test_a_folder_in_place_of_a_cassette_is_named(tmp_path: Path) -> None:
    (tmp_path / "wind-power.yaml").mkdir()

    assert "cannot be read" in fault(tmp_path / "wind-power.yaml").problem


def test_what_is_intact_in_a_damaged_cassette_is_salvaged(path: Path) -> None:
    edit(path, lambda text: text.replace("answer to system", "better answer to system"))

    assert list(Tape.salvage(path, CASE_ID).calls) == ["generator/one_sided", "judge/one_sided"]
