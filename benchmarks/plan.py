"""What a run of the benchmarks has to go by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.endpoint import Endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Sizes, places and peers of a run.

    Attributes:
        folder: an empty folder for projects.
        endpoint: plays every model.
        rounds: how often each pair is measured.
        cases: how many cases are recorded against time, and judged by DeepEval.
        most: how many cases the largest replayed and collected projects have, 20 or more.
        peer: the Python of an environment with DeepEval; None: it is not measured.
    """

    folder: Path
    endpoint: Endpoint
    rounds: int
    cases: int
    most: int
    peer: Path | None

    def sizes(self) -> list[int]:
        """10, 100, … and `most`."""
        return [size for size in (10, 100, 1000, 10_000) if size < self.most] + [self.most]
