"""Commands that work on cassettes; nothing is run and nothing is called."""

import os
from collections.abc import Sequence

from pytest_content_bias.cassettes import maintenance
from pytest_content_bias.cassettes.paths import cassette_path
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cli.collected import Collected, collect
from pytest_content_bias.files.project_file import find_project_file, read_project_file
from pytest_content_bias.reports.baseline_file import read_baseline, write_baseline
from pytest_content_bias.session.elsewhere import uncollected
from pytest_content_bias.session.unused import unused_slots

_NOTHING = [".", "--ignore-glob=*"]
"""Settings as `pytest` has them here; whatever the project holds need not be in order."""


def verify(paths: Sequence[str]) -> int:
    """Check every cassette."""
    found = collect(paths)
    directory = found.settings.cassette_dir
    problems = maintenance.verify(directory, _known_ids(found), _screen(found))
    for problem in problems:
        print(problem)  # noqa: T201 - a command line tool
    ending = "" if len(problems) == 1 else "s"
    print(f"{len(problems)} problem{ending} in {directory}")  # noqa: T201
    return 1 if problems else 0


def prune(paths: Sequence[str]) -> int:
    """Delete the cassettes of cases that there are no longer, and calls that nothing asks for."""
    found = collect(paths, replay=True)
    directory = found.settings.cassette_dir
    removed = maintenance.prune(directory, _known_ids(found))
    for path in removed:
        print(f"removed {path}")  # noqa: T201 - a command line tool
    unused = unused_slots(found.results)
    for case_id, slots in unused.items():
        path = cassette_path(directory, *case_id.rsplit("::", 1))
        maintenance.drop_calls(path, case_id, slots)
        print(f"removed from {path}: {', '.join(sorted(slots))}")  # noqa: T201
    calls = sum(map(len, unused.values()))
    print(f"{len(removed)} files and {calls} calls removed")  # noqa: T201
    return 0


def rename(old: str, new: str) -> int:
    """Move the cassette and the accepted scores of a case that was renamed."""
    settings = collect(_NOTHING).settings
    print(f"moved to {maintenance.rename(settings.cassette_dir, old, new)}")  # noqa: T201
    if settings.baseline.exists():
        accepted = read_baseline(settings.baseline)
        renamed = accepted.renamed(old, new)
        if renamed != accepted:
            write_baseline(settings.baseline, renamed)
            print(f"renamed in {settings.baseline}")  # noqa: T201
    return 0


def _case_ids(found: Collected) -> frozenset[str]:
    return frozenset(item.entry.case.case_id for item in found.items)


def _known_ids(found: Collected) -> frozenset[str]:
    """Cases that there are, as far as one can tell: a file may not have been collected."""
    ids = _case_ids(found)
    orphans = maintenance.orphans(found.settings.cassette_dir, ids)
    return ids | uncollected(found.settings.root, ids, orphans.values())


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
