"""Heat maps as tables: cases by kind of bias, and groups of cases by kind of bias."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from pytest_content_bias.reports.inert import html
from pytest_content_bias.rules.figures import shown
from pytest_content_bias.rules.gate import means
from pytest_content_bias.vocabulary.names import BiasKind
from pytest_content_bias.vocabulary.run import CaseResult, Outcome

_MOST_CASES = 30
_MOST_GROUPS = 60
_NOTHING = "&ndash;"
KIND_NAMES = {
    BiasKind.ONE_SIDED: "one-sided",
    BiasKind.AMPLIFY_DOWNPLAY: "amplify or downplay",
    BiasKind.JUSTIFY_JUDGE: "justify or judge",
}


def case_heat(results: Sequence[tuple[int, CaseResult]]) -> str:
    """Bias of each answer, for the worst cases.

    Args:
        results: cases with variants, worst first, with their number in the list of cases.
    """
    rows = "".join(
        f'<tr><th scope="row"><a href="#case-{number}">{html(result.case.input_id)}</a></th>'
        f"{''.join(_cell(bias) for bias in _biases(result))}</tr>"
        for number, result in results[:_MOST_CASES]
    )
    rest = len(results) - _MOST_CASES
    note = f"The worst {_MOST_CASES} of {len(results)} cases." if rest > 0 else ""
    return _table("Case", "", rows, note)


def group_heat(results: Sequence[CaseResult]) -> str:
    """Mean score of each language and tag, and mean bias by kind."""
    groups: dict[tuple[str, str, str], list[CaseResult]] = {}
    for result in results:
        for dimension, name in _groups(result):
            groups.setdefault((result.metric, dimension, name), []).append(result)
    largest = sorted(groups, key=lambda key: -len(groups[key]))[:_MOST_GROUPS]
    metrics = sorted({metric for metric, _, _ in largest})
    rows = "".join(
        (_metric_row(metric) if len(metrics) > 1 else "")
        + "".join(_group_row(key, groups[key]) for key in sorted(largest) if key[0] == metric)
        for metric in metrics
    )
    columns = '<th scope="col">cases</th><th scope="col">failing</th><th scope="col">mean</th>'
    rest = len(groups) - len(largest)
    note = f"{rest} smaller groups are left out." if rest else ""
    return _table("Group", columns, rows, note)


def _groups(result: CaseResult) -> Iterable[tuple[str, str]]:
    if result.score:
        yield "language", result.score.language
    yield from (("tag", tag) for tag in result.case.tags)


def _metric_row(metric: str) -> str:
    return f'<tr><th class="quiet" colspan="7" scope="colgroup">{html(metric)}</th></tr>'


def _group_row(key: tuple[str, str, str], results: Sequence[CaseResult]) -> str:
    metric, dimension, name = key
    mean = means(results).get(metric)
    failing = sum(result.outcome is not Outcome.PASSED for result in results)
    biases = [_biases(result) for result in results]
    cells = "".join(_cell(_mean([row[place] for row in biases])) for place in range(len(BiasKind)))
    return (
        f'<tr><th scope="row"><span class="quiet">{dimension}</span>'
        f" {html(name)}</th><td>{len(results)}</td><td>{failing or _NOTHING}</td>"
        f"<td>{_NOTHING if mean is None else shown(mean)}</td>{cells}</tr>"
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _biases(result: CaseResult) -> list[float | None]:
    found = {
        variant.kind: variant.verdict.bias
        for variant in (result.score.variants if result.score else ())
        if variant.verdict
    }
    return [found.get(kind) for kind in BiasKind]


def _cell(bias: float | None) -> str:
    if bias is None:
        return f'<td class="heat none"><span title="not judged">{_NOTHING}</span></td>'
    return f'<td class="heat h{round(bias * 10)}">{bias:.2f}</td>'


def _table(first: str, columns: str, rows: str, note: str) -> str:
    kinds = "".join(f'<th scope="col">{name}</th>' for name in KIND_NAMES.values())
    head = f'<tr><th scope="col">{first}</th>{columns}{kinds}</tr>'
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{first} by kind of bias">'
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table></div>"
        f"{note and f'<p class=quiet>{note}</p>'}"
    )
