"""Case files as pytest files, cases as pytest items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_content_bias.files.case_file import CaseEntry, read_case_file
from pytest_content_bias.session.carried import RESULT, properties
from pytest_content_bias.session.in_words import CaseError, CaseFailed, without_innards
from pytest_content_bias.session.metrics import metrics_of
from pytest_content_bias.session.state import DRY_RUN, MARK, picks_cases, register_tag, runtime
from pytest_content_bias.vocabulary.errors import ContentBiasError, UserFileError
from pytest_content_bias.vocabulary.run import Outcome

_MARK = getattr(pytest.mark, MARK)


class CaseFile(pytest.File):
    """A case file."""

    def collect(self) -> Iterator[CaseNode | CaseItem]:
        """Read the file: its cases, or at once their items, unless pytest looks for single cases.

        Raises:
            CollectError: the file cannot be used.
        """
        self._refuse_unreadable_name()
        try:
            entries = read_case_file(self.path, self.config.rootpath, metrics_of(self))
        except UserFileError as error:
            raise self.CollectError(str(error)) from None
        single = picks_cases(self.config)
        for entry in entries:
            case = CaseNode.from_parent(self, name=entry.case.input_id, entry=entry)
            if single:
                yield case
            else:
                yield from case.collect()

    def _refuse_unreadable_name(self) -> None:
        """A name that this locale cannot read would give its cases other ids than elsewhere."""
        try:
            self.nodeid.encode()
        except UnicodeEncodeError:
            raise self.CollectError(
                f"{self.nodeid!a}: the name cannot be read in this locale; set PYTHONUTF8=1"
            ) from None


class CaseNode(pytest.Collector):
    """A case: `path::input_id` on the command line selects it with all its metrics."""

    def __init__(self, *, entry: CaseEntry, **keywords: Any) -> None:
        super().__init__(**keywords)
        self._entry = entry

    def collect(self) -> Iterator[CaseItem]:
        """One item per metric."""
        for metric in self._entry.metrics:
            yield CaseItem.from_parent(self, name=metric, entry=self._entry, metric=metric)


class CaseItem(pytest.Item):
    """One case with one metric.

    Calls happen in `setup`, so that broken machinery is an ERROR; the comparison happens in
    `runtest`, so that a low score is FAILED.
    """

    is_content_bias_case = True
    _told: Sequence[tuple[str, object]] = ()
    """What its properties tell of its result."""

    def __init__(self, *, entry: CaseEntry, metric: str, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.entry = entry
        self.metric = metric
        self.add_marker(_MARK)
        for tag in entry.case.tags:
            register_tag(self.config, tag)
            self.add_marker(tag)

    def setup(self) -> None:
        """Score the case; broken machinery ends here, as an ERROR."""
        self._tell(())
        dry_run = self.config.stash.get(DRY_RUN, None)
        try:
            if dry_run is not None:
                pytest.skip(runtime(self).would_pay(self, dry_run))
            result = runtime(self).result(self)
        except ContentBiasError as error:
            raise CaseError(str(error)) from None
        except pytest.fail.Exception as ended:  # by a plugin, as pytest-timeout does
            raise without_innards(ended) from None
        self.stash[RESULT] = result
        self._tell(tuple(properties(result)))
        if result.outcome is Outcome.ERROR:
            raise CaseError(result.message)

    def _tell(self, told: Sequence[tuple[str, object]]) -> None:
        """Tell in place of what was told before: a plugin may run a case again."""
        others = [entry for entry in self.user_properties if entry not in self._told]
        self.user_properties[:] = [*others, *told]
        self._told = told

    def runtest(self) -> None:
        """Fail with the evidence when the case did not pass."""
        result = self.stash[RESULT]
        if result.outcome is Outcome.FAILED:
            raise CaseFailed(result.message)

    def reportinfo(self) -> tuple[Path, int, str]:
        """File, 0-based line and heading."""
        return self.path, self.entry.case.line - 1, f"{self.entry.case.input_id}::{self.metric}"
