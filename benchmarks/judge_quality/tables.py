"""Tables in Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
