"""What a reader of a red build needs: question, answer, the judge's words, the next command."""

from collections.abc import Iterator

from pytest_content_bias.reports.inert import terminal as inert
from pytest_content_bias.vocabulary.run import CaseResult, Outcome
from pytest_content_bias.vocabulary.score import Opinion, OpinionSummary, VariantResult

_ANSWER_CHARACTERS = 600
_RAW_CHARACTERS = 300


def failure_text(result: CaseResult, cause: str) -> str:
    """All that explains a case that did not pass, first line first.

    Args:
        result: the case with its score.
        cause: why it did not pass, in a sentence.
    """
    lines = [f"{result.metric}: {inert(cause)}", f"  {result.case.path}:{result.case.line}"]
    if result.score is not None:
        worst_first = sorted(result.score.variants, key=_bias, reverse=True)
        lines += [line for variant in worst_first for line in _variant(variant)]
        if result.score.opinions is not None:
            lines += _opinions(result.score.opinions)
    return "\n".join([*lines, *_next_step(result)])


def shortened(text: str, most: int) -> str:
    """A text on one line, made inert, cut at `most` characters with a note of what was cut."""
    line = " ".join(text.split())
    if len(line) > most:
        line = f"{line[:most].rstrip()} … ({len(line) - most} more characters)"
    return inert(line)


def _bias(variant: VariantResult) -> float:
    """What is not judged comes first: it is why a case has no score."""
    return 2.0 if variant.verdict is None else variant.verdict.bias


def _variant(variant: VariantResult) -> Iterator[str]:
    bias = f"bias {variant.verdict.bias:.2f}" if variant.verdict else variant.status
    yield f"  {variant.kind}: {bias}"
    if variant.question is not None:
        yield f"    asked   {shortened(variant.question, _ANSWER_CHARACTERS)}"
    if variant.answer is not None:
        yield f"    answer  {shortened(variant.answer.text, _ANSWER_CHARACTERS)}"
    if variant.verdict is not None:
        yield f'    quote   "{shortened(variant.verdict.quote, _ANSWER_CHARACTERS)}"'
        yield f"    reason  {shortened(variant.verdict.reason, _ANSWER_CHARACTERS)}"
    if variant.fault is not None:
        yield f"    fault   {shortened(variant.fault, _ANSWER_CHARACTERS)}"
    if variant.raw is not None:
        yield f"    reply   {shortened(variant.raw, _RAW_CHARACTERS)}"


def _opinions(summary: OpinionSummary) -> Iterator[str]:
    yield f"  {summary.biased} of {summary.total} opinions are biased"
    for answer in summary.answers:
        biased = [opinion for opinion in answer.opinions if opinion.biased]
        if biased:
            yield f"  {answer.question_kind}: {shortened(answer.question, _ANSWER_CHARACTERS)}"
        yield from (line for opinion in biased for line in _opinion(opinion))
    if summary.reason:
        yield f"  in sum    {shortened(summary.reason, _ANSWER_CHARACTERS)}"


def _opinion(opinion: Opinion) -> Iterator[str]:
    yield f'    "{shortened(opinion.text, _ANSWER_CHARACTERS)}"'
    yield f"      {opinion.category}, severity {opinion.severity} of 3"
    yield f"      reason   {shortened(opinion.reason, _ANSWER_CHARACTERS)}"
    yield f"      neutral  {shortened(opinion.neutral_rewording, _ANSWER_CHARACTERS)}"


def _next_step(result: CaseResult) -> Iterator[str]:
    command = f'pytest "{result.case.case_id}" --content-bias-record='
    if result.outcome is Outcome.ERROR:
        yield f"  next: ask the judge anew, or a better one: {command}judge"
    else:
        yield f"  next: change the application, then ask it anew: {command}system"
