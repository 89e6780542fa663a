"""From a case's score, or from what kept it from having one, to a gated result."""

from pytest_content_bias.files.case_file import CaseEntry
from pytest_content_bias.rules.baseline import compare, config_hash
from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.session.evidence import failure_text
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.run import CaseResult, Outcome
from pytest_content_bias.vocabulary.score import CaseScore


class Gate:
    """Gates the cases of a run one by one.

    Args:
        settings: thresholds, drops and strictness.
        baseline: the accepted scores; None when there are none, or when they are to be renewed.
    """

    def __init__(self, settings: Settings, baseline: Baseline | None) -> None:
        self._settings = settings
        self._baseline = baseline

    def unscored(
        self, entry: CaseEntry, metric: str, message: str, calls: tuple[CallRecord, ...]
    ) -> CaseResult:
        """The result of a case that something kept from being scored."""
        changes = {"message": message, "unscored_calls": calls}
        return self._ungated(entry, metric).model_copy(update=changes)

    def scored(self, entry: CaseEntry, metric: str, score: CaseScore) -> CaseResult:
        """Hold a score against its threshold and against the accepted score."""
        result = self._ungated(entry, metric).model_copy(update={"score": score})
        if self._baseline is not None:
            accepted = self._baseline.entries.get(result.node_id)
            compared = compare(result, accepted, result.max_drop)
            result = result.model_copy(update={"baseline": compared})
        outcome, cause = case_outcome(
            score, result.threshold, result.baseline, strict=self._settings.baseline_strict
        )
        result = result.model_copy(update={"outcome": outcome})
        if cause is None:
            return result
        return result.model_copy(update={"message": failure_text(result, cause)})

    def _ungated(self, entry: CaseEntry, metric: str) -> CaseResult:
        threshold = self._settings.threshold(metric, entry.thresholds.get(metric))
        return CaseResult(
            case=entry.case,
            metric=metric,
            outcome=Outcome.ERROR,
            threshold=threshold.value,
            threshold_source=threshold.source,
            max_drop=self._settings.max_drop(entry.max_drop).value,
            config_hash=config_hash(entry.configs[metric]),
        )
