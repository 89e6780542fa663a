"""A plot of this run against the baseline."""

from collections.abc import Iterator, Sequence
from math import floor

from pytest_content_bias.reports.html_svg import HEIGHT, svg
from pytest_content_bias.reports.inert import html
from pytest_content_bias.rules.figures import shown
from pytest_content_bias.vocabulary.run import CaseResult

_TOP, _BOTTOM = 30, 14
_FROM, _TO = 40, 160
"""Where the two axes of the slope plot stand."""
_MOST_LINES = 300
_LABELS = 6
_LABEL_HEIGHT = 16


def slope(results: Sequence[tuple[int, CaseResult]]) -> str:
    """Accepted score on the left, score on the right, one line per comparable case.

    Args:
        results: the comparable cases with their number in the list of cases; of more than 300,
            those that moved most are drawn.
    """
    moved = sorted(results, key=lambda pair: (-abs(_difference(pair[1])), pair[0]))[:_MOST_LINES]
    values = [value for _, result in moved for value in (_accepted(result), result.value or 0.0)]
    least = max(0.0, floor(min(values) * 10 - 1e-9) / 10)
    lines = "".join(_line(number, result, least) for number, result in reversed(moved))
    label = f"{len(results)} accepted scores, and the scores of this run"
    return svg(label, "".join(_slope_axes(least)) + lines + "".join(_labels(moved, least)))


def _difference(result: CaseResult) -> float:
    return (result.baseline.difference if result.baseline else None) or 0.0


def _accepted(result: CaseResult) -> float:
    return (result.baseline.value if result.baseline else None) or 0.0


def _y(value: float, least: float) -> float:
    share = (value - least) / (1 - least) if least < 1 else 1.0
    return round(HEIGHT - _BOTTOM - share * (HEIGHT - _BOTTOM - _TOP), 1)


def _slope_axes(least: float) -> Iterator[str]:
    for x, name in ((_FROM, "baseline"), (_TO, "this run")):
        yield f'<path class="axis" d="M{x} {_y(1, least)}V{_y(least, least)}"/>'
        yield f'<text class="tick" x="{x}" y="14">{name}</text>'
    for value in (1.0, least):
        y = _y(value, least) + 4
        yield f'<text class="tick end" x="{_FROM - 8}" y="{y}">{value:.1f}</text>'


def _line(number: int, result: CaseResult, least: float) -> str:
    difference = _difference(result)
    kind = "steady" if abs(difference) < 0.005 else "rise" if difference > 0 else "fall"
    kind = "dropped" if result.baseline and result.baseline.dropped else kind
    before, after = _accepted(result), result.value or 0.0
    title = f"{result.case.input_id}: {shown(before, after)} to {shown(after, before)}"
    start, end = _y(before, least), _y(after, least)
    return (
        f'<a href="#case-{number}"><path class="slope {kind}" d="M{_FROM} {start}L{_TO} {end}">'
        f"<title>{html(title)}</title></path></a>"
    )


def _labels(moved: Sequence[tuple[int, CaseResult]], least: float) -> Iterator[str]:
    """Names of those that moved most, pushed down where they would overlap."""
    free = 0.0
    named = sorted(moved[:_LABELS], key=lambda pair: -(pair[1].value or 0.0))
    for _, result in named:
        y = max(_y(result.value or 0.0, least) + 4, free)
        free = y + _LABEL_HEIGHT
        name = result.case.input_id
        name = f"{name[:17]}…" if len(name) > 18 else name
        yield f'<text class="name" x="{_TO + 10}" y="{y:.1f}">{html(name)}'
        yield f' <tspan class="tick">{_difference(result):+.2f}</tspan></text>'
