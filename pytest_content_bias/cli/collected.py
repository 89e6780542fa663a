"""The cases and settings that pytest would find, found by pytest itself."""

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from pytest_content_bias.session.collection import CaseItem
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.state import SETTINGS
from pytest_content_bias.vocabulary.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Collected:
    """What pytest found.

    Attributes:
        settings: the settings of a run here.
        items: the cases, one item per metric.
    """

    settings: Settings
    items: tuple[CaseItem, ...]


class _Catcher:
    """A plugin that keeps what pytest collected."""

    def __init__(self) -> None:
        self.found: Collected | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        items = tuple(item for item in session.items if isinstance(item, CaseItem))
        self.found = Collected(session.config.stash[SETTINGS], items)


def collect(paths: Sequence[str]) -> Collected:
    """Collect cases as `pytest PATHS --collect-only` would.

    Args:
        paths: files and folders; empty: what pytest takes by itself.

    Raises:
        SettingsError: pytest could not collect; holds what it printed.
    """
    catcher, printed = _Catcher(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = pytest.main([*paths, "--collect-only", "-q"], plugins=[catcher])
    good = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    if catcher.found is None or status not in good:
        raise SettingsError(f"pytest could not collect the cases:\n{printed.getvalue().strip()}")
    return catcher.found
