"""What is measured, held against what is wanted."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

_PACKAGES = ("pytest-content-bias", "pytest", "pydantic", "httpx", "PyYAML", "vcrpy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure.

    Attributes:
        name: what is measured.
        ours: what was measured, with its unit.
        other: what it is held against, with its unit, and what that is.
        value: the number that the goal is about: mostly a ratio.
        goal: the goal in words; empty: there is none, the figure is shown.
        met: whether the goal is met; None: there is none.
    """

    name: str
    ours: str
    other: str
    value: float
    goal: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """A comparison for the chart.

    Attributes:
        title: what is compared, with its unit.
        bars: label and length; the first one is ours.
    """

    title: str
    bars: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of one part, with when and where they were measured.

    Attributes:
        name: of the part.
        figures: for the table.
        bars: for the chart.
        circumstances: date, machine and versions in one line.
    """

    name: str
    figures: tuple[Figure, ...]
    bars: tuple[Bars, ...] = ()
    circumstances: str = ""


def at_most(name: str, ours: str, other: str, value: float, goal: float) -> Figure:
    """A figure that is to be small."""
    return Figure(
        name=name, ours=ours, other=other, value=value, goal=f"≤ {goal:g}", met=value <= goal
    )


def at_least(name: str, ours: str, other: str, value: float, goal: float) -> Figure:
    """A figure that is to be large."""
    return Figure(
        name=name, ours=ours, other=other, value=value, goal=f"≥ {goal:g}", met=value >= goal
    )


def circumstances(*more: str) -> str:
    """Date, machine, load and versions.

    Args:
        more: further programs with their versions.
    """
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    machine = f"{_processor()}, {os.cpu_count()} cores, load {load}"
    versions = [f"{name} {version(name)}" for name in _PACKAGES]
    return "; ".join(
        [date, machine, f"Python {platform.python_version()}", ", ".join([*versions, *more])]
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def keep(path: Path, measured: Sequence[Part]) -> list[Part]:
    """Add parts to those that are kept in a file; a part replaces its earlier self.

    Args:
        path: the file, JSON.
        measured: the parts.

    Returns:
        All parts of the file.
    """
    kept = {part.name: part for part in _read(path)} | {part.name: part for part in measured}
    parts = list(kept.values())
    text = json.dumps([asdict(part) for part in parts], indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    return parts


def _read(path: Path) -> Iterator[Part]:
    for part in json.loads(path.read_text(encoding="utf-8")) if path.exists() else ():
        yield Part(
            part["name"],
            tuple(Figure(**figure) for figure in part["figures"]),
            tuple(
                Bars(bars["title"], tuple((label, length) for label, length in bars["bars"]))
                for bars in part["bars"]
            ),
            part["circumstances"],
        )


def table(parts: Sequence[Part]) -> str:
    """The parts as a Markdown page."""
    lines = ["# Measured speed", "", "Written by `python -m benchmarks`.", "", "![](results.svg)"]
    for part in parts:
        lines += ["", f"## {part.name}", "", part.circumstances, ""]
        lines += [
            "| figure | ours | beside | ratio or figure | goal | met |",
            "|---|---|---|---|---|---|",
        ]
        lines += [_row(figure) for figure in part.figures]
    return "\n".join(lines) + "\n"


def _row(figure: Figure) -> str:
    met = {True: "yes", False: "**no**", None: ""}[figure.met]
    cells = (figure.name, figure.ours, figure.other, f"{figure.value:.3g}", figure.goal, met)
    return f"| {' | '.join(cells)} |"
