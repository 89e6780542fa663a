"""The Markdown report: for a comment on a pull request and for a build's summary page."""

import re
from collections.abc import Iterable, Iterator

from pytest_content_bias.reports.calls import CallTotals, call_totals
from pytest_content_bias.reports.inert import markdown_cell, shortened
from pytest_content_bias.reports.markdown_evidence import evidence
from pytest_content_bias.reports.order import worst_first
from pytest_content_bias.rules.case_gate import comparability
from pytest_content_bias.rules.figures import shown
from pytest_content_bias.rules.gate import mean_sentence
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.run import CaseResult, Outcome, RunReport

SIGNS = {Outcome.PASSED: "✅", Outcome.FAILED: "❌", Outcome.ERROR: "⚠️"}
_SAFE = re.compile(r"[A-Za-z0-9_ .,;:%+()-]*")
"""Without a meaning in Markdown where they stand in a sentence."""
_TABLE_HEAD = (
    "| | case | metric | score | threshold | baseline | difference |\n|:--|:--|:--|--:|--:|--:|--:|"
)
_MOST_SENTENCES = 20
_LONGEST_SENTENCE = 300
_LONGEST_VERDICT = 1_000
_RESERVE = 120
"""Bytes kept for a sentence that says what was left out."""


def to_markdown(report: RunReport, limit: int = 60_000) -> str:
    """The report as Markdown, worst cases first.

    Args:
        report: the run.
        limit: the most bytes of UTF-8, 4,000 or more; GitHub takes comments of 65,536 characters.
            What does not fit is counted.
    """
    cases = worst_first(report.results)
    foot = _foot(report)
    sections = [_title(report), *_lists(report, limit // 8)]
    if cases:
        room = (limit - _size(*sections, foot)) // 2
        table, left_out = _fitting(map(_row, cases), room - _size(_TABLE_HEAD), len(cases))
        sections.append("\n".join([_TABLE_HEAD, *table]))
        sections += [f"{left_out} more cases are not shown in the table."] if left_out else []
    bad = [result for result in cases if result.outcome is not Outcome.PASSED]
    room = limit - _size(*sections, foot)
    blocks, left_out = _fitting((evidence(report, result) for result in bad), room, len(bad))
    sections += blocks
    if left_out:
        sections.append(
            f"The evidence of {left_out} more cases is left out: it did not fit. The JSON and HTML"
            " reports hold it."
        )
    return "\n\n".join([*sections, foot]) + "\n"


def _fitting(blocks: Iterable[str], room: int, count: int) -> tuple[list[str], int]:
    """The blocks that fit into `room` bytes, first come first served, and how many do not."""
    taken: list[str] = []
    room -= _RESERVE
    for block in blocks:
        if (size := _size(block)) <= room:
            room -= size
            taken.append(block)
    return taken, count - len(taken)


def _size(*texts: str) -> int:
    """Bytes that texts take, with the blank line after each."""
    return sum(len(text.encode()) + 2 for text in texts)


def _title(report: RunReport) -> str:
    sign = SIGNS[Outcome.PASSED if report.passed else Outcome.FAILED]
    verdict = shortened(report.verdict, _LONGEST_VERDICT)
    return f"### {sign} {verdict if _SAFE.fullmatch(verdict) else markdown_cell(verdict)}"


def _lists(report: RunReport, room: int) -> Iterator[str]:
    """Each list of sentences, none of more than `room` bytes."""
    checks = [f"{c.name}: {c.message}" for c in report.checks if c.state != "passed"]
    checks += [f"{c.metric}: {mean_sentence(c)}" for c in report.mean_comparisons]
    titled = (
        ("Checks", checks),
        ("The bar was lowered", report.lowered_bars),
        ("Please note", report.warnings),
    )
    for title, sentences in titled:
        lines = [
            f"- {markdown_cell(shortened(text, _LONGEST_SENTENCE))}"
            for text in sentences[:_MOST_SENTENCES]
        ]
        taken, left_out = _fitting(lines, room, len(sentences))
        taken += [f"- {left_out} more"] if left_out else []
        if taken:
            yield "\n".join([f"**{title}**\n", *taken])


def _row(result: CaseResult) -> str:
    value, threshold = result.value, result.threshold
    cells = (
        f"{SIGNS[result.outcome]} {result.outcome}",
        markdown_cell(shortened(result.case.case_id, _LONGEST_SENTENCE)),
        markdown_cell(shortened(result.metric, _LONGEST_SENTENCE)),
        "unscored" if value is None else f"**{shown(value, threshold)}**",
        shown(threshold, value) if value is not None else shown(threshold),
        *_baseline_cells(result),
    )
    return f"| {' | '.join(cells)} |"


def _baseline_cells(result: CaseResult) -> tuple[str, str]:
    baseline = result.baseline
    if baseline is None:
        return "", ""
    accepted = "" if baseline.value is None else shown(baseline.value)
    if baseline.state == "new":
        return accepted, "new"
    if baseline.difference is None:
        return accepted, markdown_cell(shortened(comparability(baseline), _LONGEST_SENTENCE))
    return accepted, f"{baseline.difference:+.2f}{' ⬇' if baseline.dropped else ''}"


def _foot(report: RunReport) -> str:
    totals = call_totals(report.results)
    lines = [_call_line(role, found) for role, found in totals.items()] or ["No call was made."]
    mode = markdown_cell(report.record)
    lines.append(
        f"Recording mode {mode}; pytest-content-bias {markdown_cell(report.tool_version)}."
    )
    return "\n".join(f"<sub>{line}</sub><br>" for line in lines)


def _call_line(role: Role, totals: CallTotals) -> str:
    return (
        f"{role}: {totals.paid:,} calls paid, {totals.replayed:,} replayed,"
        f" {totals.input_tokens:,} tokens in, {totals.output_tokens:,} out."
    )
