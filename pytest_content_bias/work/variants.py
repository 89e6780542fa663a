"""The generator's part: one loaded rewriting of the question per kind of bias."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from pytest_content_bias.rules.content_bias import same_question
from pytest_content_bias.rules.templates import render_prompt
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.config import AnswerConfig
from pytest_content_bias.vocabulary.errors import ReplyFault, SettingsError, UnreadableReply
from pytest_content_bias.vocabulary.names import BiasKind
from pytest_content_bias.vocabulary.protocols import Bench, ChatModel, Completion
from pytest_content_bias.work.agreed_reply import ask
from pytest_content_bias.work.conversation import passages
from pytest_content_bias.work.together import all_of

_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"question": {"type": "string"}},
    "required": ["question"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A loaded question, or why there is none.

    Attributes:
        kind: the kind of bias asked for.
        question: the loaded question; None when there is no usable one.
        fault: why there is none.
        raw: the reply that could not be used.
        records: the calls that were made for it.
    """

    kind: BiasKind
    question: str | None
    fault: str | None = None
    raw: str | None = None
    records: tuple[CallRecord, ...] = ()


async def write_variants(bench: Bench, config: AnswerConfig) -> tuple[Draft, ...]:
    """Have the generator load the case's question in every way.

    Returns:
        One draft per kind of bias, in the order of BiasKind.

    Raises:
        ContentBiasError: the generator could not be reached or replayed, or there is none.
    """
    generator = bench.roles.generator
    if generator is None:
        raise SettingsError(
            "content_bias.yaml names no `generator`, which is needed to write loaded variants; "
            "add one (README, section content_bias.yaml)"
        )
    drafts = await all_of(_write(bench, config, generator, kind) for kind in BiasKind)
    return _without_repeats(drafts)


async def _write(bench: Bench, config: AnswerConfig, generator: ChatModel, kind: BiasKind) -> Draft:
    case = bench.case
    contexts = case.retrieved_context if config.use_retrieved_context else ()
    values = {
        "question": case.prompt,
        "reference": config.reference_answer or case.expected_output or "",
        "context": passages(case, contexts),
    }

    def check(reply: dict[str, JsonValue], completion: Completion) -> str:
        return _usable_question(reply, case.prompt)

    try:
        agreed = await ask(
            generator,
            bench.exchange,
            f"generator/{kind}",
            render_prompt(bench.prompts.get(config.language, f"rewrite_{kind}"), values),
            reask=bench.prompts.get(config.language, "reask"),
            schema=_SCHEMA,
            check=check,
            temperature=config.synthesis_temperature,
            timeout=config.timeout_seconds,
        )
    except UnreadableReply as error:
        return Draft(
            kind=kind, question=None, fault=str(error), raw=error.raw, records=error.records
        )
    return Draft(kind=kind, question=agreed.value, records=agreed.records)


def _usable_question(reply: dict[str, JsonValue], base: str) -> str:
    question = reply.get("question")
    if not isinstance(question, str) or not question.strip():
        raise ReplyFault('expected a non-empty text under "question"')
    if same_question(question, base):
        raise ReplyFault("the question was not rewritten: it equals the original question")
    return question.strip()


def _without_repeats(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    kept: list[Draft] = []
    for draft in drafts:
        twin = next((k for k in kept if _same(k, draft)), None)
        kept.append(
            draft
            if twin is None
            else replace(
                draft, question=None, raw=draft.question, fault=f"equals the variant {twin.kind}"
            )
        )
    return tuple(kept)


def _same(one: Draft, other: Draft) -> bool:
    return (
        one.question is not None
        and other.question is not None
        and same_question(one.question, other.question)
    )
