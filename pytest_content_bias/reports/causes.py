"""Why a case did not pass, in one sentence: without the evidence, which reports show themselves."""

from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.vocabulary.run import CaseResult, RunReport


def cause(report: RunReport, result: CaseResult) -> str:
    """The sentence that decided; of a case that ended before its score, its whole message.

    Args:
        report: the run; its bars count.
        result: one of its results; empty when it passed.
    """
    if result.score is None:
        return result.message or ""
    strict = report.bars.baseline_strict
    _, sentence = case_outcome(result.score, result.threshold, result.baseline, strict=strict)
    return sentence or ""
