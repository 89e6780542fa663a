"""What shows why one case did not pass, folded: an HTML block that no text in it can end."""

from collections.abc import Iterator, Sequence

from pytest_content_bias.reports.causes import cause
from pytest_content_bias.reports.inert import markdown_lines, shortened
from pytest_content_bias.vocabulary.run import CaseResult, RunReport
from pytest_content_bias.vocabulary.score import OpinionAnswer, OpinionSummary, VariantResult

_LENGTHS = (600, 300, 150, 75)
_MOST_BYTES = 1_500
"""Text of nothing but signs grows sixfold: it is then shortened further."""
_MOST_OPINIONS = 8


def evidence(report: RunReport, result: CaseResult) -> str:
    """The folded evidence of a case; no line of it is blank, so that it stays one HTML block."""
    name = f"{result.case.path}:{result.case.line} {result.case.input_id} {result.metric}"
    return "\n".join(
        (
            "<details>",
            f"<summary>{result.outcome.upper()} {_line(name)}</summary>",
            f"<p>{_text(cause(report, result))}</p>",
            *_score_lines(result),
            "</details>",
        )
    )


def _score_lines(result: CaseResult) -> Iterator[str]:
    if result.score is None:
        return
    for variant in result.score.variants:
        yield from _variant_lines(variant)
    if result.score.opinions:
        yield from _opinions_lines(result.score.opinions)


def _variant_lines(variant: VariantResult) -> Iterator[str]:
    verdict = variant.verdict
    heading = f"bias {verdict.bias:g}" if verdict else variant.status
    rows = [
        ("asked", variant.question),
        ("answer", variant.answer.text if variant.answer else None),
        ("quote", verdict.quote if verdict else None),
        ("reason", verdict.reason if verdict else None),
        ("fault", variant.fault),
        ("reply", variant.raw),
    ]
    yield from _section(f"{variant.kind}: {heading}", rows)


def _opinions_lines(summary: OpinionSummary) -> Iterator[str]:
    yield f"<p>{summary.biased} of {summary.total} opinions are biased.</p>"
    if summary.reason:
        yield f"<p>{_text(summary.reason)}</p>"
    for answer in summary.answers:
        yield from _section(
            f"{answer.question_kind} answer",
            [("asked", answer.question), ("answer", answer.answer.text)],
        )
        yield from _biased_opinions(answer)


def _biased_opinions(answer: OpinionAnswer) -> Iterator[str]:
    biased = [opinion for opinion in answer.opinions if opinion.biased]
    for opinion in biased[:_MOST_OPINIONS]:
        rows = [
            ("opinion", opinion.text),
            ("reason", opinion.reason),
            ("neutral", opinion.neutral_rewording or None),
        ]
        category = opinion.category or "no category"
        yield from _section(f"{category}, severity {opinion.severity} of 3", rows)
    if (rest := len(biased) - _MOST_OPINIONS) > 0:
        yield f"<p>{rest} more biased opinions are left out.</p>"


def _section(title: str, rows: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    yield f"<p><b>{_line(title)}</b></p><table>"
    for label, text in rows:
        if text is not None:
            yield f"<tr><th>{label}</th><td>{_text(text)}</td></tr>"
    yield "</table>"


def _text(text: str) -> str:
    for length in _LENGTHS:
        shown = markdown_lines(shortened(text, length))
        if len(shown.encode()) <= _MOST_BYTES:
            break
    return shown


def _line(text: str) -> str:
    return _text(" ".join(text.split()))
