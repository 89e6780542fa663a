"""Makes systems of functions."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_content_bias.systems.python import PythonSystem
from pytest_content_bias.vocabulary.project import PythonSystemConfig
from tests.unit.systems.python_helpers import Make, attended


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Writes a module and makes a system of a function in it."""
    path, modules = list(sys.path), set(sys.modules)

    def made(source: str, target: str = "rag_app:answer") -> PythonSystem:
        (tmp_path / "rag_app.py").write_text(dedent(source), encoding="utf-8")
        return PythonSystem(PythonSystemConfig(type="python", target=target), tmp_path, attended)

    yield made
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]
