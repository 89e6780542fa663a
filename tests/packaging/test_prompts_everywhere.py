"""Prompts are found from an editable install, from a wheel made of the sdist, from a checkout."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.environments import CHECKOUT, Environment

pytestmark = pytest.mark.packaging

PROGRAM = """
import json, pytest_content_bias
from pytest_content_bias.files.prompt_library import PromptLibrary, builtin_prompts
folder = builtin_prompts()
found = {}
for path in sorted(folder.glob("*/*.yaml")):
    prompt = PromptLibrary().get(path.parent.name, path.stem)
    found[f"{path.parent.name}/{path.name}"] = prompt.sha256
print(json.dumps([pytest_content_bias.__file__, str(folder), found]))
"""
PLUGIN = """
import subprocess, sys
command = [sys.executable, "-m", "pytest", "--help", "-p", "no:cacheprovider"]
print(subprocess.run(command, capture_output=True, text=True).stdout)
"""


def prompts() -> dict[str, bytes]:
    """Every prompt of the checkout."""
    folder = CHECKOUT / "prompts"
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.glob("*/*.yaml"))
    }


def found(environment: Environment, cwd: Path | None = None) -> tuple[Path, Path, dict[str, Any]]:
    """Where the package is, where its prompts are, and the hash of each."""
    package, folder, hashes = json.loads(environment.run(PROGRAM, cwd))
    return Path(package), Path(folder), hashes


def test_an_editable_install_finds_the_prompts_of_the_checkout(
    checkout: Path, tmp_path: Path
) -> None:
    environment = Environment.make(tmp_path / "env")
    environment.install("--editable", str(checkout))
    package, folder, hashes = found(environment)
    assert package.is_relative_to(checkout)
    assert folder == checkout / "prompts"
    assert hashes.keys() == prompts().keys()


def test_a_wheel_made_of_the_sdist_holds_the_prompts_and_finds_them(
    wheel: Path, tmp_path: Path
) -> None:
    environment = Environment.make(tmp_path / "env")
    environment.install("--no-index", str(wheel))
    package, folder, hashes = found(environment)
    assert package.is_relative_to(environment.folder)
    assert folder == package.parent / "prompts"
    assert hashes.keys() == prompts().keys()
    assert "--content-bias-threshold=VALUE" in environment.run(PLUGIN)


def test_a_plain_checkout_finds_its_prompts(checkout: Path, tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "env")
    package, folder, hashes = found(environment, cwd=checkout)
    assert package.is_relative_to(checkout)
    assert folder == checkout / "prompts"
    assert hashes.keys() == prompts().keys()


def test_the_wheel_holds_each_prompt_byte_for_byte_and_all_that_belongs_to_the_package(
    wheel: Path,
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for name, content in prompts().items():
            assert archive.read(f"pytest_content_bias/prompts/{name}") == content
        (entry_points,) = (name for name in names if name.endswith("entry_points.txt"))
        assert b"content_bias = pytest_content_bias.plugin" in archive.read(entry_points)
    assert "pytest_content_bias/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    sources = {
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "pytest_content_bias").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert sources <= names
    tops = {name.partition("/")[0] for name in names}
    assert all(top == "pytest_content_bias" or top.endswith(".dist-info") for top in tops)
