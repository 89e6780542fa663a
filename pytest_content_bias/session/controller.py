"""Gates the whole run: gathers results, applies the suite's checks, sets the exit status."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_content_bias.session.census import Census
from pytest_content_bias.session.packed import unpack
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.state import (
    AT_HAND,
    DRY_RUN,
    REPORT_ATTRIBUTE,
    is_case_file,
    picks_cases,
)
from pytest_content_bias.vocabulary.errors import ContentBiasError, SettingsError
from pytest_content_bias.vocabulary.names import MetricName

if TYPE_CHECKING:
    from pytest_content_bias.session.conclusion import Conclusion
    from pytest_content_bias.vocabulary.run import CaseResult

_OF_A_CRASH = "???"
"""The phase that pytest-xdist reports of a test whose worker ended while it ran."""


class Controller(Census):
    """The plugin that sees every result; not on pytest-xdist's workers.

    Args:
        config: pytest's configuration.
        settings: the run's settings.
        started: when pytest started, by the monotonic clock.
    """

    def __init__(self, config: pytest.Config, settings: Settings, started: float) -> None:
        super().__init__(config)
        self._settings = settings
        self._started = started
        self._results: dict[str, CaseResult] = {}
        self._crashed: set[str] = set()
        self._conclusion: Conclusion | None = None
        self._fault: str | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_from_serializable(
        self, data: dict[str, Any]
    ) -> Generator[None, object, object]:
        """Unpack what a pytest-xdist worker packed, before any plugin reads it."""
        unpack(data)
        return (yield)

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result that a case's report carries; of several runs, the last."""
        carried: str | None = getattr(report, REPORT_ATTRIBUTE, None)
        if carried is not None:
            delattr(report, REPORT_ATTRIBUTE)  # pytest keeps its reports to the end
            at_hand = self._config.stash.get(AT_HAND, {}).pop(report.nodeid, None)
            result = self._results[report.nodeid] = at_hand or _read_result(carried)
            if str(report.outcome) != "rerun":  # by pytest-rerunfailures: another attempt follows
                hook = self._config.hook.pytest_content_bias_case_scored
                hook(config=self._config, result=result)
        elif str(report.when) == _OF_A_CRASH and is_case_file(
            self._config, report.nodeid.partition("::")[0]
        ):
            self._crashed.add(report.nodeid)

    @pytest.hookimpl
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Check what could not be checked before the cases were known."""
        super().pytest_collection_finish(session)
        if not session.testsfailed:  # the metric may stand in a file that could not be read
            self._check_metrics()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Check them as soon as they are known."""
        super().pytest_xdist_node_collection_finished(ids)
        self._check_metrics()

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

    def let_go(self) -> None:
        """Hold neither cases nor results any longer."""
        super().let_go()
        self._results, self._conclusion = {}, None

    def _check_metrics(self) -> None:
        cases = self.collected | self.deselected
        if not cases and not self._settings.thresholds:
            return
        from pytest_content_bias.session import named_metrics

        try:
            named_metrics.refuse_unknown_metrics(self._settings.thresholds, cases)
            if cases and self._settings.ini_thresholds:
                whole = self._whole_project and not picks_cases(self._config)
                known = named_metrics.metrics_in(cases) | self._metrics_of_conftests()
                ini = self._settings.ini_thresholds
                named_metrics.refuse_misspelt_metrics(ini, known, whole_project=whole)
        except SettingsError as error:
            raise pytest.UsageError(str(error)) from None

    def _metrics_of_conftests(self) -> set[str]:
        hook = self._config.hook.pytest_content_bias_metrics
        defined = {name for metrics in hook(config=self._config) for name in metrics}
        return defined | {str(name) for name in MetricName}

    @property
    def _whole_project(self) -> bool:
        return self._config.args_source is not pytest.Config.ArgsSource.ARGS

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
            crashed=frozenset(self._crashed),
            whole_project=self._whole_project,
            selected_by_id=picks_cases(self._config),
            duration=time.monotonic() - self._started,
        )
        try:
            self._conclusion = conclude(self._settings, found)
        except ContentBiasError as error:
            self._fault = str(error)
            return False
        hook = self._config.hook.pytest_content_bias_gated
        hook(config=self._config, report=self._conclusion.report)
        return self._conclusion.passed


def _read_result(carried: str) -> CaseResult:
    """A result of another process, read at once: while the others work, not after them."""
    from pytest_content_bias.vocabulary.run import CaseResult

    return CaseResult.model_validate_json(carried)
