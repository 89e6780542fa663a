"""Versions that a URL or a command prints."""

import hashlib
import subprocess
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from pytest_content_bias.vocabulary.errors import CallError, SettingsError

_LONGEST = 80
"""Characters of a version that is kept as it is; of a longer one, a hash is kept."""
_URL_SECONDS = 10.0
_COMMAND_SECONDS = 60.0
_MOST_BYTES = 1 << 20


def version_of_url(url: str) -> dict[str, str]:
    """Read the version that a URL prints.

    Args:
        url: an http or https URL.

    Returns:
        The URL, without query and user, to the version.

    Raises:
        CallError: it was not reached, or replied with an error or nothing.
        SettingsError: it is no http or https URL.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SettingsError(
            "content_bias.yaml: system.fingerprint.url: expected an http or https URL, "
            f"found one of scheme {parts.scheme!r}"
        )
    name = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    try:
        with urllib.request.urlopen(url, timeout=_URL_SECONDS) as response:
            text = response.read(_MOST_BYTES).decode(errors="replace").strip()
    except (OSError, HTTPException, ValueError) as error:
        raise CallError(
            f"system.fingerprint.url: {name} did not print a version: {_words(error)}. "
            "Start the service, or name files or a command instead."
        ) from None
    if not text:
        raise CallError(f"system.fingerprint.url: {name} printed nothing; expected a version")
    return {name: _short(text)}


def version_of_command(command: Sequence[str], folder: Path) -> dict[str, str]:
    """Run a command that prints a version.

    Args:
        command: the program and its arguments.
        folder: where it is run.

    Returns:
        The command to the version.

    Raises:
        SettingsError: it cannot be run, failed, took longer than a minute, or printed nothing.
    """
    name = " ".join(command)
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, check=False, timeout=_COMMAND_SECONDS
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise _failed(name, f"could not be run in {folder}: {error}") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()[-500:]
        raise _failed(name, f"ended with exit status {done.returncode}: {said}")
    text = done.stdout.decode(errors="replace").strip()
    if not text:
        raise _failed(name, "printed nothing; expected a version")
    return {name: _short(text)}


def _failed(name: str, words: str) -> SettingsError:
    return SettingsError(f"content_bias.yaml: system.fingerprint.command: `{name}` {words}")


def _words(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"status {error.code}"
    return str(getattr(error, "reason", None) or error or type(error).__name__)


def _short(text: str) -> str:
    if len(text) <= _LONGEST and text.isprintable():
        return text
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]}"
