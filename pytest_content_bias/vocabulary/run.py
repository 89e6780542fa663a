"""What a whole run found: the one source of every report."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Case, Score
from pytest_content_bias.vocabulary.record import Record
from pytest_content_bias.vocabulary.score import CaseScore


class Outcome(StrEnum):
    """How a case ended. A low score is FAILED; broken machinery is ERROR."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"


class BaselineComparison(Record):
    """A case held against the accepted scores."""

    state: Literal["comparable", "new", "not_comparable"]
    value: Score | None = None
    """The accepted score."""
    difference: float | None = None
    """Score minus accepted score; negative is a drop."""
    max_drop: float | None = None
    """The greatest drop that passes."""
    changed: tuple[str, ...] = ()
    """What makes it not comparable, such as `judge model`."""

    @property
    def dropped(self) -> bool:
        """Whether the score fell by more than it may, decided on values of 9 decimals."""
        if self.difference is None or self.max_drop is None:
            return False
        return round(-self.difference, 9) > round(self.max_drop, 9)


class CaseResult(Record):
    """One case with one metric, gated."""

    case: Case
    metric: str
    outcome: Outcome
    threshold: Score
    """The least score that passes."""
    threshold_source: str
    """Where the threshold comes from, such as `--content-bias-threshold` or `case`."""
    score: CaseScore | None = None
    """None: the case ended before anything was scored."""
    message: str | None = None
    """Why the case failed or is an error; None when it passed."""
    max_drop: Score = 0.05
    """The greatest drop against the baseline that passes, whether or not there is one."""
    config_hash: str = ""
    """Hash of the configuration fields that shape the score, from `rules.baseline`."""
    baseline: BaselineComparison | None = None
    """None: there is no baseline."""
    duration: float = 0.0
    """Seconds."""
    unscored_calls: tuple[CallRecord, ...] = ()
    """The calls of a case that ended before it had a score; those of others are in `score`."""
    unused: tuple[str, ...] = ()
    """Slots of the case's cassette that this metric, and those before it, did not ask for."""

    @property
    def node_id(self) -> str:
        """The item's node id."""
        return f"{self.case.case_id}::{self.metric}"

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """Every call that was answered for the case."""
        return self.score.calls if self.score else self.unscored_calls

    @property
    def value(self) -> float | None:
        """The score, or None when unscored."""
        return self.score.value if self.score else None


class Check(Record):
    """One check of the gate over the whole suite."""

    name: str
    """Such as `cases`, `min mean of content_bias` or `mean drop of content_bias`."""
    state: Literal["passed", "failed", "not_applied"]
    message: str
    """A sentence with the numbers that decided."""


MeanVerdict = Literal["regression", "no_regression", "inconclusive"]


class MeanComparison(Record):
    """The suite's mean held against the baseline, paired by case."""

    metric: str
    cases: int
    """Comparable cases."""
    mean_drop: float
    """Mean of accepted score minus score; positive is worse."""
    lower: float
    """Lower end of the one-sided 95 % interval of the drop."""
    upper: float
    """Upper end of the one-sided 95 % interval of the drop."""
    verdict: MeanVerdict


class SuiteBars(Record):
    """What the suite as a whole must meet, and whether it may be held against it."""

    asked: bool = True
    """Whether the user asked for the gate: then a run without a scored case never passes."""
    min_mean: Score | None = None
    """The least weighted mean score of each metric; None: off."""
    max_mean_drop: Score | None = None
    """The greatest mean drop against the baseline that passes; None: off."""
    baseline_strict: bool = False
    """Whether a case that cannot be compared with the baseline is an error."""
    incomplete: str = ""
    """Why not every collected case ran, as in `3 of 10 cases were deselected`; empty: all ran."""
    unreadable: tuple[str, ...] = ()
    """Case files that could not be read."""
    crashed: tuple[str, ...] = ()
    """Node ids of the cases whose process ended while they ran, so that they have no result."""
    not_run: tuple[str, ...] = ()
    """Node ids of the collected cases that did not run; lets sharded runs be merged."""


class RunReport(Record):
    """Everything that a run found; the JSON report is this record."""

    format: Literal["pytest-content-bias-report/1"] = "pytest-content-bias-report/1"
    created: str
    """UTC time, ISO 8601."""
    tool_version: str
    record: str = "none"
    """The recording mode: none, missing, all, or roles."""
    passed: bool
    """Whether the gate passed: every case and every check."""
    verdict: str
    """The last line of the terminal: one sentence."""
    results: tuple[CaseResult, ...]
    bars: SuiteBars = SuiteBars()
    checks: tuple[Check, ...] = ()
    means: dict[str, float] = Field(default_factory=dict)
    """Weighted mean score per metric over the scored cases."""
    mean_comparisons: tuple[MeanComparison, ...] = ()
    lowered_bars: tuple[str, ...] = ()
    """Sentences: what was made easier against the baseline."""
    warnings: tuple[str, ...] = ()
    """What every reader must know, such as an http system without a fingerprint."""
    duration: float = 0.0
    """Seconds of the whole run."""
