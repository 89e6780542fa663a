"""A reply in an agreed form: asked for, checked, and asked for again with the fault named."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from pydantic import JsonValue

from pytest_content_bias.rules.json_reply import parse_object
from pytest_content_bias.rules.templates import render_prompt
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.errors import ReplyFault, ReplyTruncated, UnreadableReply
from pytest_content_bias.vocabulary.protocols import ChatModel, Completion, Exchange, Prompt

T = TypeVar("T")

_LONGEST_KEPT = 20_000
"""So many characters of a reply with a fault are enough to see what is wrong with it."""
_CUT_OFF = "The reply was cut off because it was too long; it must be shorter."


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed(Generic[T]):
    """A reply that passed its check.

    Attributes:
        value: what the check made of it.
        raw: the reply, word for word.
        records: what the results keep of the calls, those with a fault among them.
    """

    value: T
    raw: str
    records: tuple[CallRecord, ...]


async def ask(
    model: ChatModel,
    exchange: Exchange,
    slot: str,
    messages: Sequence[Message],
    *,
    reask: Prompt,
    schema: Mapping[str, JsonValue] | None,
    check: Callable[[dict[str, JsonValue], Completion], T],
    temperature: float,
    timeout: float,
    alternatives: bool = False,
) -> Agreed[T]:
    """Ask a model for a JSON object until it passes a check, three times at most.

    The second and third time are calls of their own, in `<slot>/2` and `<slot>/3`.

    Args:
        model: who is asked.
        exchange: the case's way out.
        slot: the place of the first call in its case.
        messages: the chat.
        reask: the prompt that names the `fault` of the last reply.
        schema: JSON schema of the reply, sent where the endpoint takes one.
        check: makes a value of the object, or raises ReplyFault.
        temperature: sampling temperature, 0 to 2.
        timeout: the longest that one attempt may take, in seconds.
        alternatives: whether token probabilities are asked for.

    Raises:
        UnreadableReply: no reply passed; it names every fault.
        CallError, MissingRecording: as `Exchange.call`.
    """
    complete = partial(
        model.complete,
        exchange,
        temperature=temperature,
        timeout=timeout,
        schema=schema,
        alternatives=alternatives,
    )
    chat, records = tuple(messages), tuple[CallRecord, ...]()
    faults: list[_Faulty] = []
    for place in (slot, f"{slot}/2", f"{slot}/3"):
        outcome = await _attempt(complete(place, chat), check)
        records += outcome.records
        if isinstance(outcome, Agreed):
            return replace(outcome, records=records)
        faults.append(outcome)
        chat += _again(outcome, reask)
    raise UnreadableReply(_summary(slot, model, faults), faults[-1].raw, records)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Faulty:
    """A reply that did not pass: what the model is told of it, and what the user is told."""

    told: str
    shown: str
    raw: str
    records: tuple[CallRecord, ...]


async def _attempt(
    reply: Awaitable[Completion], check: Callable[[dict[str, JsonValue], Completion], T]
) -> Agreed[T] | _Faulty:
    try:
        completion = await reply
    except ReplyTruncated as error:
        records = (error.record,) if error.record else ()
        return _Faulty(told=_CUT_OFF, shown=str(error), raw=_start(error.text), records=records)
    raw, records = completion.text, (completion.record,)
    try:
        return Agreed(value=check(parse_object(raw), completion), raw=raw, records=records)
    except ReplyFault as fault:
        return _Faulty(told=str(fault), shown=fault.shown, raw=_start(raw), records=records)


def _start(raw: str) -> str:
    """A reply without end is neither sent back to the model nor kept whole."""
    return raw if len(raw) <= _LONGEST_KEPT else f"{raw[:_LONGEST_KEPT]}…"


def _again(reply: _Faulty, reask: Prompt) -> tuple[Message, ...]:
    """The turns that follow a reply with a fault; a chat takes no empty turn."""
    said = Message(role="assistant", content=reply.raw if reply.raw.strip() else reask.absent)
    return (said, *render_prompt(reask, {"fault": reply.told}))


def _summary(slot: str, model: ChatModel, faults: Sequence[_Faulty]) -> str:
    listed = " ".join(f"({number}) {fault.shown}" for number, fault in enumerate(faults, start=1))
    return (
        f"{slot}: {model.name} was asked {len(faults)} times and never replied in the agreed form. "
        f"{listed}"
    )
