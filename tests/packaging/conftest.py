"""A copy of the checkout, and what is built from it."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from tests.environments import CHECKOUT, pip, run

SOURCES = ("pytest_content_bias", "prompts", "pyproject.toml", "README.md", "LICENSE")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "packaging: builds and installs the package; needs pip")


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
