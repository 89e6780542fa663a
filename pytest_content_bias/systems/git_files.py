"""The files below a path as git would store them, whether committed or not."""

import os
import subprocess
from pathlib import Path

from pytest_content_bias.vocabulary.errors import SettingsError

_ELSEWHERE = frozenset(("GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE"))
"""What git sets for its hooks, relative to another folder."""


def git_files(path: str, folder: Path) -> dict[str, str]:
    """Find the files below a path that git does not ignore.

    Each hash is that of the blob, so that neither line ends nor large files kept elsewhere make a
    checkout differ from a working copy. What is edited, new or removed counts, committed or not.

    Args:
        path: a file or folder (or another pathspec of git), relative to `folder`.
        folder: where git is run.

    Returns:
        Path, relative to `folder`, to hash; of a submodule, the hash of its commit.

    Raises:
        SettingsError: git is missing or fails, or there is no such file.
    """
    files: dict[str, str] = {}
    for entry in _listed(folder, "-s", "--", path):
        mode_hash_stage, _, name = entry.partition("\t")
        files[name] = mode_hash_stage.split(" ")[1]
    touched = set(_listed(folder, "-m", "-o", "--exclude-standard", "--", path))
    files = {name: blob for name, blob in files.items() if name not in touched}
    files |= _as_they_are(folder, sorted(touched))
    if not files:
        raise SettingsError(
            f"content_bias.yaml: system.fingerprint.git: {path!r} has no file in {folder} that git "
            "does not ignore"
        )
    return files


def _listed(folder: Path, *arguments: str) -> list[str]:
    return [entry for entry in _git(folder, "ls-files", "-z", *arguments).split("\0") if entry]


def _as_they_are(folder: Path, names: list[str]) -> dict[str, str]:
    """Hashes of what the index does not hold; what was removed is left out."""
    files = [name for name in names if (folder / name).is_file()]
    blobs = _git(folder, "hash-object", "--stdin-paths", text="\n".join(files)) if files else ""
    repositories = [name for name in names if (folder / name).is_dir()]
    commits = {name: _git(folder / name, "rev-parse", "HEAD").strip() for name in repositories}
    return dict(zip(files, blobs.split(), strict=True)) | commits


def _git(folder: Path, *arguments: str, text: str = "") -> str:
    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env=environment,
            input=os.fsencode(text),
            capture_output=True,
            check=False,
            timeout=60,
        )
    except FileNotFoundError:
        raise SettingsError(
            "content_bias.yaml: system.fingerprint.git needs git, which is not installed; "
            "install it, or name files by globs"
        ) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failed(str(error)) from None
    if done.returncode:
        raise _failed(done.stderr.decode(errors="replace").strip())
    return os.fsdecode(done.stdout)


def _failed(words: str) -> SettingsError:
    return SettingsError(f"content_bias.yaml: system.fingerprint.git: {words}")
