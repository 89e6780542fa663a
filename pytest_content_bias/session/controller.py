"""Gates the whole run: gathers results, applies the suite's checks, sets the exit status."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from pytest_content_bias.session.census import Census
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.state import DRY_RUN, REPORT_ATTRIBUTE
from pytest_content_bias.vocabulary.errors import ContentBiasError

if TYPE_CHECKING:
    from pytest_content_bias.session.conclusion import Conclusion


class Controller(Census):
    """The plugin that sees every result; not on pytest-xdist's workers.

    Args:
        config: pytest's configuration.
        settings: the run's settings.
    """

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        super().__init__(config)
        self._settings = settings
        self._started = time.monotonic()
        self._results: dict[str, str] = {}
        self._conclusion: Conclusion | None = None
        self._fault: str | None = None

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result that a case's report carries; of several runs, the last."""
        result: str | None = getattr(report, REPORT_ATTRIBUTE, None)
        if result is not None:
            self._results[report.nodeid] = result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a pytest-xdist worker collected; a crashed worker sends nothing."""
        output = getattr(node, "workeroutput", None)
        if output and "content_bias" in output:
            self.add(output["content_bias"])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Conclude, and turn a run that looks passed red when the gate did not pass."""
        if self._config.option.collectonly or self._settings.dry_run or not self._has_a_say():
            return
        if not self._concluded() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the cases and the verdict."""
        if DRY_RUN in self._config.stash:
            terminalreporter.section("content bias", sep="=")
            for line in self._config.stash[DRY_RUN].lines():
                terminalreporter.write_line(line)
        if self._conclusion is not None:
            from pytest_content_bias.session.terminal import show

            show(self._conclusion, terminalreporter, self._settings)
        if self._fault is not None:
            terminalreporter.write_line(f"content-bias gate: FAILED - {self._fault}", red=True)

    def _has_a_say(self) -> bool:
        seen = self._results or self.collected or self.deselected or self.unreadable
        return bool(seen) or self._settings.asked

    def _concluded(self) -> bool:
        from pytest_content_bias.session.conclusion import Found, conclude

        found = Found(
            results=self._results,
            collected=frozenset(self.collected),
            deselected=frozenset(self.deselected),
            unreadable=tuple(self.unreadable),
            whole_project=self._config.args_source is not pytest.Config.ArgsSource.ARGS,
            selected_by_id=any("::" in str(argument) for argument in self._config.args),
            duration=time.monotonic() - self._started,
        )
        try:
            self._conclusion = conclude(self._settings, found)
        except ContentBiasError as error:
            self._fault = str(error)
            return False
        return self._conclusion.passed
