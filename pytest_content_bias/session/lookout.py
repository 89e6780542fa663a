"""Until there is a sign of a case, what cases need is neither imported nor registered."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_content_bias.session.options import anything_asked
from pytest_content_bias.session.state import cases_among, is_case_file

if TYPE_CHECKING:
    from pytest_content_bias.session.census import Census
    from pytest_content_bias.session.collection import CaseFile


class Lookout:
    """Looks out for cases. The signs: a setting, a case file, or a failure that may hide one.

    Args:
        config: pytest's configuration.

    Raises:
        UsageError: a setting cannot be used.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._started = time.monotonic()
        self._census: Census | None = None
        if anything_asked(config):
            self._begin()

    def _begin(self) -> Census:
        if self._census is None:
            from pytest_content_bias.session.beginning import begin

            self._census = begin(self._config, self._started)
        return self._census

    @pytest.hookimpl
    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> CaseFile | None:
        """Collect case files."""
        if not is_case_file(self._config, file_path.name):
            return None
        from pytest_content_bias.session.garbage import pause_garbage_collection

        pause_garbage_collection(self._config)
        self._begin()
        from pytest_content_bias.session.collection import CaseFile

        return CaseFile.from_parent(parent, path=file_path)

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A folder that could not be read may hold cases."""
        if report.failed and self._census is None:
            self._begin().pytest_collectreport(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """See the cases that only pytest-xdist's workers collect."""
        if self._census is None and cases_among(self._config, ids):
            self._begin().pytest_xdist_node_collection_finished(ids)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """See the cases that pytest-xdist's workers collected and left out."""
        sent = getattr(node, "workeroutput", {}).get("content_bias")
        if self._census is None and sent is not None:
            self._begin().add(sent)
