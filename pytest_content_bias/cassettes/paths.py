"""Where the cassettes of a case stand; never outside the cassette directory."""

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from pytest_content_bias.vocabulary.errors import CassetteError

ENDING = ".yaml"
PARTIAL_ENDING = ".partial.yaml"
JOURNAL_ENDING = ".journal"

_CASE_FILE_ENDINGS = (".bias.yaml", ".bias.yml", ".yaml", ".yml")
_INPUT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?", re.IGNORECASE)


def cassette_path(directory: Path, case_path: str, input_id: str) -> Path:
    """The cassette of a case.

    Args:
        directory: the cassette directory.
        case_path: the case file relative to the root directory, with forward slashes.
        input_id: the case's name.

    Raises:
        CassetteError: the path would leave the directory, or the name cannot be a file's name on
            every system.
    """
    _check_input_id(input_id)
    below = PurePosixPath(cassette_place(case_path, input_id))
    *folders, name = below.parts
    if not folders or below.is_absolute() or _leads_up(folders):
        raise CassetteError(
            f"{case_path}: its cassettes would lie outside {directory}; case files must stand "
            "below pytest's root directory (set it with --rootdir)"
        )
    path = directory.joinpath(*folders, name)
    links = any(map(os.path.islink, (path, *path.parents[: len(folders)])))
    if links and not path.resolve().is_relative_to(directory.resolve()):
        raise CassetteError(f"{path}: a symbolic link leads outside {directory}; remove the link")
    return path


def cassette_place(case_path: str, input_id: str) -> str:
    """Where a case has its cassette, below the cassette directory; nothing is checked.

    Args:
        case_path: the case file relative to the root directory, with forward slashes.
        input_id: the case's name.

    Returns:
        A relative path with forward slashes.
    """
    return f"{_without_ending(case_path)}/{input_id}{ENDING}"


def partial_path(path: Path) -> Path:
    """Where a recording that replaces a cassette is kept until it is complete.

    Args:
        path: the cassette.
    """
    return path.with_name(path.name.removesuffix(ENDING) + PARTIAL_ENDING)


def journal_path(path: Path) -> Path:
    """Where the calls of a cassette stand while it is recorded.

    Args:
        path: the cassette.
    """
    return path.with_name(f".{path.name}{JOURNAL_ENDING}")


def shown(path: Path) -> str:
    """A path as messages show it: relative to the working directory where that is shorter.

    Args:
        path: any path.
    """
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return str(path)


def _check_input_id(input_id: str) -> None:
    if not _INPUT_ID.fullmatch(input_id):
        raise CassetteError(f"input_id {input_id!r} cannot be the name of a cassette")
    if _DEVICES.fullmatch(input_id):
        raise CassetteError(
            f"input_id {input_id!r}: Windows keeps this name for a device, so that its cassette "
            "could not be checked out there; choose another"
        )
    if input_id.lower().endswith(".partial"):
        raise CassetteError(
            f"input_id {input_id!r}: names ending in `.partial` are kept for recordings that did "
            "not end; choose another"
        )


def _leads_up(parts: Iterable[str]) -> bool:
    """Backslashes and drives count as separators on Windows only; no file name needs them."""
    return any(part == ".." or "\\" in part or re.match(r"[A-Za-z]:", part) for part in parts)


def _without_ending(case_path: str) -> str:
    for ending in _CASE_FILE_ENDINGS:
        if case_path.endswith(ending):
            return case_path.removesuffix(ending)
    return case_path
