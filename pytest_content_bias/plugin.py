"""The pytest plugin: declares options, ini values and hooks, and delegates.

Whatever cases need is imported and registered when there is a sign of them: a project that merely
has this plugin installed pays for none of it.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest

from pytest_content_bias.session.lookout import Lookout
from pytest_content_bias.session.options import INI_VALUES, OPTIONS
from pytest_content_bias.session.state import MARK, close_runtime, is_case, let_go_of_cases


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
    """Look out for cases."""
    config.addinivalue_line("markers", f"{MARK}: a case of pytest-content-bias")
    config.pluginmanager.register(Lookout(config), "content_bias_lookout")


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


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of the cases: after conftests and most plugins, before pytest looks for garbage."""
    let_go_of_cases(config)
