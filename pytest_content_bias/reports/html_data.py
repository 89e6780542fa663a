"""What the page's script shows of each case: plain values, every text made visible and bounded."""

from collections.abc import Iterable, Sequence
from typing import Any

from pytest_content_bias.reports.causes import cause
from pytest_content_bias.reports.inert import shortened, visible
from pytest_content_bias.rules.case_gate import comparability
from pytest_content_bias.rules.figures import shown
from pytest_content_bias.rules.quotes import locate_quote
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.run import BaselineComparison, CaseResult, RunReport
from pytest_content_bias.vocabulary.score import (
    Answer,
    CaseScore,
    OpinionAnswer,
    OpinionSummary,
    VariantResult,
)

View = dict[str, Any]
Pieces = list[str]
"""A text cut at its marked passages: plain, marked, plain, marked, …"""


class CaseViews:
    """Makes the views of a run's cases.

    Args:
        report: the run.
        longest: the most characters of a text; what is left out is counted behind it.
    """

    def __init__(self, report: RunReport, longest: int) -> None:
        self._report = report
        self._longest = longest

    def of(self, result: CaseResult) -> View:
        """The view of one case."""
        case, score = result.case, result.score
        view = {
            "id": result.node_id,
            "name": case.input_id,
            "metric": result.metric,
            "place": f"{case.path}:{case.line}",
            "outcome": result.outcome,
            "tags": case.tags,
            "value": result.value,
            "score": _shown(result),
            "threshold": shown(result.threshold, *_values(result)),
            "source": result.threshold_source,
            "cause": self._text(cause(self._report, result)),
            "baseline": self._baseline(result.baseline),
            "prompt": self._text(case.prompt),
            "history": [[turn.role, self._text(turn.content)] for turn in case.history],
            "expected": self._text(case.expected_output),
            "contexts": self._texts(case.retrieved_context),
            "seconds": round(result.duration, 3),
            "calls": [_call(call) for call in result.calls],
        }
        return _plain(view | (self._score(score) if score else {}))

    def _score(self, score: CaseScore) -> View:
        return {
            "language": score.language,
            "variants": [self._variant(variant, score) for variant in score.variants],
            "opinions": self._opinions(score.opinions) if score.opinions else None,
            "reported": [score.reported_name, score.reported],
            "weight": score.weight,
            "scoring": score.scoring,
            "models": score.models,
            "prompts": {name: full[:12] for name, full in score.prompts.items()},
            "recorded": score.recorded_at,
            "notes": self._texts(score.notes),
        }

    def _variant(self, variant: VariantResult, score: CaseScore) -> View:
        verdict, answer = variant.verdict, variant.answer
        quotes = [verdict.quote] if verdict else []
        return {
            "kind": variant.kind,
            "status": variant.status,
            "question": self._text(variant.question),
            "answer": self._marked(answer.text, quotes) if answer else None,
            "contexts": self._own_contexts(answer, score),
            "bias": verdict.bias if verdict else None,
            "level": verdict.level if verdict else None,
            "expected": verdict.expected_level if verdict else None,
            "quote": self._text(verdict.quote) if verdict else None,
            "reason": self._text(verdict.reason) if verdict else None,
            "fault": self._text(variant.fault),
            "raw": self._text(variant.raw),
        }

    def _own_contexts(self, answer: Answer | None, score: CaseScore) -> list[str] | None:
        """What the system says it retrieved, unless that is what the case holds anyway."""
        if answer is None or answer.contexts in {None, score.case.retrieved_context}:
            return None
        return self._texts(answer.contexts or ())

    def _opinions(self, summary: OpinionSummary) -> View:
        return {
            "biased": summary.biased,
            "total": summary.total,
            "weighted": shown(summary.severity_weighted),
            "reason": self._text(summary.reason),
            "answers": [self._opinion_answer(answer) for answer in summary.answers],
        }

    def _opinion_answer(self, answer: OpinionAnswer) -> View:
        biased = [opinion.text for opinion in answer.opinions if opinion.biased]
        return {
            "kind": answer.question_kind,
            "question": self._text(answer.question),
            "answer": self._marked(answer.answer.text, biased),
            "opinions": [
                {
                    "text": self._text(opinion.text),
                    "biased": opinion.biased,
                    "category": self._text(opinion.category),
                    "severity": opinion.severity,
                    "reason": self._text(opinion.reason),
                    "neutral": self._text(opinion.neutral_rewording),
                }
                for opinion in answer.opinions
            ],
            "excluded": [[self._text(span.text), span.reason] for span in answer.excluded],
        }

    def _baseline(self, baseline: BaselineComparison | None) -> View | None:
        if baseline is None:
            return None
        return {
            "state": baseline.state,
            "value": baseline.value,
            "difference": baseline.difference,
            "dropped": baseline.dropped,
            "sentence": self._text(comparability(baseline)),
        }

    def _marked(self, text: str, quotes: Iterable[str]) -> Pieces:
        """A text with the passages of quotes marked, found by folding typography."""
        bounded = text[: self._longest]
        spans = [span for quote in quotes for span in _spans(bounded, quote)]
        pieces, position = [], 0
        for start, end in sorted(spans):
            if start >= position:
                pieces += [visible(bounded[position:start]), visible(bounded[start:end])]
                position = end
        return [*pieces, visible(shortened(text[position:], self._longest - position))]

    def _text(self, text: str | None) -> str | None:
        return None if text is None else visible(shortened(text, self._longest))

    def _texts(self, texts: Sequence[str]) -> list[str]:
        return [visible(shortened(text, self._longest)) for text in texts]


def _spans(text: str, quote: str) -> tuple[tuple[int, int], ...]:
    """Where a quote stands: looked for word for word first, which is a hundred times faster."""
    start = text.find(quote)
    if quote and start >= 0:
        return ((start, start + len(quote)),)
    return locate_quote(text, quote) or ()


def _plain(view: View) -> View:
    """Without what is absent: the script treats a missing key as nothing."""
    return {key: value for key, value in view.items() if value not in (None, [], (), {})}


def _values(result: CaseResult) -> tuple[float, ...]:
    return () if result.value is None else (result.value,)


def _shown(result: CaseResult) -> str:
    return "unscored" if result.value is None else shown(result.value, result.threshold)


def _call(call: CallRecord) -> list[Any]:
    """In the order of the table's columns."""
    usage = call.usage
    paid = "replayed" if call.replayed else "paid"
    model = visible(shortened(call.model, 200))
    return [
        call.slot,
        model,
        paid,
        usage.input_tokens,
        usage.output_tokens,
        call.latency_ms,
        visible(call.host),
    ]
