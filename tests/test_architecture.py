"""Which band may import which: read from the modules' own import statements."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "pytest_content_bias"

MAY_IMPORT: dict[str, set[str]] = {
    "vocabulary": set(),
    "rules": {"vocabulary"},
    "files": {"vocabulary", "rules"},
    "models": {"vocabulary", "rules"},
    "systems": {"vocabulary", "rules"},
    "cassettes": {"vocabulary", "rules"},
    "reports": {"vocabulary", "rules"},
    "work": {"vocabulary", "rules"},
    "session": {
        "vocabulary",
        "rules",
        "files",
        "models",
        "systems",
        "cassettes",
        "reports",
        "work",
    },
    "cli": {"vocabulary", "rules", "files", "cassettes", "reports", "session"},
}
"""Band to the bands that it may import."""

HOMES: dict[str, set[str]] = {
    "pytest": {"session", "plugin", "cli"},
    "vcr": {"cassettes"},
    "httpx": {"models", "cassettes"},
    "yaml": {"files", "cassettes"},
}
"""Third-party package to the bands that may import it."""


def modules() -> Iterator[Path]:
    yield from sorted(PACKAGE.rglob("*.py"))


def band_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", list(modules()), ids=lambda path: path.stem)
def test_a_module_imports_only_what_its_band_may(path: Path) -> None:
    band = band_of(path)
    for name in imports(path):
        first, *rest = name.split(".")
        if first == PACKAGE.name and rest and band in MAY_IMPORT:
            assert rest[0] in {band, *MAY_IMPORT[band]}, f"{band}/{path.name} imports {name}"
        if first in HOMES:
            assert band in HOMES[first], f"{band}/{path.name} imports {name}"


@pytest.mark.parametrize("path", list(modules()), ids=lambda path: path.stem)
def test_a_module_is_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
