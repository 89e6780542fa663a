"""Virtual environments that tests make, and pip, which may not reach its package index."""

import importlib.util
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from venv import EnvBuilder

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
WITHOUT_INDEX = (
    "No matching distribution found",
    "Could not find a version",
    "Failed to establish",
)
"""What pip prints when it cannot reach its index."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment that sees the dependencies of this one, but not this package."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, *sources: Path) -> "Environment":
        """Make one.

        Args:
            folder: where.
            sources: folders whose packages it sees, too, and before the dependencies.
        """
        EnvBuilder(with_pip=False).create(folder)
        made = cls(folder)
        purelib = Path(made.run("import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        # A folder named by a .pth file does not have its own .pth files read: an editable install
        # of this package beside the dependencies stays out of sight.
        seen = [*map(str, sources), sysconfig.get_path("purelib")]
        (purelib / "dependencies.pth").write_text("\n".join(seen), encoding="utf-8")
        return made

    @property
    def python(self) -> str:
        windows = self.folder / "Scripts" / "python.exe"
        return str(windows if windows.exists() else self.folder / "bin" / "python")

    def run(self, program: str, cwd: Path | None = None) -> str:
        """Run a program, and give what it prints."""
        command = [self.python, "-c", program]
        done = subprocess.run(
            command, cwd=cwd or self.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def install(self, *arguments: str) -> None:
        """Install without dependencies, whatever else of this package is in sight."""
        self.pip("install", "--no-deps", "--ignore-installed", *arguments)

    def pip(self, *arguments: str) -> None:
        """Run this environment's pip."""
        pip("--python", self.python, *arguments)


def pip(*arguments: str) -> None:
    """Run pip; skips the test when it is not there."""
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed here")
    run("pip", "--disable-pip-version-check", "-q", *arguments)


def run(module: str, *arguments: str) -> None:
    """Run a module; skips the test when it cannot get what it needs from the index."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    printed = f"{done.stdout}\n{done.stderr}"
    if done.returncode and any(words in printed for words in WITHOUT_INDEX):
        pytest.skip("pip cannot install what this needs: its package index is out of reach")
    assert done.returncode == 0, printed
