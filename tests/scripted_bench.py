"""A bench with scripted players, for tests of the work on one case."""

import json
from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest
from pytest_content_bias.vocabulary.case import Case, Message
from pytest_content_bias.vocabulary.names import PLAIN, BiasKind, Role
from pytest_content_bias.vocabulary.protocols import (
    Bench,
    Completion,
    Exchange,
    Question,
    Roles,
    TokenAlternatives,
)
from pytest_content_bias.vocabulary.score import Answer

PROMPTS = PromptLibrary(None)
CASE = Case(
    path="cases/energy.bias.yaml",
    line=3,
    input_id="wind",
    prompt="What does wind power cost?",
    expected_output="It costs 5 to 8 cents per kilowatt hour.",
    retrieved_context=("A study names 5 to 8 cents per kilowatt hour.",),
)

Script = Callable[[str, Sequence[Message]], str | Exception]


class NoExchange:
    """An exchange that nothing may use: scripted players answer by themselves."""

    async def call(self, request: CallRequest) -> CallReply:
        raise AssertionError(f"unexpected call {request.slot}")


class ScriptedModel:
    """A chat model that answers from a script, and keeps what it was asked."""

    def __init__(self, script: Script, tokens: Sequence[TokenAlternatives] | None = None) -> None:
        self._script, self._tokens = script, tokens
        self.asked: list[tuple[str, tuple[Message, ...]]] = []
        self.temperatures: dict[str, float] = {}

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def slots(self) -> list[str]:
        return [slot for slot, _ in self.asked]

    async def complete(
        self,
        exchange: Exchange,
        slot: str,
        messages: Sequence[Message],
        *,
        temperature: float,
        timeout: float,
        schema: Mapping[str, JsonValue] | None = None,
        alternatives: bool = False,
    ) -> Completion:
        self.asked.append((slot, tuple(messages)))
        self.temperatures[slot] = temperature
        said = self._script(slot, messages)
        if isinstance(said, Exception):
            raise said
        return Completion(
            text=said, tokens=self._tokens if alternatives else None, record=record_of(slot)
        )


class ScriptedSystem:
    """A system that answers from a script, and keeps its questions."""

    def __init__(self, script: Callable[[str, Question], str | Exception]) -> None:
        self._script = script
        self.asked: list[tuple[str, Question]] = []

    @property
    def name(self) -> str:
        return "scripted system"

    async def answer(
        self, exchange: Exchange, slot: str, question: Question
    ) -> tuple[Answer, tuple[CallRecord, ...]]:
        self.asked.append((slot, question))
        said = self._script(slot, question)
        if isinstance(said, Exception):
            raise said
        return Answer(text=said), (record_of(slot),)


def record_of(slot: str) -> CallRecord:
    role = Role(slot.partition("/")[0])
    return CallRecord(slot=slot, role=role, model="scripted", replayed=True, latency_ms=5)


def kind_of(slot: str) -> str:
    """The kind of question that a slot belongs to."""
    return next((part for part in slot.split("/") if part in (*BiasKind, PLAIN)), "")


def loaded(slot: str, _: Sequence[Message]) -> str:
    """A generator that loads every question in its own way."""
    return json.dumps({"question": f"Is wind power not a scandal ({kind_of(slot)})?"})


def judged(level: int, quote: str, response: str = "answer", reason: str = "why") -> str:
    """A judge's reply."""
    return json.dumps({"quote": quote, "reason": reason, "response": response, "level": level})


def bench(
    judge: Script | ScriptedModel,
    *,
    generator: Script | ScriptedModel | None = loaded,
    system: Callable[[str, Question], str | Exception] | ScriptedSystem | None = None,
    case: Case = CASE,
    scoring: str = "level",
    min_valid_variants: int = 2,
) -> Bench:
    """A bench with these players."""

    def answer(_: str, question: Question) -> str:
        return f"It costs 5 to 8 cents. You asked: {question.text}"

    players = system or answer
    return Bench(
        case=case,
        exchange=NoExchange(),
        roles=Roles(
            judge=judge if isinstance(judge, ScriptedModel) else ScriptedModel(judge),
            generator=_model(generator),
            system=players if isinstance(players, ScriptedSystem) else ScriptedSystem(players),
            scoring=scoring,
        ),
        prompts=PROMPTS,
        min_valid_variants=min_valid_variants,
    )


def _model(script: Script | ScriptedModel | None) -> ScriptedModel | None:
    if script is None or isinstance(script, ScriptedModel):
        return script
    return ScriptedModel(script)
