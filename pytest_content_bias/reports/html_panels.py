"""The figures of the page: plots, heat maps and calls."""

from collections.abc import Iterator, Sequence

from pytest_content_bias.reports.calls import CallTotals, call_totals
from pytest_content_bias.reports.html_distribution import distribution
from pytest_content_bias.reports.html_heat import case_heat, group_heat
from pytest_content_bias.reports.html_slope import slope
from pytest_content_bias.reports.inert import html
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.run import CaseResult, RunReport

Numbered = Sequence[tuple[int, CaseResult]]


def plots(cases: Numbered) -> str:
    """Scores against thresholds, this run against the baseline, and the heat maps."""
    if not cases:
        return ""
    groups = _panel("By language and tag", group_heat([result for _, result in cases]))
    return (
        f'<div class="grid plots">{"".join(_plots(cases))}</div>'
        f'<div class="grid">{_heat(cases)}{groups}</div>'
    )


def _plots(cases: Numbered) -> Iterator[str]:
    for metric in sorted({result.metric for _, result in cases}):
        scored = [pair for pair in cases if pair[1].metric == metric and pair[1].value is not None]
        if scored:
            yield _panel(f"Scores of {metric}", distribution(metric, scored))
    compared = [p for p in cases if p[1].baseline and p[1].baseline.state == "comparable"]
    if compared:
        yield _panel("Against the baseline", slope(compared))


def _heat(cases: Numbered) -> str:
    judged = [pair for pair in cases if pair[1].score and pair[1].score.variants]
    return _panel("Bias by case and kind", case_heat(judged)) if judged else ""


def _panel(title: str, content: str) -> str:
    name = html(title)
    return f'<section class="panel" aria-label="{name}"><h2>{name}</h2>{content}</section>'


def call_table(report: RunReport) -> str:
    """Calls and tokens by role."""
    rows = "".join(_call_row(role, totals) for role, totals in call_totals(report.results).items())
    if not rows:
        return ""
    names = ("role", "paid", "replayed", "tokens in", "tokens out")
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    table = f"<table class=numbers><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return _panel("Calls", table)


def _call_row(role: Role, totals: CallTotals) -> str:
    numbers = (totals.paid, totals.replayed, totals.input_tokens, totals.output_tokens)
    cells = "".join(f"<td>{number:,}</td>" for number in numbers)
    return f'<tr><th scope="row">{role}</th>{cells}</tr>'
