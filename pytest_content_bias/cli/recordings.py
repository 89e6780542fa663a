"""Commands that work on cassettes; nothing is run and nothing is called."""

import os
from collections.abc import Sequence

from pytest_content_bias.cassettes import maintenance
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cli.collected import Collected, collect
from pytest_content_bias.files.project_file import find_project_file, read_project_file


def verify(paths: Sequence[str]) -> int:
    """Check every cassette."""
    found = collect(paths)
    directory = found.settings.cassette_dir
    problems = maintenance.verify(directory, _case_ids(found), _screen(found))
    for problem in problems:
        print(problem)  # noqa: T201 - a command line tool
    print(f"{len(problems)} problems in {directory}")  # noqa: T201
    return 1 if problems else 0


def prune(paths: Sequence[str]) -> int:
    """Delete the cassettes of cases that there are no longer."""
    found = collect(paths)
    removed = maintenance.prune(found.settings.cassette_dir, _case_ids(found))
    for path in removed:
        print(f"removed {path}")  # noqa: T201 - a command line tool
    print(f"{len(removed)} cassettes removed")  # noqa: T201
    return 0


def rename(old: str, new: str) -> int:
    """Move the cassette of a case that was renamed."""
    directory = collect([]).settings.cassette_dir
    print(f"moved to {maintenance.rename(directory, old, new)}")  # noqa: T201
    return 0


def _case_ids(found: Collected) -> frozenset[str]:
    return frozenset(item.entry.case.case_id for item in found.items)


def _screen(found: Collected) -> SecretScreen:
    """Knows the secrets and patterns of every project file that a case has."""
    settings = found.settings
    files = {
        find_project_file(item.path, settings.root, settings.project_file) for item in found.items
    }
    projects = [read_project_file(path, os.environ, recording=False) for path in files if path]
    values = {name: value for project in projects for name, value in project.secrets.items()}
    patterns = [pattern for project in projects for pattern in project.config.secret_patterns]
    return SecretScreen(values, patterns)
