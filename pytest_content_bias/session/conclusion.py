"""The end of a run: the report, the baseline, the files, and what the terminal shows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path

from pytest_content_bias.reports import annotations as build_service
from pytest_content_bias.reports.baseline_file import read_baseline, write_baseline
from pytest_content_bias.reports.markdown import to_markdown
from pytest_content_bias.reports.write import write_report
from pytest_content_bias.rules.baseline import changes, updated_baseline
from pytest_content_bias.rules.conclusion import concluded
from pytest_content_bias.rules.lowered_bars import lowered_bars
from pytest_content_bias.session.elsewhere import uncollected
from pytest_content_bias.session.options import PREFIX
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.unused import unused_recordings
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.errors import ContentBiasError
from pytest_content_bias.vocabulary.run import CaseResult, Outcome, RunReport, SuiteBars


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the controller saw.

    Attributes:
        results: node id to result.
        collected: node ids of the cases that were to run.
        deselected: node ids of the cases that were left out.
        unreadable: node ids of the case files that could not be read.
        crashed: node ids of the cases whose process ended while they ran.
        selected_by_id: whether single cases were named on the command line.
        whole_project: whether pytest was left to find the case files by itself.
        duration: seconds of the whole run.
    """

    results: Mapping[str, CaseResult]
    collected: frozenset[str]
    deselected: frozenset[str]
    unreadable: tuple[str, ...]
    crashed: frozenset[str]
    selected_by_id: bool
    whole_project: bool
    duration: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """How a run ended.

    Attributes:
        report: everything that was found.
        notices: lines for the terminal: what was written, and what could not be.
        passed: whether the gate passed and everything that was asked for could be written.
        annotations: lines for the build service, such as GitHub's workflow commands.
    """

    report: RunReport
    notices: tuple[str, ...]
    passed: bool
    annotations: tuple[str, ...]


def conclude(settings: Settings, found: Found) -> Conclusion:
    """Gate the run and write whatever was asked for."""
    report = _report(settings, found)
    notices, faults = _unused(settings, found, report)
    steps = (
        partial(_renew_baseline, settings, found, report),
        *(partial(_write_report, settings, report, path) for path in settings.reports),
        partial(_write_step_summary, report),
    )
    for step in steps:
        try:
            notices += step()
        except ContentBiasError as error:
            faults.append(f"ERROR: {error}")
    return Conclusion(
        report=report,
        notices=(*notices, *faults),
        passed=report.passed and not faults,
        annotations=tuple(build_service.annotations(report, os.environ)),
    )


def _report(settings: Settings, found: Found) -> RunReport:
    results = tuple(found.results[node_id] for node_id in sorted(found.results))
    incomplete = _incomplete(found)
    bars = SuiteBars(
        asked=settings.asked,
        min_mean=settings.min_mean,
        max_mean_drop=settings.max_mean_drop,
        baseline_strict=settings.baseline_strict,
        incomplete=incomplete,
        unreadable=found.unreadable,
        crashed=tuple(sorted(found.crashed - found.results.keys())),
        not_run=tuple(sorted((found.collected | found.deselected) - found.results.keys())),
    )
    report = concluded(
        RunReport(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            tool_version=version("pytest-content-bias"),
            record=str(settings.record),
            passed=False,
            verdict="",
            results=results,
            bars=bars,
            warnings=_warnings(settings, results),
            duration=round(found.duration, 3),
        )
    )
    accepted = _accepted(settings)
    if accepted is None:
        return report
    elsewhere = uncollected(settings.root, found.collected, accepted.entries)
    accepted = accepted.without(elsewhere)
    lowered = lowered_bars(accepted, report.results, bars=bars, complete=not incomplete)
    return report.model_copy(update={"lowered_bars": lowered})


def _incomplete(found: Found) -> str:
    """Why not every case that stands in the case files ran; empty when all did."""
    total = len(found.collected | found.deselected)
    if found.unreadable:
        return f"{_counted(len(found.unreadable), 'case file')} could not be read"
    if found.deselected:
        return f"{len(found.deselected)} of {_counted(total, 'case')} were deselected"
    if found.selected_by_id:
        return "only some of the cases were asked for"
    missing = len(found.collected - found.results.keys())
    return f"{missing} of {_counted(total, 'case')} did not run" if missing else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _warnings(settings: Settings, results: tuple[CaseResult, ...]) -> tuple[str, ...]:
    notes = {note for result in results if result.score for note in result.score.notes}
    return (*filter(None, [settings.not_recorded]), *sorted(notes))


def _accepted(settings: Settings) -> Baseline | None:
    if not (settings.baseline_named or settings.baseline.exists()):
        return None
    if settings.update_baseline and not settings.baseline.exists():
        return None
    return read_baseline(settings.baseline)


def _renew_baseline(settings: Settings, found: Found, report: RunReport) -> list[str]:
    if not settings.update_baseline:
        return []
    errors = sum(result.outcome is Outcome.ERROR for result in report.results)
    hindrance = report.bars.incomplete or (f"{errors} cases are errors" if errors else "")
    if hindrance or not report.results:
        raise ContentBiasError(
            f"the baseline was not renewed: {hindrance or 'no case ran'}; run every case without "
            f"errors and give {PREFIX}update-baseline again"
        )
    accepted, renewed = _accepted(settings), updated_baseline(report.results, report.bars)
    if accepted is not None:
        kept = uncollected(settings.root, found.collected, accepted.entries)
        renewed = renewed.keeping(accepted, kept)
    write_baseline(settings.baseline, renewed)
    lines = [f"  {line}" for line in changes(accepted, renewed) or ("no change",)]
    shown = _relative(settings.baseline, settings.root)
    below = sum(result.outcome is Outcome.FAILED for result in report.results)
    accepts = [f"  it accepts {_counted(below, 'case')} below the threshold"] if below else []
    return [f"baseline written: {shown}", *lines, *accepts]


def _write_report(settings: Settings, report: RunReport, path: Path) -> list[str]:
    write_report(report, path)
    return [f"report written: {_relative(path, settings.root)}"]


def _write_step_summary(report: RunReport) -> list[str]:
    """GitHub shows what is appended to this file on the page of the run."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return []
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(to_markdown(report) + "\n")
    except OSError as error:
        raise ContentBiasError(f"$GITHUB_STEP_SUMMARY cannot be written: {error}") from None
    return []


def _unused(settings: Settings, found: Found, report: RunReport) -> tuple[list[str], list[str]]:
    """What is recorded and not used, as notices or as faults; nothing after a partial run."""
    if settings.unused == "ignore" or report.bars.incomplete:
        return [], []
    lines = list(unused_recordings(settings, report.results, found.whole_project))
    if settings.unused == "error":
        return [], [f"ERROR: {line}" for line in lines]
    return [f"unused: {line}" for line in lines], []


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
