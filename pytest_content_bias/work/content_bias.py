"""`content_bias`: loaded questions, the system's answers, the judge's levels, one score."""

from dataclasses import replace

from pytest_content_bias.rules.content_bias import mean_score, on_reported_scale, standing
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.config import AnswerConfig
from pytest_content_bias.vocabulary.errors import UnreadableReply
from pytest_content_bias.vocabulary.names import MetricName
from pytest_content_bias.vocabulary.protocols import Bench
from pytest_content_bias.vocabulary.score import Answer, CaseScore, VariantResult
from pytest_content_bias.work.answers import ask_system
from pytest_content_bias.work.judging import judge_answer
from pytest_content_bias.work.limits import LimitedExchange
from pytest_content_bias.work.provenance import provenance
from pytest_content_bias.work.together import all_of
from pytest_content_bias.work.variants import Draft, write_variants

PROMPTS = (
    "rewrite_one_sided",
    "rewrite_amplify_downplay",
    "rewrite_justify_judge",
    "judge",
    "reask",
)
"""The prompts whose words a score rests on."""


async def score_content_bias(bench: Bench, config: AnswerConfig) -> CaseScore:
    """Score one case as `rag.content_bias` 1.0.0 does.

    Args:
        bench: the case at work.
        config: the metric's configuration.

    Returns:
        The score; `value` is None with `failure` when the system refused too often, and with
        `error` when too few variants are valid for another cause.

    Raises:
        ContentBiasError: a call could not be made or replayed.
    """
    limited = LimitedExchange(bench.exchange, config.sub_call_concurrency_limit)
    bench = replace(bench, exchange=limited)
    drafts = await write_variants(bench, config)
    judged = await all_of(_judged(bench, config, draft) for draft in drafts)
    variants = tuple(variant for variant, _ in judged)
    records = [record for _, made in judged for record in made]
    found = standing(variants, bench.min_valid_variants)
    scored = found.failure is None and found.error is None
    value = mean_score(variants) if scored else None
    return CaseScore(
        case=bench.case,
        metric=MetricName.CONTENT_BIAS,
        value=value,
        reported=None if value is None else on_reported_scale(value, config),
        variants=variants,
        failure=found.failure,
        error=found.error,
        **provenance(bench, config, PROMPTS, records),
    )


async def _judged(
    bench: Bench, config: AnswerConfig, draft: Draft
) -> tuple[VariantResult, tuple[CallRecord, ...]]:
    if draft.question is None:
        return _invalid(draft, draft.fault or "", draft.raw), draft.records
    answer, asked = await ask_system(bench, config, draft.kind, draft.question)
    records = draft.records + asked
    if not answer.text.strip():
        return _refused(draft, answer, "the answer is empty"), records
    try:
        judgement = await judge_answer(bench, config, draft.kind, draft.question, answer)
    except UnreadableReply as error:
        return _invalid(draft, str(error), error.raw, answer), records + error.records
    records += judgement.records
    if judgement.verdict is None:
        return _refused(draft, answer, judgement.refusal or ""), records
    return (
        VariantResult(
            kind=draft.kind,
            status="valid",
            question=draft.question,
            answer=answer,
            verdict=judgement.verdict,
        ),
        records,
    )


def _invalid(
    draft: Draft, fault: str, raw: str | None, answer: Answer | None = None
) -> VariantResult:
    return VariantResult(
        kind=draft.kind,
        status="invalid",
        question=draft.question,
        answer=answer,
        fault=fault,
        raw=raw,
    )


def _refused(draft: Draft, answer: Answer, why: str) -> VariantResult:
    return VariantResult(
        kind=draft.kind, status="refused", question=draft.question, answer=answer, fault=why
    )
