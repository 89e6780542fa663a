from pathlib import Path

import pytest

from pytest_content_bias.files.text_file import decode, read_bytes, shown
from pytest_content_bias.vocabulary.errors import UserFileError

FILE = Path("cases") / "a.bias.yaml"


def test_a_path_below_the_current_folder_is_shown_relative_to_it() -> None:
    assert shown(Path.cwd() / "cases" / "a.yaml") == Path("cases") / "a.yaml"


def test_a_path_elsewhere_is_shown_whole(tmp_path: Path) -> None:
    assert shown(tmp_path / "a.yaml") == tmp_path / "a.yaml"


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    assert decode(b"\xef\xbb\xbfa: 1\r\n", FILE) == "a: 1\r\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_utf_16_with_a_byte_order_mark_is_named(encoding: str) -> None:
    text = "a: 1" if encoding == "utf-16" else "\ufeffa: 1"

    with pytest.raises(UserFileError, match="the file is in UTF-16, expected UTF-8") as caught:
        decode(text.encode(encoding), FILE)

    assert (caught.value.line, caught.value.column) == (1, 1)


def test_a_byte_that_is_not_utf_8_is_named_with_its_place() -> None:
    with pytest.raises(UserFileError, match="byte 0xe9 is not valid UTF-8") as caught:
        decode("a: 1\nb: é".encode() + b"\xe9", FILE)

    assert (caught.value.line, caught.value.column) == (2, 5)


def test_a_file_that_does_not_exist_is_an_error_with_the_cause(tmp_path: Path) -> None:
    with pytest.raises(UserFileError, match="cannot be read: No such file"):
        read_bytes(tmp_path / "missing.yaml")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(UserFileError, match="cannot be read"):
        read_bytes(tmp_path)


def test_a_path_with_a_nul_byte_is_an_error_like_any_other() -> None:
    with pytest.raises(UserFileError, match="cannot be read"):
        read_bytes(Path("a\0b.yaml"))
