"""Cases that a run says nothing of: their file is there and was not collected."""

from collections.abc import Iterable
from pathlib import Path


def uncollected(root: Path, collected: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """Those of the known cases whose file exists and was not collected.

    `testpaths` and paths on the command line leave files out: that a case of such a file did not
    run does not mean that there is no such case.

    Args:
        root: pytest's root directory.
        collected: ids of the cases, or of their items, that were collected.
        known: ids of cases, or of items, from a cassette or a baseline.
    """
    files = {_file(node_id) for node_id in collected}
    return frozenset(
        node_id
        for node_id in known
        if _file(node_id) not in files and (root / _file(node_id)).exists()
    )


def _file(node_id: str) -> str:
    return node_id.partition("::")[0]
