"""A chart of the comparisons, as an SVG that is readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from benchmarks.figures import Bars

_WIDTH, _LABELS, _FIGURES = 720, 230, 70
_ROW, _TITLE, _GAP = 24, 30, 14
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .ours { fill: #0969da; }
  .other { fill: #8c959f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .ours { fill: #4493f8; }
    .other { fill: #6e7681; }
  }
"""


def chart(comparisons: Sequence[Bars]) -> str:
    """Draw bars; in each comparison the first one, ours, stands out.

    Args:
        comparisons: drawn below each other, each on a scale of its own.
    """
    drawn: list[str] = []
    top = 0
    for bars in comparisons:
        drawn += _comparison(bars, top)
        top += _TITLE + _ROW * len(bars.bars) + _GAP
    words = "; ".join(bars.title for bars in comparisons)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" role="img" '
        f'aria-label="{escape(words)}">\n<style>{_STYLE}</style>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _comparison(bars: Bars, top: int) -> Iterator[str]:
    yield f'<text class="title" x="0" y="{top + 18}">{escape(bars.title)}</text>'
    longest = max(length for _, length in bars.bars)
    room = _WIDTH - _LABELS - _FIGURES
    for row, (label, length) in enumerate(bars.bars):
        y = top + _TITLE + row * _ROW
        wide = max(1.0, room * length / longest) if longest > 0 else 1.0
        kind = "other" if row else "ours"
        yield f'<text x="{_LABELS - 8}" y="{y + 14}" text-anchor="end">{escape(label)}</text>'
        place = f'x="{_LABELS}" y="{y + 2}" width="{wide:.1f}" height="16"'
        yield f'<rect class="{kind}" {place} rx="2"/>'
        yield f'<text x="{_LABELS + wide + 6:.1f}" y="{y + 14}">{_shown(length)}</text>'


def _shown(length: float) -> str:
    return f"{length:,.0f}" if length >= 100 else f"{length:.3g}"
