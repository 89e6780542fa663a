"""Recordings that nothing asks for any more."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from pytest_content_bias.cassettes.maintenance import orphans
from pytest_content_bias.session.elsewhere import uncollected
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
    results = tuple(results)
    for case_id, slots in sorted(unused_slots(results).items()):
        yield f"{case_id}: recorded and not used: {', '.join(sorted(slots))} ({PRUNE})"
    if whole_project:
        for path in orphaned_cassettes(settings, {result.case.case_id for result in results}):
            yield f"{_shown(path, settings.root)}: belongs to no case ({PRUNE})"


def unused_slots(results: Iterable[CaseResult]) -> Mapping[str, frozenset[str]]:
    """Case to the slots of its cassette that no metric asked for, where there are any.

    Args:
        results: every metric of each case; a case with one that was not scored is left out.
    """
    unused: dict[str, frozenset[str]] = {}
    for result in results:
        scored = result.score is not None and result.score.error is None
        own = frozenset(result.unused) if scored else frozenset[str]()
        unused[result.case.case_id] = unused.get(result.case.case_id, own) & own
    return {case_id: slots for case_id, slots in unused.items() if slots}


def orphaned_cassettes(settings: Settings, case_ids: Collection[str]) -> list[Path]:
    """The cassettes and journals of cases that there are no longer.

    Those of case files that were not collected are not among them; see `uncollected`.

    Args:
        settings: where the cassettes are.
        case_ids: the cases that were collected.
    """
    found = orphans(settings.cassette_dir, case_ids)
    perhaps = uncollected(settings.root, case_ids, found.values())
    return [path for path, case_id in found.items() if case_id not in perhaps]


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
