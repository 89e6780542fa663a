"""A copy of the checkout, environments to install it in, and what is built from it."""

import importlib.util
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from venv import EnvBuilder

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
WITHOUT_INDEX = (
    "No matching distribution found",
    "Could not find a version",
    "Failed to establish",
)
"""What pip prints when it cannot reach its index."""
SOURCES = ("pytest_content_bias", "prompts", "pyproject.toml", "README.md", "LICENSE")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "packaging: builds and installs the package; needs pip")


@dataclass(frozen=True)
class Environment:
    """A virtual environment that sees the dependencies of this one, but not this package."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> "Environment":
        EnvBuilder(with_pip=False).create(folder)
        made = cls(folder)
        purelib = Path(made.run("import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        # A folder named by a .pth file does not have its own .pth files read: an editable install
        # of this package beside the dependencies stays out of sight.
        (purelib / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
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
        pip("--python", self.python, "install", "--no-deps", "--ignore-installed", *arguments)


def pip(*arguments: str) -> None:
    """Run pip; skips the test when it is not there."""
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed here")
    run("pip", "--disable-pip-version-check", "-q", *arguments)


def run(module: str, *arguments: str) -> None:
    """Run a module; skips the test when it cannot get what building needs from the index."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    printed = f"{done.stdout}\n{done.stderr}"
    if done.returncode and any(words in printed for words in WITHOUT_INDEX):
        pytest.skip("pip cannot install what building needs: its package index is out of reach")
    assert done.returncode == 0, printed


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is built, so that no build touches the checkout itself."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        source = CHECKOUT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    return copy


@pytest.fixture(scope="session")
def sdist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution of the checkout."""
    if importlib.util.find_spec("build") is None:
        pytest.skip("the package `build` is not installed here")
    folder = tmp_path_factory.mktemp("sdist")
    run("build", "--sdist", "--outdir", str(folder), str(checkout))
    (path,) = folder.glob("*.tar.gz")
    return path


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the source distribution."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(sdist))
    (path,) = folder.glob("*.whl")
    return path
