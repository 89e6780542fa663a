"""Running a command and reading what the operating system counted for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
OURS = (*PYTEST, "-p", "content_bias")
ONLY_NAMED_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""For `OURS`: whatever else is installed is neither loaded nor measured."""
_SLOW = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "GITHUB_STEP_SUMMARY")
"""Variables that would make every run compile all modules anew, or write more than asked."""


class CommandFailed(Exception):
    """A measured command did not end as expected; holds what it printed last."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run of a command.

    Attributes:
        wall: seconds from start to end.
        cpu: seconds of processor time, those of its own children among them.
        memory: the greatest resident memory in KB.
        output: what it printed.
    """

    wall: float
    cpu: float
    memory: float
    output: str


def run(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    status: int = 0,
) -> Run:
    """Run a command to its end.

    Args:
        command: program and arguments.
        folder: where it runs.
        environment: variables to set over those that are set.
        status: the exit status that it must end with.

    Raises:
        CommandFailed: it ended with another status.
    """
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=_environment() | dict(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, ended, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(ended)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode != status:
        raise CommandFailed(f"{' '.join(command)}: status {process.returncode}\n{text[-3000:]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, text)


def _environment() -> dict[str, str]:
    """Variables as they are, with folders of our own for what Python and pytest leave behind.

    With pytest-xdist, a run removes what earlier runs left in pytest's temporary folder: also other
    people's, and thousands of files if they ran tests meanwhile.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _SLOW}
    folder = Path(tempfile.gettempdir())
    left = folder / "benchmarks-pytest"
    left.mkdir(exist_ok=True)
    own = {"PYTHONPYCACHEPREFIX": folder / "benchmarks-pycache", "PYTEST_DEBUG_TEMPROOT": left}
    return kept | {name: str(path) for name, path in own.items()}


def in_turn(count: int, *measured: Callable[[], Run]) -> list[list[Run]]:
    """Measure several things in turn, A B A B …, so that a machine's moods meet all of them.

    Args:
        count: how often each is measured.
        measured: starts one run each.

    Returns:
        For each, its runs.
    """
    rounds = [[measure() for measure in measured] for _ in range(count)]
    return [list(runs) for runs in zip(*rounds, strict=True)]


def middle(values: Sequence[float]) -> float:
    """The median."""
    return median(values)


def middle_ratio(of: Sequence[float], to: Sequence[float]) -> float:
    """The median of the ratios within pairs."""
    return median(one / other for one, other in zip(of, to, strict=True))
