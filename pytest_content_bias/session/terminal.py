"""The section that closes a run: a line per case, notes, and one unmistakable last line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pytest

from pytest_content_bias.reports.inert import terminal as inert
from pytest_content_bias.rules.case_gate import comparability
from pytest_content_bias.rules.figures import shown
from pytest_content_bias.rules.gate import mean_sentence, weighted_mean
from pytest_content_bias.session.conclusion import Conclusion
from pytest_content_bias.session.remedies import shared_commands
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.slowest import slowest_lines
from pytest_content_bias.session.spending import spending_lines
from pytest_content_bias.vocabulary.run import CaseResult, Outcome, RunReport
from pytest_content_bias.vocabulary.score import VariantResult

_MOST_PASSED = 50
"""Passed cases shown without `-v`; the rest is counted."""
_NARROW = 70
"""Below this many columns, bias values are left out of the lines."""
_BARS = " ▁▂▃▄▅▆▇█"
_COLOURS = {Outcome.PASSED: "green", Outcome.FAILED: "red", Outcome.ERROR: "red"}
_ORDER = [Outcome.ERROR, Outcome.FAILED, Outcome.PASSED]


def show(conclusion: Conclusion, reporter: pytest.TerminalReporter, settings: Settings) -> None:
    """Write the section.

    Args:
        conclusion: how the run ended.
        reporter: pytest's terminal.
        settings: the run's settings.
    """
    report, verbosity = conclusion.report, reporter.config.get_verbosity()
    reporter.section("content bias", sep="=")
    if verbosity >= 0:
        _show_cases(report, reporter, verbosity)
        for line in _notes(conclusion, settings, verbosity):
            reporter.write_line(line)
        for line in shared_commands(report, reporter.config):
            reporter.write_line(inert(line))
    else:
        _show_cases(_not_passed(report), reporter, verbosity)
    for line in conclusion.annotations:
        reporter.write_line(line)
    passed = conclusion.passed
    reporter.write_line(_verdict(report, passed), bold=True, green=passed, red=not passed)


def _verdict(report: RunReport, passed: bool) -> str:
    if report.passed == passed:
        return report.verdict
    gate, _, cases = report.verdict.partition(" - ")
    return f"{gate.replace('PASSED', 'FAILED')} - see ERROR above; {cases}"


def _not_passed(report: RunReport) -> RunReport:
    kept = tuple(result for result in report.results if result.outcome is not Outcome.PASSED)
    return report.model_copy(update={"results": kept})


def _show_cases(report: RunReport, reporter: pytest.TerminalReporter, verbosity: int) -> None:
    results = worst_first(report.results)
    hidden = 0
    if verbosity < 1:
        passed = [result for result in results if result.outcome is Outcome.PASSED]
        hidden = max(0, len(passed) - _MOST_PASSED)
        results = results[: len(results) - hidden]
    rows = list(_rows(results, reporter, any(result.baseline for result in results)))
    for row, result in zip(rows, (None, *results), strict=False):
        if result is None:
            reporter.write_line(row)
            continue
        head, tail = row[: len(result.outcome.value)], row[len(result.outcome.value) :]
        reporter.write(head, **{_COLOURS[result.outcome]: True})
        reporter.write_line(tail)
    if hidden:
        reporter.write_line(f"... and {hidden} more cases that passed (-v shows all)")


def worst_first(results: Iterable[CaseResult]) -> list[CaseResult]:
    """Errors, then failures, then the rest, each from the lowest score up."""
    return sorted(
        results,
        key=lambda result: (_ORDER.index(result.outcome), result.value or 0.0, result.node_id),
    )


def _rows(
    results: Sequence[CaseResult], reporter: pytest.TerminalReporter, baseline: bool
) -> Iterator[str]:
    """The heading and a line per case, in aligned columns."""
    if not results:
        return
    wide = reporter._tw.fullwidth >= _NARROW
    bars = _can_show(reporter, _BARS)
    table = [_heading(baseline, wide)]
    table += [_cells(result, baseline, wide, bars) for result in results]
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        yield "  ".join([*cells, row[-1]])


def _heading(baseline: bool, wide: bool) -> list[str]:
    change = ["change"] if baseline else []
    biases = ["one-sided", "amplify", "justify"] if wide else []
    return ["", "score", "least", *change, *biases, "case"]


def _cells(result: CaseResult, baseline: bool, wide: bool, bars: bool) -> list[str]:
    score = "-" if result.value is None else shown(result.value, result.threshold)
    change = [_change(result)] if baseline else []
    biases = _biases(result, bars) if wide else []
    least = shown(result.threshold, *([] if result.value is None else [result.value]))
    return [result.outcome.value.upper(), score, least, *change, *biases, result.node_id]


def _change(result: CaseResult) -> str:
    if result.baseline is None:
        return "-"
    if result.baseline.difference is None:
        return result.baseline.state.replace("not_comparable", "other")
    return f"{result.baseline.difference:+.2f}"


def _biases(result: CaseResult, bars: bool) -> list[str]:
    score = result.score
    if score is not None and score.opinions is not None:
        found = score.opinions
        return [f"{found.biased} of {found.total} biased", "", ""]
    variants = score.variants if score is not None else ()
    cells = [_bias(variant, bars) for variant in variants]
    return cells or ["-", "-", "-"]


def _bias(variant: VariantResult, bars: bool) -> str:
    if variant.verdict is None:
        return variant.status
    bias = variant.verdict.bias
    bar = _BARS[round(bias * (len(_BARS) - 1))] if bars else ""
    return f"{bias:.2f} {bar}".rstrip()


def _can_show(reporter: pytest.TerminalReporter, text: str) -> bool:
    """Whether the terminal's encoding has these characters; Windows code pages may not."""
    encoding = getattr(reporter._tw._file, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _notes(conclusion: Conclusion, settings: Settings, verbosity: int) -> Iterator[str]:
    report = conclusion.report
    yield from spending_lines(report, verbosity)
    yield from slowest_lines(report, settings.slowest)
    if verbosity > 0:
        yield from _grouped_means(report)
        yield from _comparability(report)
    for comparison in report.mean_comparisons:
        yield f"{comparison.metric} against the baseline: {mean_sentence(comparison)}"
    for check in report.checks:
        if check.name != "cases" or check.state == "failed":
            yield f"{check.name}: {check.message}"
    if not settings.record.network and report.bars.incomplete and not report.checks[1:]:
        yield f"suite checks: not applied: {report.bars.incomplete}"
    for lowered in report.lowered_bars:
        yield f"the bar was lowered: {inert(lowered)}"
    for warning in report.warnings:
        yield f"warning: {inert(warning)}"
    yield from conclusion.notices


def _comparability(report: RunReport) -> Iterator[str]:
    for result in report.results:
        if result.baseline is not None and result.baseline.state != "comparable":
            yield f"{result.node_id}: {comparability(result.baseline)}"


def _grouped_means(report: RunReport) -> Iterator[str]:
    for metric in sorted(report.means):
        own = [result for result in report.results if result.metric == metric]
        languages = sorted({result.score.language for result in own if result.score})
        tags = sorted({tag for result in own for tag in result.case.tags})
        for language in languages:
            group = [r for r in own if r.score is not None and r.score.language == language]
            yield _mean_line(metric, f"language {language}", group)
        for tag in tags:
            yield _mean_line(metric, f"tag {tag}", [r for r in own if tag in r.case.tags])


def _mean_line(metric: str, name: str, group: Sequence[CaseResult]) -> str:
    scored = [
        (result.value, result.score.weight)
        for result in group
        if result.score is not None and result.value is not None
    ]
    mean = weighted_mean(scored)
    text = "no score" if mean is None else f"mean {mean:.2f}"
    return f"{metric} of {name}: {text} over {len(scored)} of {len(group)} cases"
