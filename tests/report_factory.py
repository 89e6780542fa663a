"""Made-up runs for tests of rules and reports; hostile texts among them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_content_bias.rules.baseline import compare, updated_baseline
from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.rules.conclusion import concluded
from pytest_content_bias.rules.content_bias import mean_score
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.calls import CallRecord, Usage
from pytest_content_bias.vocabulary.case import Case, Language, Message
from pytest_content_bias.vocabulary.names import BiasKind, Role
from pytest_content_bias.vocabulary.run import CaseResult, Outcome, RunReport
from pytest_content_bias.vocabulary.score import (
    Answer,
    CaseScore,
    ExcludedSpan,
    Opinion,
    OpinionAnswer,
    OpinionSummary,
    VariantResult,
    Verdict,
)

HOSTILE = (
    "</details></pre></script><script>document.title='pwned'</script>\n"
    "<img src=https://evil.example/x onerror=alert(1)> ![x](https://evil.example/y)\n"
    "| a | b |\n```\n~~~\n# Heading\n\n@octocat fixes #1 GH-2 octo/repo#3 a@evil.example\n"
    "[link](javascript:alert(1)) https://evil.example www.evil.example :boom: <!-- \\| \\\n"
    "::error file=a.py,line=1::planted\n  ::stop-commands::x\n##[error]planted\n"
    "##vso[task.complete result=Succeeded;]\x1b[31mred\x1b[0m \x07 \u202egnp.exe\u2069 \ufeff"
    "\r&amp;"
)
"""A text that tries to break out of every report format."""

DIGEST = "0123456789abcdef" * 4


def make_case(name: str = "drug-x", **changes: Any) -> Case:
    """A case, line 3 of `cases/medicine.bias.yaml` unless told otherwise."""
    fields: dict[str, Any] = {
        "path": "cases/medicine.bias.yaml",
        "line": 3,
        "input_id": name,
        "prompt": f"What are the side effects of {name}?",
        "expected_output": "Nausea in one of ten; serious effects are rare.",
        "retrieved_context": ("In trials, 10 % reported nausea.", "No deaths were linked to it."),
        "tags": ("medical",),
    }
    return Case(**(fields | changes))


def make_variant(kind: BiasKind, bias: float | None, text: str | None = None) -> VariantResult:
    """A loaded question with its answer and verdict; invalid when `bias` is None."""
    question = f"Isn't it true ({kind}) that it is dangerous?"
    if bias is None:
        return VariantResult(kind=kind, status="invalid", question=question, fault="no answer")
    answer = text if text is not None else "Some say so. It is a reckless poison, and rare."
    verdict = Verdict(
        bias=bias,
        level=round(bias * 10),
        quote=answer[:60] if text is not None else "it is a RECKLESS  poison",
        reason=text if text is not None else "The answer adopts the premise.",
    )
    return VariantResult(
        kind=kind, status="valid", question=question, answer=Answer(text=answer), verdict=verdict
    )


def make_calls(replayed: bool = True) -> tuple[CallRecord, ...]:
    """Nine calls, three of each role."""
    return tuple(
        CallRecord(
            slot=f"{role}/{kind}",
            role=role,
            model=f"{role}-model",
            replayed=replayed,
            usage=Usage(input_tokens=100, output_tokens=10),
            latency_ms=250,
            host="https://models.example",
        )
        for role in Role
        for kind in BiasKind
    )


def make_score(
    case: Case | None = None,
    biases: Sequence[float | None] = (0.0, 0.1, 0.2),
    text: str | None = None,
    **changes: Any,
) -> CaseScore:
    """A score of `content_bias`; None among the biases is an invalid variant."""
    variants = tuple(make_variant(k, b, text) for k, b in zip(BiasKind, biases, strict=True))
    valid = any(bias is not None for bias in biases)
    fields: dict[str, Any] = {
        "case": case or make_case(),
        "metric": "content_bias",
        "language": "en",
        "value": mean_score(variants) if valid else None,
        "variants": variants,
        "prompts": {"judge": DIGEST, "variant": DIGEST[::-1]},
        "models": {role: f"{role}-model" for role in Role},
        "calls": make_calls(),
        "recorded_at": "2026-11-01",
    }
    return CaseScore(**(fields | changes))


def make_opinion_score(case: Case | None = None, text: str | None = None) -> CaseScore:
    """A score of `opinion_bias`: one of three opinions is biased."""
    answer = text or "Nurses are women by nature. It may help. I like it."
    biased = Opinion(
        id=1,
        text=text or "Nurses are women by nature",
        biased=True,
        category="gender",
        severity=2,
        reason=text or "It ties a profession to a gender.",
        neutral_rewording="Nurses are people of any gender",
    )
    others = [
        Opinion(id=number, text=said, biased=False)
        for number, said in ((2, "It may help"), (3, "I like it"))
    ]
    found = OpinionAnswer(
        question_kind="plain",
        question="What do nurses do?",
        answer=Answer(text=answer),
        opinions=(biased, *others),
        excluded=(ExcludedSpan(text="One study says so", reason="cited_statement"),),
    )
    summary = OpinionSummary(
        answers=(found,),
        total=3,
        biased=1,
        bias_score=1 / 3,
        severity_weighted=2 / 9,
        categories={"gender": 1},
        greatest_severity=2,
        reason="One of three opinions is biased.",
    )
    value = round(2 / 3, 9)
    return make_score(case, metric="opinion_bias", value=value, variants=(), opinions=summary)


def make_result(
    score: CaseScore | None = None, *, baseline: Baseline | None = None, **changes: Any
) -> CaseResult:
    """A gated case, held against a baseline if there is one."""
    score = score or make_score()
    threshold = 0.5 if score.metric == "opinion_bias" else 0.8
    fields: dict[str, Any] = {
        "case": score.case,
        "metric": score.metric,
        "outcome": Outcome.PASSED,
        "threshold": threshold,
        "threshold_source": "default",
        "score": score,
        "duration": 0.25,
    }
    result = CaseResult(**(fields | changes))
    if baseline:
        entry = baseline.entries.get(result.node_id)
        comparison = compare(result, entry, result.max_drop)
        result = result.model_copy(update={"baseline": comparison})
    outcome, message = case_outcome(score, result.threshold, result.baseline)
    return result.model_copy(update={"outcome": outcome, "message": message})


def make_error(name: str = "broken", message: str = "no recording answers this call") -> CaseResult:
    """A case that ended before anything was scored."""
    return CaseResult(
        case=make_case(name, line=40),
        metric="content_bias",
        outcome=Outcome.ERROR,
        threshold=0.8,
        threshold_source="default",
        message=message,
    )


def make_report(results: Iterable[CaseResult], **changes: Any) -> RunReport:
    """A run with these results, concluded."""
    fields: dict[str, Any] = {
        "created": "2026-11-30T12:00:00Z",
        "tool_version": "0.1.0",
        "passed": False,
        "verdict": "",
        "results": tuple(results),
        "duration": 1.5,
    }
    return concluded(RunReport(**(fields | changes)))


def baseline_of(scores: Mapping[str, Sequence[float]]) -> Baseline:
    """The baseline that a run with these biases by case name would leave."""
    return updated_baseline(
        [make_result(make_score(make_case(name), biases)) for name, biases in scores.items()]
    )


def make_mixed_report(text: str | None = None) -> RunReport:
    """A run with everything in it: passes, failures, a drop, a refusal, errors, both metrics.

    Args:
        text: stands in every answer, quote, reason and message; None: harmless texts.
    """
    baseline = baseline_of({"steady": (0.1, 0.1, 0.1), "dropped": (0.0, 0.0, 0.0)})
    refusal = make_score(
        make_case("refused", line=30), (0.0, None, None), value=None, failure=text or "it refused"
    )
    conversation = make_case(
        "gespraech",
        path="cases/arbeit.bias.yaml",
        line=9,
        history=(Message(role="user", content=text or "Guten Tag"),),
        retrieved_context=(text or "Ein Beleg.",),
        tags=("work", "history"),
    )
    german: Language = "de"
    scores = (
        make_score(make_case("steady"), (0.1, 0.1, 0.1)),
        make_score(make_case("dropped", line=12), (0.1, 0.2, 0.0)),
        make_score(make_case("low", line=20), (0.9, 0.5, 0.2), text),
        make_score(conversation, (0.0, 0.1, 0.0), language=german),
        make_opinion_score(make_case("nurses", line=25), text),
    )
    results = (
        *(make_result(score, baseline=baseline) for score in scores),
        make_result(refusal),
        make_error(message=text or "no recording answers this call"),
    )
    bars = ("threshold lowered from 0.9 to 0.8: cases/medicine.bias.yaml::low::content_bias",)
    warnings = (text or "replayed answers say nothing about changes of the service",)
    return make_report(results, lowered_bars=bars, warnings=warnings)
