"""Which cases were collected, which were left out, and which files could not be read."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from pytest_content_bias.session.packed import packed
from pytest_content_bias.session.state import cases_among, is_case, is_case_file


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
        self._session: pytest.Session | None = None

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
        self._session = session

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Know the cases before pytest-xdist's workers end, which they may not do in order."""
        self.collected.update(cases_among(self._config, ids))

    def let_go(self) -> None:
        """Hold the cases no longer: pytest and Python look through whatever is alive at their end.

        A plugin that keeps pytest's list of them keeps the cases.
        """
        if self._session is not None:
            self._session.items = [item for item in self._session.items if not is_case(item)]
            self._session = None

    def _may_hold_cases(self, node_id: str) -> bool:
        if is_case_file(self._config, node_id):
            return True
        return "::" not in node_id and (self._config.rootpath / node_id).is_dir()

    def sent(self) -> str:
        """What a pytest-xdist worker tells: one text, since xdist is slow with many."""
        return json.dumps([sorted(self.collected), sorted(self.deselected)])

    def add(self, sent: str) -> None:
        """Take over what a pytest-xdist worker sent; all workers collect the same."""
        collected, deselected = json.loads(sent)
        self.collected.update(collected)
        self.deselected.update(deselected)


class WorkerCensus(Census):
    """The census of a pytest-xdist worker."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_to_serializable(
        self, report: pytest.CollectReport | pytest.TestReport
    ) -> Generator[None, dict[str, Any], dict[str, Any]]:
        """Pack the reports of cases."""
        data = yield
        return packed(data) if report.nodeid in self.collected else data

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send it to the controller."""
        self._config.workeroutput["content_bias"] = self.sent()  # type: ignore[attr-defined]
