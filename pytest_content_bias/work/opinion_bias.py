"""`opinion_bias`: the opinions of the system's answers, a verdict on each, one score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from pytest_content_bias.rules.content_bias import on_reported_scale
from pytest_content_bias.rules.opinion_bias import opinion_score, severity_failure, summary
from pytest_content_bias.rules.reply_fields import brief_field
from pytest_content_bias.rules.templates import render_prompt
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.config import AnswerConfig, OpinionBiasConfig
from pytest_content_bias.vocabulary.errors import SettingsError, UnreadableReply
from pytest_content_bias.vocabulary.names import PLAIN, BiasKind, MetricName
from pytest_content_bias.vocabulary.protocols import Bench, Completion
from pytest_content_bias.vocabulary.score import (
    Answer,
    CaseScore,
    Opinion,
    OpinionAnswer,
    OpinionSummary,
)
from pytest_content_bias.work.agreed_reply import ask
from pytest_content_bias.work.answers import ask_system
from pytest_content_bias.work.limits import LimitedExchange
from pytest_content_bias.work.opinion_verdicts import judge_opinions
from pytest_content_bias.work.opinions import list_opinions
from pytest_content_bias.work.provenance import provenance
from pytest_content_bias.work.together import all_of
from pytest_content_bias.work.variants import Draft, write_variants

_RAW_CHARACTERS = 300
_REASON_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"reason": {"type": "string", "maxLength": 600}},
    "required": ["reason"],
    "additionalProperties": False,
}


async def score_opinion_bias(bench: Bench, config: AnswerConfig) -> CaseScore:
    """Score one case in the three stages of DeepEval's bias evaluation, failing closed.

    Args:
        bench: the case at work.
        config: an OpinionBiasConfig.

    Returns:
        The score; `value` is None with `failure` when the system gave no answer, and with `error`
        when there is no loaded question to ask or the judge never replied in the agreed form.

    Raises:
        ContentBiasError: a call could not be made or replayed.
    """
    if not isinstance(config, OpinionBiasConfig):
        raise SettingsError(
            f"opinion_bias was given a {type(config).__name__}, expected an OpinionBiasConfig"
        )
    limited = LimitedExchange(bench.exchange, config.sub_call_concurrency_limit)
    bench = replace(bench, exchange=limited)
    parts = [_plain(bench, config)] if config.answers != "variants" else []
    parts += [_loaded(bench, config)] if config.answers != PLAIN else []
    outcomes = [outcome for part in await all_of(parts) for outcome in part]
    return await _scored(bench, config, outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What became of one answer: its opinions, or why there are none to count."""

    found: OpinionAnswer | None = None
    failure: str | None = None
    error: str | None = None
    records: tuple[CallRecord, ...] = ()


async def _plain(bench: Bench, config: OpinionBiasConfig) -> list[_Outcome]:
    case = bench.case
    if case.sut_response is not None:
        answer, records = Answer(text=case.sut_response), tuple[CallRecord, ...]()
    else:
        answer, records = await ask_system(bench, config, PLAIN, case.prompt)
    return [await _judged(bench, config, PLAIN, case.prompt, answer, records)]


async def _loaded(bench: Bench, config: OpinionBiasConfig) -> list[_Outcome]:
    drafts = await write_variants(bench, config)
    return await all_of(_answered(bench, config, draft) for draft in drafts)


async def _answered(bench: Bench, config: OpinionBiasConfig, draft: Draft) -> _Outcome:
    if draft.question is None:
        error = f"{draft.kind}: {draft.fault}{_raw(draft.raw or '')}"
        return _Outcome(error=error, records=draft.records)
    answer, asked = await ask_system(bench, config, draft.kind, draft.question)
    records = draft.records + asked
    return await _judged(bench, config, draft.kind, draft.question, answer, records)


async def _judged(
    bench: Bench,
    config: OpinionBiasConfig,
    name: str,
    question: str,
    answer: Answer,
    records: tuple[CallRecord, ...],
) -> _Outcome:
    if not answer.text.strip():
        return _Outcome(failure=f"the answer to the {name} question is empty", records=records)
    try:
        listed = await list_opinions(bench, config, name, answer)
        records += listed.records
        opinions: tuple[Opinion, ...] = ()
        if listed.opinions:
            opinions, made = await judge_opinions(bench, config, name, listed.opinions)
            records += made
    except UnreadableReply as error:
        return _Outcome(error=_unreadable(error), records=records + error.records)
    found = OpinionAnswer(
        question_kind=name,
        question=question,
        answer=answer,
        opinions=opinions,
        excluded=listed.excluded,
    )
    return _Outcome(found=found, records=records)


async def _scored(
    bench: Bench, config: OpinionBiasConfig, outcomes: Sequence[_Outcome]
) -> CaseScore:
    records = [record for outcome in outcomes for record in outcome.records]
    errors = [outcome.error for outcome in outcomes if outcome.error]
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    if errors:
        return _case_score(bench, config, records, error="\n  ".join(["unscored:", *errors]))
    if failures:
        return _case_score(bench, config, records, failure="; ".join(failures))
    found = summary([outcome.found for outcome in outcomes if outcome.found])
    value = opinion_score(found, strict=config.strict_mode)
    if config.include_reason and not found.no_opinions:
        try:
            reason, made = await _reason(bench, config, found, value)
        except UnreadableReply as error:
            records += error.records
            return _case_score(bench, config, records, found=found, error=_unreadable(error))
        records += made
        found = found.model_copy(update={"reason": reason})
    failure = severity_failure(found, config.max_severity)
    return _case_score(bench, config, records, found=found, value=value, failure=failure)


async def _reason(
    bench: Bench, config: OpinionBiasConfig, found: OpinionSummary, score: float
) -> tuple[str, tuple[CallRecord, ...]]:
    """Stage 3: the judge sums its verdicts up in words."""
    reasons = [
        f"- {' '.join(opinion.reason.split())}"
        for answer in found.answers
        for opinion in answer.opinions
        if opinion.biased
    ]
    values = {"score": f"{score:.2f}", "biased": "\n".join(reasons)}

    def check(reply: dict[str, JsonValue], completion: Completion) -> str:
        return brief_field(reply, "reason")

    agreed = await ask(
        bench.roles.judge,
        bench.exchange,
        "judge/opinion_reason",
        render_prompt(bench.prompts.get(config.language, "opinion_reason"), values),
        reask=bench.prompts.get(config.language, "reask"),
        schema=_REASON_SCHEMA,
        check=check,
        temperature=0.0,
        timeout=config.timeout_seconds,
    )
    return agreed.value, agreed.records


def _case_score(
    bench: Bench,
    config: OpinionBiasConfig,
    records: Sequence[CallRecord],
    *,
    found: OpinionSummary | None = None,
    value: float | None = None,
    failure: str | None = None,
    error: str | None = None,
) -> CaseScore:
    return CaseScore(
        case=bench.case,
        metric=MetricName.OPINION_BIAS,
        value=value,
        reported=None if value is None else on_reported_scale(value, config),
        opinions=found,
        failure=failure,
        error=error,
        **provenance(bench, config, _prompts(config), records),
    )


def _prompts(config: OpinionBiasConfig) -> list[str]:
    """The prompts that a case may need; whether it does must not change what it is compared by."""
    loading = [f"rewrite_{kind}" for kind in BiasKind] if config.answers != PLAIN else []
    summing_up = ["opinion_reason"] if config.include_reason else []
    return [*loading, "opinions", "opinion_verdicts", *summing_up, "reask"]


def _unreadable(error: UnreadableReply) -> str:
    return f"{error}{_raw(error.raw)}"


def _raw(reply: str) -> str:
    """The start of a reply that could not be used; escaped, since anything may stand there."""
    left_out = max(0, len(reply) - _RAW_CHARACTERS)
    more = f" … ({left_out} more characters)" if left_out else ""
    return f"\n  last reply: {reply[:_RAW_CHARACTERS]!r}{more}"
