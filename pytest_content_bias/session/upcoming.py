"""Which cases come next, so that they can be started while pytest waits for the present one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_content_bias.session.collection import CaseItem


def upcoming_cases(item: CaseItem) -> Iterator[CaseItem]:
    """The cases that run after `item` without another test between them.

    Under pytest-xdist these are the cases in this worker's own queue.
    """
    worker = _xdist_worker(item.config)
    following = _after(item) if worker is None else _queued(worker, item.session)
    for candidate in following:
        if not isinstance(candidate, CaseItem):
            return
        yield candidate


def _after(item: CaseItem) -> Iterator[pytest.Item]:
    positions = item.session.stash.setdefault(_POSITIONS, {})
    if not positions:
        positions.update({other.nodeid: at for at, other in enumerate(item.session.items)})
    for at in range(positions[item.nodeid] + 1, len(item.session.items)):
        yield item.session.items[at]


_POSITIONS: pytest.StashKey[dict[str, int]] = pytest.StashKey()


def _xdist_worker(config: pytest.Config) -> Any:
    if not hasattr(config, "workerinput"):
        return None
    plugins = config.pluginmanager.get_plugins()
    return next((plugin for plugin in plugins if hasattr(plugin, "torun")), None)


def _queued(worker: Any, session: pytest.Session) -> Iterator[pytest.Item]:
    """The worker's next item and its queue; xdist has no public name for them."""
    with worker.torun.lock() as queue:
        indices = [worker.nextitem_index, *queue]
    for index in indices:
        if not isinstance(index, int):
            return
        yield session.items[index]
