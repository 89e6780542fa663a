"""The words of the page that need no script: verdict, numbers, notices, worst cases."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pytest_content_bias.reports.causes import cause
from pytest_content_bias.reports.inert import html, shortened
from pytest_content_bias.rules.figures import shown
from pytest_content_bias.rules.gate import mean_sentence
from pytest_content_bias.vocabulary.run import CaseResult, Outcome, RunReport

_MOST_STATIC_CASES = 50
_LONGEST_SENTENCE = 1_000

Numbered = Sequence[tuple[int, CaseResult]]


def header(report: RunReport) -> str:
    """The verdict, and what run it is about."""
    state = "passed" if report.passed else "failed"
    facts = (
        report.created.replace("T", " ").removesuffix("Z").removesuffix("+00:00") + " UTC",
        f"{report.duration:.1f} s",
        f"recording mode {report.record}",
        f"pytest-content-bias {report.tool_version}",
    )
    sentence = report.verdict.partition(" - ")[2] or report.verdict
    return (
        f'<header class="{state}"><p class="eyebrow">Content-bias gate</p>'
        f"<h1>{state.capitalize()}</h1><p class=lead>{html(sentence)}</p>"
        f"<p class=quiet>{' · '.join(html(fact) for fact in facts)}</p></header>"
    )


def tiles(report: RunReport) -> str:
    """The numbers that are looked for first."""
    counts = Counter(result.outcome for result in report.results)
    numbers = [(str(counts[o]), str(o), str(o) if counts[o] else "") for o in Outcome]
    numbers += [(shown(mean), f"mean {metric}", "") for metric, mean in report.means.items()]
    cells = "".join(
        f'<div class="tile {kind}"><dd>{value}</dd><dt>{html(name)}</dt></div>'
        for value, name, kind in numbers
    )
    return f"<dl class=tiles>{cells}</dl>"


def notices(report: RunReport) -> str:
    """Lowered bars, warnings, checks and the comparison of means."""
    checks = "".join(
        f'<li><span class="state {check.state}">{check.state.replace("_", " ")}</span>'
        f"<span><b>{html(check.name)}</b>: {html(check.message)}</span></li>"
        for check in report.checks
    )
    compared = "".join(
        f'<li><span class="state {c.verdict}">{c.verdict.replace("_", " ")}</span>'
        f"<span><b>baseline, {html(c.metric)}</b>: {html(mean_sentence(c))}</span></li>"
        for c in report.mean_comparisons
    )
    listed = f"<ul class=checks>{checks}{compared}</ul>" if checks or compared else ""
    return (
        _callout("The bar was lowered", report.lowered_bars)
        + _callout("Please note", report.warnings)
        + (f'<section aria-label="Checks"><h2>Checks</h2>{listed}</section>' if listed else "")
    )


def _callout(title: str, sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{html(shortened(text, _LONGEST_SENTENCE))}</li>" for text in sentences)
    if not items:
        return ""
    return (
        f'<section class="callout" aria-label="{title}"><h2>{title}</h2><ul>{items}</ul></section>'
    )


def static_cases(report: RunReport, cases: Numbered) -> str:
    """The worst cases as a plain table, which the page's script replaces by the whole list."""
    rows = "".join(_static_row(report, result) for _, result in cases[:_MOST_STATIC_CASES])
    rest = len(cases) - _MOST_STATIC_CASES
    note = f"<p>{rest} more cases are shown when scripts may run.</p>" if rest > 0 else ""
    return f"<div class=scroll><table><tbody>{rows}</tbody></table></div>{note}"


def _static_row(report: RunReport, result: CaseResult) -> str:
    score = "unscored" if result.value is None else shown(result.value, result.threshold)
    return (
        f'<tr><td><span class="state {result.outcome}">{result.outcome}</span></td>'
        f'<th scope="row">{html(result.case.input_id)}'
        f" <span class=quiet>{html(result.metric)}</span></th>"
        f"<td>{score}</td><td>{html(shortened(cause(report, result), 300))}</td></tr>"
    )
