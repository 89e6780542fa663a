"""Which cases were collected, which were left out, and which files could not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_content_bias.session.state import is_case, is_case_file


class Census:
    """Counts while pytest collects; one per process.

    Args:
        config: pytest's configuration.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.collected: set[str] = set()
        self.deselected: set[str] = set()
        self.unreadable: list[str] = []

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note case files that could not be read, and folders, which may hold some."""
        if report.failed and self._may_hold_cases(report.nodeid):
            self.unreadable.append(report.nodeid)

    @pytest.hookimpl
    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Note cases that `-k`, `-m`, `--lf` or a plugin left out."""
        self.deselected.update(item.nodeid for item in items if is_case(item))

    @pytest.hookimpl
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the cases that are to run."""
        self.collected = {item.nodeid for item in session.items if is_case(item)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Know the cases before pytest-xdist's workers end, which they may not do in order."""
        self.collected.update(
            node_id for node_id in ids if is_case_file(self._config, node_id.partition("::")[0])
        )

    def _may_hold_cases(self, node_id: str) -> bool:
        if is_case_file(self._config, node_id):
            return True
        return "::" not in node_id and (self._config.rootpath / node_id).is_dir()

    def add(self, sent: Mapping[str, Any]) -> None:
        """Take over what a pytest-xdist worker sent; all workers collect the same."""
        self.collected.update(sent["collected"])
        self.deselected.update(sent["deselected"])


class WorkerCensus(Census):
    """The census of a pytest-xdist worker."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Send it to the controller."""
        self._config.workeroutput["content_bias"] = {  # type: ignore[attr-defined]
            "collected": sorted(self.collected),
            "deselected": sorted(self.deselected),
        }
