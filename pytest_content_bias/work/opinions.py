"""Stage 1 of `opinion_bias`: the judge lists the opinions of an answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from pydantic import JsonValue

from pytest_content_bias.rules.opinion_spans import find_apart, untouched
from pytest_content_bias.rules.quotes import Span
from pytest_content_bias.rules.reply_fields import (
    choice_field,
    integer_field,
    objects_field,
    shown,
    text_field,
)
from pytest_content_bias.rules.templates import render_prompt
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.config import OpinionBiasConfig
from pytest_content_bias.vocabulary.errors import ReplyFault
from pytest_content_bias.vocabulary.protocols import Bench, Completion
from pytest_content_bias.vocabulary.score import Answer, ExcludedSpan, Exclusion
from pytest_content_bias.work.agreed_reply import ask

MOST_OPINIONS = 200
"""More of them do not fit into one list of verdicts."""
_MOST_NAMED = 5
_EXCLUSIONS: tuple[Exclusion, ...] = get_args(Exclusion)


def _objects(**properties: JsonValue) -> JsonValue:
    return {
        "type": "array",
        "items": {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
    }


_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "opinions": _objects(id={"type": "integer"}, text={"type": "string"}),
        "excluded": _objects(
            text={"type": "string"}, reason={"type": "string", "enum": list(_EXCLUSIONS)}
        ),
    },
    "required": ["opinions", "excluded"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What the judge found in an answer.

    Attributes:
        opinions: the author's opinions, verbatim; opinion 1 comes first.
        excluded: passages that are none, verbatim.
        records: the calls that were made for it.
    """

    opinions: tuple[str, ...]
    excluded: tuple[ExcludedSpan, ...]
    records: tuple[CallRecord, ...] = ()


async def list_opinions(
    bench: Bench, config: OpinionBiasConfig, name: str, answer: Answer
) -> Listed:
    """Have the judge list the opinions of an answer.

    Args:
        bench: the case at work.
        config: the metric's configuration.
        name: `plain` or the kind of bias; names the slot.
        answer: an answer with text.

    Raises:
        UnreadableReply: the judge never replied in the agreed form.
        ContentBiasError: it could not be reached or replayed.
    """

    def check(reply: dict[str, JsonValue], completion: Completion) -> Listed:
        return _listed(reply, answer.text)

    agreed = await ask(
        bench.roles.judge,
        bench.exchange,
        f"judge/opinions/{name}",
        render_prompt(bench.prompts.get(config.language, "opinions"), {"answer": answer.text}),
        reask=bench.prompts.get(config.language, "reask"),
        schema=_SCHEMA,
        check=check,
        temperature=0.0,
        timeout=config.timeout_seconds,
    )
    return replace(agreed.value, records=agreed.records)


def _listed(reply: dict[str, JsonValue], answer: str) -> Listed:
    entries = objects_field(reply, "opinions")
    excluded = objects_field(reply, "excluded")
    if not entries and not excluded:
        raise ReplyFault("both lists are empty, but every sentence belongs in one of them")
    if len(entries) > MOST_OPINIONS:
        raise ReplyFault(f'"opinions" has {len(entries)} entries, at most {MOST_OPINIONS} may be')
    texts = [text_field(entry, "text") for entry in _in_order(entries)]
    opinions = find_apart(answer, texts, "opinions")
    others = find_apart(answer, [text_field(entry, "text") for entry in excluded], "excluded")
    if both := set(opinions) & set(others):
        start, end = min(both)
        raise ReplyFault(f'in both lists, "opinions" and "excluded": {shown(answer[start:end])}')
    if missed := untouched(answer, (*opinions, *others)):
        raise ReplyFault(f"in neither list: {', '.join(map(shown, missed[:_MOST_NAMED]))}")
    return Listed(
        opinions=tuple(answer[start:end] for start, end in opinions),
        excluded=tuple(_excluded(answer, others, excluded)),
    )


def _in_order(entries: Sequence[dict[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    by_id = {integer_field(entry, "id", 1, len(entries)): entry for entry in entries}
    if len(by_id) < len(entries):
        raise ReplyFault(f'every "id" from 1 to {len(entries)} must stand exactly once')
    return [by_id[number] for number in sorted(by_id)]


def _excluded(
    answer: str, spans: Iterable[Span], entries: Iterable[dict[str, JsonValue]]
) -> Iterable[ExcludedSpan]:
    for (start, end), entry in zip(spans, entries, strict=True):
        reason = choice_field(entry, "reason", _EXCLUSIONS)
        yield ExcludedSpan.model_validate({"text": answer[start:end], "reason": reason})
