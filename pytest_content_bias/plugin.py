"""The pytest plugin: declares options, ini values and hooks, and delegates.

Whatever is heavy is imported inside the hook that needs it: a project that merely has this plugin
installed pays for none of it.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_content_bias.session.census import WorkerCensus
from pytest_content_bias.session.controller import Controller
from pytest_content_bias.session.options import INI_VALUES, OPTIONS
from pytest_content_bias.session.settings import read_settings
from pytest_content_bias.session.state import (
    DRY_RUN,
    MARK,
    SETTINGS,
    close_runtime,
    is_case,
    is_case_file,
)
from pytest_content_bias.vocabulary.errors import SettingsError

if TYPE_CHECKING:
    from pytest_content_bias.session.collection import CaseFile


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare every option and ini value."""
    group = parser.getgroup("content bias")
    for option in OPTIONS:
        group.addoption(option.name, dest=option.dest, help=option.help, **option.keywords)
    for ini in INI_VALUES:
        parser.addini(ini.name, ini.help, type=ini.type, default=ini.default)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hooks that conftests may implement."""
    from pytest_content_bias.session import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    """Check the settings and register what watches the run."""
    config.addinivalue_line("markers", f"{MARK}: a case of pytest-content-bias")
    try:
        settings = config.stash[SETTINGS] = read_settings(config)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None
    if settings.dry_run:
        if config.getoption("numprocesses", None):
            raise pytest.UsageError("--content-bias-dry-run counts in one process: leave out -n")
        from pytest_content_bias.session.dry_run import DryRun

        config.stash[DRY_RUN] = DryRun()
    worker = hasattr(config, "workerinput")
    watcher = WorkerCensus(config) if worker else Controller(config, settings)
    config.pluginmanager.register(watcher, "content_bias_watcher")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """Collect case files."""
    if not is_case_file(parent.config, file_path.name):
        return None
    from pytest_content_bias.session.collection import CaseFile

    return CaseFile.from_parent(parent, path=file_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach a case's result to the report that decides it, and name the case as its place."""
    report = yield
    if is_case(item):
        from pytest_content_bias.session.carried import carry_result
        from pytest_content_bias.session.in_words import point_at_case

        point_at_case(item, report, call)
        carry_result(item, report, call)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Await what is in flight, before anybody counts; Ctrl-C ends the wait."""
    try:
        close_runtime(session.config)
    except KeyboardInterrupt:
        session.exitstatus = pytest.ExitCode.INTERRUPTED
