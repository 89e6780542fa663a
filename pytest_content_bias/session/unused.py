"""Recordings that nothing asks for any more."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_content_bias.cassettes.maintenance import orphans
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.vocabulary.run import CaseResult

PRUNE = "python -m pytest_content_bias prune"


def unused_recordings(
    settings: Settings, results: Iterable[CaseResult], whole_project: bool
) -> Iterator[str]:
    """Sentences that name what is recorded and not used, after a complete run.

    Args:
        settings: where the cassettes are.
        results: every case; those without a score say nothing of their cassettes.
        whole_project: whether every case of the project ran, so that other cassettes are orphans.
    """
    asked: dict[str, set[str]] = {}
    for result in results:
        if result.score is None:
            asked[result.case.case_id] = set()
        else:
            slots = set(result.unused)
            asked[result.case.case_id] = asked.get(result.case.case_id, slots) & slots
    for case_id, slots in sorted(asked.items()):
        if slots:
            yield f"{case_id}: recorded and not used: {', '.join(sorted(slots))} ({PRUNE})"
    if whole_project:
        for path in orphans(settings.cassette_dir, asked.keys()):
            yield f"{_shown(path, settings.root)}: belongs to no case ({PRUNE})"


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
