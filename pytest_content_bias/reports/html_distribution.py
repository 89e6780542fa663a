"""A plot of the scores of a metric against its thresholds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import floor

from pytest_content_bias.reports.html_svg import HEIGHT, WIDTH, svg
from pytest_content_bias.reports.inert import html
from pytest_content_bias.rules.figures import shown
from pytest_content_bias.vocabulary.run import CaseResult, Outcome

_LEFT, _RIGHT, _TOP, _BOTTOM = 14, 14, 24, 28
_BINS = 25
_DOT = 6.0
_MOST_DOTS = 12
"""A bin of more cases turns the dots into bars."""


def distribution(metric: str, results: Sequence[tuple[int, CaseResult]]) -> str:
    """How the scores of a metric lie against its thresholds.

    Args:
        metric: the metric's name.
        results: the scored cases of the metric with their number in the list of cases.
    """
    bins: dict[int, list[tuple[int, CaseResult]]] = {}
    for number, result in results:
        place = min(floor((result.value or 0.0) * _BINS), _BINS - 1)
        bins.setdefault(place, []).append((number, result))
    tallest = max((len(found) for found in bins.values()), default=1)
    draw = _dots if tallest <= _MOST_DOTS else _bars
    marks = "".join(draw(place, found, tallest) for place, found in sorted(bins.items()))
    label = f"{len(results)} scores of {metric} from 0 to 1 against their thresholds"
    return svg(label, "".join(_axis()) + "".join(_thresholds(results)) + marks)


def _x(value: float) -> float:
    return round(_LEFT + value * (WIDTH - _LEFT - _RIGHT), 1)


def _axis() -> Iterator[str]:
    base = HEIGHT - _BOTTOM
    yield f'<path class="axis" d="M{_x(0)} {base}H{_x(1)}"/>'
    for tick in range(6):
        x = _x(tick / 5)
        yield f'<path class="axis" d="M{x} {base}v4"/>'
        yield f'<text class="tick" x="{x}" y="{base + 18}">{tick / 5:.1f}</text>'


def _thresholds(results: Sequence[tuple[int, CaseResult]]) -> Iterator[str]:
    counts = Counter(result.threshold for _, result in results)
    for threshold, count in counts.most_common(5):
        x, base = _x(threshold), HEIGHT - _BOTTOM
        yield f'<path class="threshold" d="M{x} {_TOP - 6}V{base}"/>'
        title = f"<title>threshold of {count} cases</title>"
        yield f'<text class="tick bar" x="{x}" y="{_TOP - 11}">{shown(threshold)}{title}</text>'


def _dots(place: int, found: Sequence[tuple[int, CaseResult]], tallest: int) -> str:
    step = min(2 * _DOT + 2, (HEIGHT - _TOP - _BOTTOM) / max(tallest, 1))
    worst_above = sorted(found, key=lambda pair: pair[1].outcome is not Outcome.PASSED)
    dots = []
    for height, (number, result) in enumerate(worst_above):
        y = round(HEIGHT - _BOTTOM - _DOT - 3 - height * step, 1)
        title = f"{result.case.input_id}: {shown(result.value or 0.0, result.threshold)}"
        dots.append(
            f'<a href="#case-{number}"><circle class="{result.outcome}" cx="{_x(_middle(place))}"'
            f' cy="{y}" r="{_DOT}"><title>{html(title)}</title></circle></a>'
        )
    return "".join(dots)


def _bars(place: int, found: Sequence[tuple[int, CaseResult]], tallest: int) -> str:
    room, width = HEIGHT - _TOP - _BOTTOM - 4, (_x(1) - _x(0)) / _BINS - 2
    counts = Counter(result.outcome for _, result in found)
    y, bars = float(HEIGHT - _BOTTOM - 1), []
    for outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.ERROR):
        height = room * counts[outcome] / tallest
        y -= height
        low, high = place / _BINS, (place + 1) / _BINS
        title = f"{counts[outcome]} {outcome}, {low:.2f} to {high:.2f}"
        if height:
            bars.append(
                f'<rect class="{outcome}" x="{_x(low) + 1:.1f}" y="{y:.1f}" width="{width:.1f}"'
                f' height="{height:.1f}"><title>{title}</title></rect>'
            )
    return "".join(bars)


def _middle(place: int) -> float:
    return (place + 0.5) / _BINS
