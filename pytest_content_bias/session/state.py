"""What a run keeps between hooks; imports nothing heavy."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch
from typing import TYPE_CHECKING, TypeGuard

import pytest

if TYPE_CHECKING:
    from pytest_content_bias.session.census import Census
    from pytest_content_bias.session.collection import CaseItem
    from pytest_content_bias.session.dry_run import DryRun
    from pytest_content_bias.session.runtime import Runtime
    from pytest_content_bias.session.settings import Settings
    from pytest_content_bias.vocabulary.run import CaseResult

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
DRY_RUN: pytest.StashKey[DryRun] = pytest.StashKey()
"""Set when nothing is to be called or gated."""
AT_HAND: pytest.StashKey[dict[str, CaseResult]] = pytest.StashKey()
"""Node id to result, from the report of a case in this process until the controller takes it: it
need not read JSON, and the run does not hold every result twice."""
_TAGS: pytest.StashKey[set[str]] = pytest.StashKey()
_RUNTIME: pytest.StashKey[Runtime] = pytest.StashKey()

REPORT_ATTRIBUTE = "content_bias"
"""The attribute of a test report that carries a CaseResult as JSON, also through pytest-xdist.

Not `user_properties`: these end in JUnit files, where they are to be few and readable.
"""
MARK = "content_bias"
WATCHER = "content_bias_watcher"
"""The name of the plugin that watches a run with cases."""


def runtime(item: CaseItem) -> Runtime:
    """The run's machinery, made when the first case needs it."""
    stash = item.config.stash
    if _RUNTIME not in stash:
        from pytest_content_bias.session.runtime import Runtime

        stash[_RUNTIME] = Runtime(item, stash[SETTINGS])
    return stash[_RUNTIME]


def close_runtime(config: pytest.Config) -> None:
    """End the run's machinery, if any case needed it."""
    made = config.stash.get(_RUNTIME, None)
    if made is not None:
        made.close()
        del config.stash[_RUNTIME]


def let_go_of_cases(config: pytest.Config) -> None:
    """Hold the cases no longer, if there were any."""
    watcher: Census | None = config.pluginmanager.get_plugin(WATCHER)
    if watcher is not None:
        watcher.let_go()


def is_case(item: pytest.Item) -> TypeGuard[CaseItem]:
    """Whether an item is a case, asked without importing what cases are made of."""
    return getattr(item, "is_content_bias_case", False)


def is_case_file(config: pytest.Config, path: str) -> bool:
    """Whether a path names a case file, by the patterns of `content_bias_files`."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return any(fnmatch(name, pattern) for pattern in config.getini("content_bias_files"))


def cases_among(config: pytest.Config, node_ids: Iterable[str]) -> set[str]:
    """The node ids of cases.

    Args:
        config: pytest's configuration.
        node_ids: of all tests, in any order.
    """
    by_file: dict[str, list[str]] = {}
    for node_id in node_ids:
        by_file.setdefault(node_id.partition("::")[0], []).append(node_id)
    return {each for file, ids in by_file.items() if is_case_file(config, file) for each in ids}


def picks_cases(config: pytest.Config) -> bool:
    """Whether pytest may leave out cases that nobody hears of: by ids, or by `--lf`."""
    named = any("::" in str(argument) for argument in config.args)
    return named or bool(getattr(config.option, "lf", False))


def register_tag(config: pytest.Config, tag: str) -> None:
    """Make a tag known as a mark, so that `--strict-markers` takes it: case files define tags."""
    known = config.stash.setdefault(_TAGS, set())
    if tag not in known:
        known.add(tag)
        config.addinivalue_line("markers", f"{tag}: a tag of content bias cases")
