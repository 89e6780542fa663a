"""The machinery of a run: one engine, one sender, a cassette for each case in work."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.cassettes.paths import cassette_path
from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.reports.baseline_file import read_baseline
from pytest_content_bias.session import factories
from pytest_content_bias.session.budget import Budget
from pytest_content_bias.session.cast import Cast, Casting
from pytest_content_bias.session.gating import Gate
from pytest_content_bias.session.progress import Progress
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.upcoming import upcoming_cases
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.errors import ContentBiasError, SettingsError
from pytest_content_bias.vocabulary.protocols import Bench, Metric
from pytest_content_bias.vocabulary.run import CaseResult
from pytest_content_bias.vocabulary.score import CaseScore
from pytest_content_bias.work.engine import Engine, Job

if TYPE_CHECKING:
    from pytest_content_bias.models.http_sender import HttpSender
    from pytest_content_bias.session.collection import CaseItem


class Runtime:
    """Scores and gates the cases of one process.

    Args:
        config: pytest's configuration.
        settings: the run's settings.
    """

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        if not config.pluginmanager.is_registered(factories):
            config.pluginmanager.register(factories, "content_bias_factories")
        self._settings = settings
        self._casting = Casting(settings)
        self._prompts = PromptLibrary(settings.prompt_dir)
        self._engine: Engine[CaseScore] = Engine(settings.max_concurrency)
        self._budget = Budget(settings.max_calls)
        self._sender = _sender(self._budget) if settings.record.network else None
        self._progress = Progress(config, settings)
        self._cassettes: dict[str, CaseCassette] = {}
        self._gate = Gate(settings, _baseline(settings))
        self._run = _run_name(config)

    def result(self, item: CaseItem) -> CaseResult:
        """Score and gate a case, and start those that follow."""
        upcoming = (self._job(other) for other in upcoming_cases(item))
        try:
            score = self._engine.result(self._job(item), upcoming)
        except ContentBiasError as error:
            return self._gate.unscored(item.entry, item.metric, str(error))
        return self._gate.scored(item.entry, item.metric, score)

    def close(self) -> None:
        """Start no new call, await those in flight, close connections."""
        self._budget.stop("the run is ending")
        self._engine.close(self._close_sender)
        self._progress.close()

    async def _close_sender(self) -> None:
        if self._sender is not None:
            await self._sender.aclose()

    def _job(self, item: CaseItem) -> Job[CaseScore]:
        async def work() -> CaseScore:
            return await self._score(item)

        return Job(item.nodeid, work)

    async def _score(self, item: CaseItem) -> CaseScore:
        cast, metric = self._casting.cast(item), _metric(item)
        cassette = self._cassette(item, cast)
        bench = Bench(
            case=item.entry.case,
            exchange=cassette,
            roles=cast.roles,
            prompts=self._prompts,
            min_valid_variants=self._settings.min_valid_variants,
        )
        async with cassette.working():
            score = await metric(bench, item.entry.configs[item.metric])
            if score.error is None:
                cassette.finish()
        return score

    def _cassette(self, item: CaseItem, cast: Cast) -> CaseCassette:
        """One cassette object per case: the metrics of a case share what either recorded."""
        case = item.entry.case
        if case.case_id not in self._cassettes:
            self._cassettes[case.case_id] = CaseCassette(
                cassette_path(self._settings.cassette_dir, case.path, case.input_id),
                case.case_id,
                self._settings.record,
                self._sender,
                record_command=f'pytest "{case.case_id}"',
                secrets=cast.screen,
                on_call=self._progress.called,
                run=self._run,
            )
        return self._cassettes[case.case_id]


def _run_name(config: pytest.Config) -> str:
    """A name for the run as a whole, the same in all workers of pytest-xdist."""
    worker = getattr(config, "workerinput", None)
    return str(worker["testrunuid"]) if worker else uuid.uuid4().hex


def _sender(budget: Budget) -> HttpSender:
    """Imported by runs that may use the network only: the HTTP client is slow to import."""
    from pytest_content_bias.models.http_sender import HttpSender

    return HttpSender(admit=budget.admit)


def _baseline(settings: Settings) -> Baseline | None:
    """The accepted scores to compare with; none while they are being renewed."""
    if settings.update_baseline or not (settings.baseline_named or settings.baseline.exists()):
        return None
    return read_baseline(settings.baseline)


def _metric(item: CaseItem) -> Metric:
    made: Metric | None = item.ihook.pytest_content_bias_make_metric(
        config=item.config, name=item.metric
    )
    if made is None:
        raise SettingsError(f"no plugin makes a metric named {item.metric!r}")
    return made
