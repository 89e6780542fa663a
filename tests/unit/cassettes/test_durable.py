"""Files that are whole or untouched."""

import os
from pathlib import Path

import pytest

from pytest_content_bias.cassettes.durable import write_whole
from pytest_content_bias.vocabulary.errors import CassetteError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "x.yaml"

    write_whole(path, b"one")
    write_whole(path, b"2")

    assert path.read_bytes() == b"2"
    assert names(path.parent) == ["x.yaml"]


def test_a_version_that_a_killed_process_did_not_end_is_written_over(tmp_path: Path) -> None:
    (tmp_path / ".x.yaml.tmp").write_bytes(b"a version that is longer")

    write_whole(tmp_path / "x.yaml", b"short")

    assert (tmp_path / "x.yaml").read_bytes() == b"short"
    assert names(tmp_path) == ["x.yaml"]


def test_an_error_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    write_whole(tmp_path / "x.yaml", b"old")
    monkeypatch.setattr(os, "replace", full)

    with pytest.raises(CassetteError, match=r"x\.yaml: the cassette cannot be written: No space"):
        write_whole(tmp_path / "x.yaml", b"new")

    assert (tmp_path / "x.yaml").read_bytes() == b"old"
    assert names(tmp_path) == ["x.yaml"]


def test_the_permissions_follow_the_umask(tmp_path: Path) -> None:
    previous = os.umask(0o027)
    try:
        write_whole(tmp_path / "x.yaml", b"")
    finally:
        os.umask(previous)

    assert (tmp_path / "x.yaml").stat().st_mode & 0o777 == 0o640
