"""Files that are whole or untouched."""

import os
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.durable import Reserved, leftovers, write_whole
from pytest_content_bias.vocabulary.errors import CassetteError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "x.yaml"

    write_whole(path, b"one")
    write_whole(path, b"2")

    assert path.read_bytes() == b"2"
    assert names(path.parent) == ["x.yaml"]


def test_room_is_taken_before_and_given_back_after(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"

    with Reserved(path, 5000):
        (reserved,) = tmp_path.iterdir()
        assert reserved.stat().st_size == 5000
        assert not path.exists()

    assert names(tmp_path) == []


def test_what_is_committed_may_be_shorter_or_longer_than_the_room(tmp_path: Path) -> None:
    for content in (b"short", b"long" * 3000):
        with Reserved(tmp_path / "x.yaml", 1000) as reserved:
            reserved.fill(content)
            reserved.commit()

        assert (tmp_path / "x.yaml").read_bytes() == content


def test_an_error_between_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    write_whole(tmp_path / "x.yaml", b"old")

    with pytest.raises(ZeroDivisionError), Reserved(tmp_path / "x.yaml", 10):
        raise ZeroDivisionError

    assert (tmp_path / "x.yaml").read_bytes() == b"old"
    assert names(tmp_path) == ["x.yaml"]


def test_a_file_in_place_of_the_folder_is_named_before_anything_is_paid(tmp_path: Path) -> None:
    (tmp_path / "cassettes").write_text("", encoding="utf-8")

    with pytest.raises(
        CassetteError, match=r"x\.yaml: the cassette cannot be written: (?:File|Not)"
    ):
        Reserved(tmp_path / "cassettes" / "x.yaml", 10)


def test_the_permissions_follow_the_umask(tmp_path: Path) -> None:
    previous = os.umask(0o027)
    try:
        write_whole(tmp_path / "x.yaml", b"")
    finally:
        os.umask(previous)

    assert (tmp_path / "x.yaml").stat().st_mode & 0o777 == 0o640


def test_what_killed_processes_left_is_found_and_nothing_else(tmp_path: Path) -> None:
    for name in (".x.yaml.0a1b2c3d.tmp", ".y.yaml.0a1b2c3d.tmp", "x.yaml", "x.tmp"):
        (tmp_path / name).write_text("", encoding="utf-8")

    assert leftovers(tmp_path / "x.yaml") == [tmp_path / ".x.yaml.0a1b2c3d.tmp"]
