"""What tells that the system under test has changed since its answers were recorded.

A fingerprint has a part for each file (its name, and a hash of its content), or one for each
version that a URL or a command prints.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pytest_content_bias.systems.git_files import git_files
from pytest_content_bias.systems.printed_version import version_of_command, version_of_url
from pytest_content_bias.vocabulary.errors import SettingsError, StaleSystem
from pytest_content_bias.vocabulary.project import FingerprintConfig

Fingerprint = Mapping[str, str]
"""Name of a part to its version, in the order of names."""

_DIGITS = 16
"""Hexadecimal digits of a hash: enough to tell versions of one file apart, short enough to read."""
_CACHE = "__pycache__"
_MOST_SHOWN = 10


def fingerprint(config: Sequence[str] | FingerprintConfig, folder: Path) -> Fingerprint:
    """Take the fingerprint of the system as it is now.

    Args:
        config: `system.fingerprint` of the project file: globs, or what else to look at.
        folder: the project file's folder.

    Raises:
        SettingsError: something that it names is not there, or a command failed.
        CallError: a URL was not reached.
    """
    if not isinstance(config, FingerprintConfig):
        config = FingerprintConfig(files=tuple(config))
    parts: dict[str, str] = {}
    for pattern in config.files or ():
        parts |= _hashed(pattern, folder)
    for path in config.git or ():
        parts |= {name: blob[:_DIGITS] for name, blob in git_files(path, folder).items()}
    if config.url is not None:
        parts |= version_of_url(config.url)
    if config.command is not None:
        parts |= version_of_command(config.command, folder)
    if not parts:
        raise SettingsError("content_bias.yaml: system.fingerprint names nothing to look at")
    return dict(sorted(parts.items()))


def compare(old: Fingerprint | None, new: Fingerprint) -> tuple[str, ...]:
    """Say what changed, one line for each part; empty: nothing did.

    Args:
        old: the fingerprint of the recording; None: it has none. A part without a version says in
            words why it is not that of a system.
        new: the fingerprint of the system as it is now.
    """
    if old is None:
        return ("recorded before `system.fingerprint` was set",)
    if words := tuple(name for name, version in old.items() if not version):
        return words
    return tuple(_differences(old, new))


def stale_system(case_id: str, changed: Sequence[str], record_command: str) -> StaleSystem:
    """Say that recorded answers are those of another system.

    Args:
        case_id: the case.
        changed: what `compare` returned.
        record_command: the command that runs the case, without the recording option.
    """
    return StaleSystem(
        f"{case_id}: the system changed since its answers were recorded\n"
        + "".join(f"  {line}\n" for line in _first(changed))
        + f"  record its answers anew: {record_command} --content-bias-record=system"
    )


def shortened(changed: Sequence[str]) -> str:
    """What `compare` returned, on one line."""
    return ", ".join(_first(changed))


def _first(changed: Sequence[str]) -> list[str]:
    more = len(changed) - _MOST_SHOWN
    return [*changed[:_MOST_SHOWN], *([f"and {more} more"] if more > 0 else [])]


def _differences(old: Fingerprint, new: Fingerprint) -> Iterator[str]:
    for name in sorted({*old, *new}):
        if name not in new:
            yield f"removed {name}"
        elif name not in old:
            yield f"added {name}"
        elif old[name] != new[name]:
            yield f"changed {name}"


def _hashed(pattern: str, folder: Path) -> dict[str, str]:
    try:
        found = [path for path in folder.glob(pattern) if _CACHE not in path.parts]
    except (ValueError, NotImplementedError, IndexError) as error:
        raise SettingsError(
            f"content_bias.yaml: system.fingerprint: {pattern!r} is no glob relative to the "
            f"project file: {error}"
        ) from None
    files = [path for path in found if path.is_file()]
    if not files:
        hint = f"; to name the files in a folder, write {pattern}/**/*" if found else ""
        raise SettingsError(
            f"content_bias.yaml: system.fingerprint: {pattern!r} matches no file in {folder}{hint}"
        )
    return {Path(os.path.relpath(path, folder)).as_posix(): _hash(path) for path in files}


def _hash(path: Path) -> str:
    """Line ends do not count: a checkout may have others."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"content_bias.yaml: system.fingerprint: {path} cannot be read: {error.strerror}"
        ) from None
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:_DIGITS]
