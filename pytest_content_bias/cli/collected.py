"""The cases and settings that pytest would find, found by pytest itself."""

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from pytest_content_bias.session.collection import CaseItem
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.state import SETTINGS, close_runtime, runtime
from pytest_content_bias.vocabulary.errors import ContentBiasError, SettingsError
from pytest_content_bias.vocabulary.run import CaseResult


@dataclass(frozen=True, slots=True)
class Collected:
    """What pytest found.

    Attributes:
        settings: the settings of a run here.
        items: the cases, one item per metric, those among them that options deselect.
        results: the cases as replayed, if that was asked for.
    """

    settings: Settings
    items: tuple[CaseItem, ...]
    results: tuple[CaseResult, ...]


_OUR_OWN_IMPORT = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
"""pytest warns that the plugin was imported before it: this command is part of it. Projects that
turn warnings into errors would end there."""


class _Catcher:
    """A plugin that keeps what pytest collects, and replays it if asked to."""

    def __init__(self, replay: bool) -> None:
        self._replay = replay
        self._items: list[CaseItem] = []
        self.found: Collected | None = None
        self.fault: ContentBiasError | None = None

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        if isinstance(item, CaseItem):
            self._items.append(item)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        results: tuple[CaseResult, ...] = ()
        try:
            _refuse_single_cases(session.config.args)
            if self._replay and not session.testsfailed:
                results = self._replayed(session)
        except ContentBiasError as error:
            self.fault = error
        self.found = Collected(session.config.stash[SETTINGS], tuple(self._items), results)

    def _replayed(self, session: pytest.Session) -> tuple[CaseResult, ...]:
        session.items[:] = self._items  # where the cases that come next are looked up
        try:
            return tuple(runtime(item).result(item) for item in self._items)
        finally:
            close_runtime(session.config)


def _refuse_single_cases(arguments: Sequence[str]) -> None:
    """Of a file that was collected in part, nobody could tell which recordings it needs."""
    for argument in arguments:
        if "::" in argument:
            raise SettingsError(f"expected files and folders, found the single case {argument!r}")


def collect(paths: Sequence[str], *, replay: bool = False) -> Collected:
    """Collect cases as `pytest PATHS --collect-only` would.

    Args:
        paths: files and folders; empty: what pytest takes by itself.
        replay: whether to replay the cases, too; nothing is called for that.

    Raises:
        SettingsError: pytest could not collect, which holds what it printed; or a single case was
            given.
        ContentBiasError: nothing could be replayed.
    """
    catcher, printed = _Catcher(replay), io.StringIO()
    offline = ["--collect-only", "-q", "--content-bias-record=none", "-W", _OUR_OWN_IMPORT]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            status = pytest.main([*paths, *offline], plugins=[catcher])
        except Warning as warning:  # of pytest's configuration, in a project that makes it an error
            raise SettingsError(f"pytest could not collect the cases: {warning}") from None
    if catcher.fault is not None:
        raise catcher.fault
    good = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    if catcher.found is None or status not in good:
        raise SettingsError(f"pytest could not collect the cases:\n{printed.getvalue().strip()}")
    return catcher.found
