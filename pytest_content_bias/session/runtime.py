"""The machinery of a run: one engine, one sender, a cassette for each case in work."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pytest

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts
from pytest_content_bias.cassettes.network_guard import network_guard
from pytest_content_bias.cassettes.user_calls import UserCalls
from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.reports.baseline_file import read_baseline
from pytest_content_bias.rules.plan import planned_slots
from pytest_content_bias.session.budget import Budget
from pytest_content_bias.session.cast import Cast, Casting
from pytest_content_bias.session.dry_run import DryExchange, DryRun
from pytest_content_bias.session.freshness import freshness, repetition
from pytest_content_bias.session.gating import Gate
from pytest_content_bias.session.ledger import note, noted_calls, noting_calls_of
from pytest_content_bias.session.metered import FREE, MeteredSender, prices_of
from pytest_content_bias.session.metrics import metrics_of
from pytest_content_bias.session.notes import notes
from pytest_content_bias.session.open_cassettes import OpenCassettes, command
from pytest_content_bias.session.own_loop import new_loop
from pytest_content_bias.session.progress import Progress
from pytest_content_bias.session.renamed import LeftBehind
from pytest_content_bias.session.screened import error_without_secrets, without_secrets
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.state import is_case
from pytest_content_bias.session.upcoming import upcoming_cases
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import ContentBiasError, MissingRecording
from pytest_content_bias.vocabulary.protocols import Bench, Exchange, Sender
from pytest_content_bias.vocabulary.run import CaseResult
from pytest_content_bias.vocabulary.score import CaseScore
from pytest_content_bias.work.engine import Engine, Job
from pytest_content_bias.work.pacing import PacedExchange, Pacing

if TYPE_CHECKING:
    from pytest_content_bias.models.http_sender import HttpSender
    from pytest_content_bias.session.collection import CaseItem


@dataclass(frozen=True, slots=True)
class Scored:
    """What became of one case in work."""

    score: CaseScore
    seconds: float
    unused: tuple[str, ...]


class Runtime:
    """Scores and gates the cases of one process.

    Args:
        item: the first case, through which pytest is reached.
        settings: the run's settings.
    """

    def __init__(self, item: CaseItem, settings: Settings) -> None:
        self._settings = settings
        self._casting = Casting(settings)
        self._prompts = PromptLibrary(settings.prompt_dir)
        self._user_calls = UserCalls(AllowedHosts(settings.allowed_hosts), self._admit)
        quiet = self._user_calls.quiet
        self._engine: Engine[Scored] = Engine(settings.max_concurrency, quiet, new_loop)
        self._counter: Engine[str] = Engine(1, quiet, new_loop)
        self._budget = Budget(settings.max_calls, settings.max_cost)
        self._replays = settings.dry_run or not settings.record.network
        self._sender = None if self._replays else _sender()
        self._pacing = Pacing()
        self._progress = _progress(item)
        self._cassettes = OpenCassettes(
            settings, _run_name(item.config), self._metered, self._called
        )
        self._gate = Gate(settings, _baseline(settings))
        self._left_behind = LeftBehind(settings)

    def result(self, item: CaseItem) -> CaseResult:
        """Score and gate a case, and start those that follow."""
        upcoming = (self._job(other) for other in upcoming_cases(item))
        try:
            with self._attended():
                scored = self._engine.result(self._job(item), upcoming)
        except ContentBiasError as error:
            message = f"{error}{self._left_behind.advice(item, error)}"
            result = self._gate.unscored(item.entry, item.metric, message, noted_calls(item))
        else:
            result = self._gate.scored(item.entry, item.metric, scored.score)
            update = {"duration": scored.seconds, "unused": scored.unused}
            result = result.model_copy(update=update)
        finally:
            self._progress.case_done()
            self._cassettes.scored(item)
        return without_secrets(result, self._casting.screen(item))

    def would_pay(self, item: CaseItem, dry_run: DryRun) -> str:
        """Find out what recording a case would pay, without a call.

        Raises:
            ContentBiasError: that cannot be found out.
        """
        job = Job(item.nodeid, partial(self._counted, item, dry_run))
        try:
            with self._attended():
                return self._counter.result(job)
        except ContentBiasError as error:
            raise error_without_secrets(error, self._casting.screen(item)) from None

    async def _counted(self, item: CaseItem, dry_run: DryRun) -> str:
        cast = self._casting.cast(item)
        cassette = self._cassettes.of(item, cast)
        config, case = item.entry.configs[item.metric], item.entry.case
        exchange = DryExchange(cassette, self._settings.record, dry_run)
        async with cassette.working():
            with suppress(MissingRecording), self._user_calls.in_case(cassette):
                await metrics_of(item)[item.metric](self._bench(item, cast, exchange), config)
        paid = set(planned_slots(item.metric, case, config)) - exchange.replayed
        return dry_run.add(case.case_id, paid, prices_of(cast.project.config))

    def close(self) -> None:
        """Start no new call, await those in flight, close connections."""
        self._budget.stop("the run is ending")
        self._user_calls.stop("the run is ending")
        with self._user_calls.at_work():
            self._engine.close(self._close_sender)
            self._counter.close(self._close_sender)

    async def _close_sender(self) -> None:
        if self._sender is not None:
            await self._sender.aclose()

    def _job(self, item: CaseItem) -> Job[Scored]:
        return Job(item.nodeid, partial(self._score, item))

    async def _score(self, item: CaseItem) -> Scored:
        started = time.perf_counter()
        cast = self._casting.cast(item)
        cassette = self._cassettes.of(item, cast)
        bench = self._bench(item, cast, PacedExchange(cassette, self._pacing))
        metric = metrics_of(item)[item.metric]
        case_id = item.entry.case.case_id
        project, again = cast.project, command(case_id)
        fresh = freshness(project, cassette, case_id, again)
        async with cassette.working():
            with self._user_calls.in_case(cassette), noting_calls_of(item):
                score = await metric(bench, item.entry.configs[item.metric])
            if score.error is None:
                cassette.finish()
        begun = cassette.has_partial
        found = notes(project, self._settings.record, case_id, again, has_partial=begun)
        found += fresh + repetition(project, cassette)
        score = score.model_copy(update={"notes": (*score.notes, *found)}) if found else score
        return Scored(score, round(time.perf_counter() - started, 4), cassette.unused())

    def _bench(self, item: CaseItem, cast: Cast, exchange: Exchange) -> Bench:
        return Bench(
            case=item.entry.case,
            exchange=exchange,
            roles=cast.roles,
            prompts=self._prompts,
            min_valid_variants=self._settings.min_valid_variants,
        )

    @contextmanager
    def _attended(self) -> Iterator[None]:
        """The time that cases are worked on; where they are replayed, nothing may leave."""
        guard = network_guard(self._settings.allowed_hosts) if self._replays else nullcontext()
        with guard, self._user_calls.at_work():
            yield

    def _called(self, request: CallRequest, reply: CallReply) -> None:
        self._progress.called(request, reply)
        note(request, reply)

    def _admit(self, request: CallRequest) -> None:
        """A call of the system's own code: it is counted, and its cost is not known."""
        self._budget.admit(request, FREE)

    def _metered(self, cast: Cast) -> Sender | None:
        if self._sender is None:
            return None
        return MeteredSender(self._sender, self._budget, prices_of(cast.project.config))


def _run_name(config: pytest.Config) -> str:
    """A name for the run as a whole, the same in all workers of pytest-xdist."""
    worker = getattr(config, "workerinput", None)
    return str(worker["testrunuid"]) if worker else uuid.uuid4().hex


def _sender() -> HttpSender:
    """Imported by runs that may use the network only: the HTTP client is slow to import."""
    from pytest_content_bias.models.http_sender import HttpSender

    return HttpSender()


def _progress(item: CaseItem) -> Progress:
    reporter = item.config.pluginmanager.get_plugin("terminalreporter")
    shows = item.config.get_verbosity() >= 0
    return Progress(reporter if shows else None, sum(map(is_case, item.session.items)))


def _baseline(settings: Settings) -> Baseline | None:
    """The accepted scores to compare with; none while they are being renewed."""
    if settings.update_baseline or not (settings.baseline_named or settings.baseline.exists()):
        return None
    return read_baseline(settings.baseline)
