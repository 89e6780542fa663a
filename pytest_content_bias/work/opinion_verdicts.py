"""Stage 2 of `opinion_bias`: the judge gives exactly one verdict for every opinion."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from pytest_content_bias.rules.categories import categories
from pytest_content_bias.rules.reply_fields import (
    brief_field,
    choice_field,
    integer_field,
    objects_field,
    shown,
)
from pytest_content_bias.rules.templates import render_prompt
from pytest_content_bias.rules.yes_or_no import yes_or_no
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.config import OpinionBiasConfig
from pytest_content_bias.vocabulary.errors import ReplyFault
from pytest_content_bias.vocabulary.protocols import Bench, Completion
from pytest_content_bias.vocabulary.score import Opinion
from pytest_content_bias.work.agreed_reply import ask

_MOST_NAMED = 10
"""So many faults of one reply are named; the model is to mend the others as well."""
_LONGEST_TEXT = 300


async def judge_opinions(
    bench: Bench, config: OpinionBiasConfig, name: str, texts: Sequence[str]
) -> tuple[tuple[Opinion, ...], tuple[CallRecord, ...]]:
    """Have the judge say of every opinion whether it is biased, how, and how much.

    Args:
        bench: the case at work.
        config: the metric's configuration.
        name: `plain` or the kind of bias; names the slot.
        texts: the opinions; at least one.

    Returns:
        The opinions with their verdicts in the order given, and the calls.

    Raises:
        UnreadableReply: the judge never replied in the agreed form.
        ContentBiasError: it could not be reached or replayed.
    """
    known = categories(config)
    values = {
        "categories": "\n".join(f"{name}: {_line(text)}" for name, text in known.items()),
        "opinions": "\n".join(f"{id}. {_line(text)}" for id, text in enumerate(texts, start=1)),
    }

    def check(reply: dict[str, JsonValue], completion: Completion) -> tuple[Opinion, ...]:
        return _opinions(reply, texts, known)

    agreed = await ask(
        bench.roles.judge,
        bench.exchange,
        f"judge/opinion_verdicts/{name}",
        render_prompt(bench.prompts.get(config.language, "opinion_verdicts"), values),
        reask=bench.prompts.get(config.language, "reask"),
        schema=_schema(len(texts), known),
        check=check,
        temperature=0.0,
        timeout=config.timeout_seconds,
    )
    return agreed.value, agreed.records


def _line(text: str) -> str:
    """A text on one line, so that it cannot look like the next entry of a list."""
    return " ".join(text.split())


def _schema(count: int, known: Collection[str]) -> dict[str, JsonValue]:
    text: JsonValue = {"type": "string", "maxLength": _LONGEST_TEXT}
    properties: dict[str, JsonValue] = {
        "id": {"type": "integer", "enum": list(range(1, count + 1))},
        "verdict": {"type": "string", "enum": ["yes", "no"]},
        "category": {"type": ["string", "null"], "enum": [*known, None]},
        "severity": {"type": "integer", "enum": [0, 1, 2, 3]},
        "reason": text,
        "neutral_rewording": text,
    }
    verdict: JsonValue = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"verdicts": {"type": "array", "items": verdict}},
        "required": ["verdicts"],
        "additionalProperties": False,
    }


def _opinions(
    reply: dict[str, JsonValue], texts: Sequence[str], known: Collection[str]
) -> tuple[Opinion, ...]:
    verdicts = _one_each(objects_field(reply, "verdicts"), len(texts))
    opinions, faults = [], []
    for number, text in enumerate(texts, start=1):
        try:
            opinions.append(_opinion(number, text, verdicts[number], known))
        except ReplyFault as fault:
            faults.append(f"verdict {number}: {fault}")
    if faults:
        raise ReplyFault("; ".join(faults[:_MOST_NAMED]))
    return tuple(opinions)


def _one_each(
    entries: Sequence[dict[str, JsonValue]], count: int
) -> Mapping[int, dict[str, JsonValue]]:
    verdicts = {integer_field(entry, "id", 1, count): entry for entry in entries}
    given = Counter(integer_field(entry, "id", 1, count) for entry in entries)
    missing = [str(number) for number in range(1, count + 1) if number not in given]
    repeated = [str(number) for number, times in sorted(given.items()) if times > 1]
    faults = [
        f"{name} {', '.join(numbers[:_MOST_NAMED])}"
        for name, numbers in (("no verdict for", missing), ("more than one for", repeated))
        if numbers
    ]
    if faults:
        raise ReplyFault(
            f"every opinion from 1 to {count} needs exactly one verdict: {'; '.join(faults)}"
        )
    return verdicts


def _opinion(number: int, text: str, verdict: dict[str, Any], known: Collection[str]) -> Opinion:
    biased = yes_or_no(verdict.get("verdict"))
    if biased is None:
        raise ReplyFault(f'"verdict" must be "yes" or "no", not {shown(verdict.get("verdict"))}')
    severity = integer_field(verdict, "severity", 0, 3)
    if not biased and severity:
        raise ReplyFault(f'"verdict" is "no", so "severity" must be 0, not {severity}')
    if not biased:
        return Opinion(id=number, text=text, biased=False)
    if not severity:
        raise ReplyFault('"verdict" is "yes", so "severity" must be 1, 2 or 3, not 0')
    return Opinion(
        id=number,
        text=text,
        biased=True,
        category=choice_field(verdict, "category", known),
        severity=severity,
        reason=brief_field(verdict, "reason"),
        neutral_rewording=brief_field(verdict, "neutral_rewording"),
    )
