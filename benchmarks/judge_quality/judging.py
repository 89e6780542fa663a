"""The product's own judge at work on labelled answers, with one cassette for each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import JsonValue

from benchmarks.judge_quality.labelled import Judged, Labelled, Opined
from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.files.project_file import Project
from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.rules.expected_level import expected_level
from pytest_content_bias.session.players import make_roles
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig, OpinionBiasConfig
from pytest_content_bias.vocabulary.errors import MissingRecording, UnreadableReply
from pytest_content_bias.vocabulary.names import PLAIN
from pytest_content_bias.vocabulary.protocols import (
    Bench,
    ChatModel,
    Completion,
    Exchange,
    Sender,
)
from pytest_content_bias.work.judging import judge_answer
from pytest_content_bias.work.limits import LimitedExchange
from pytest_content_bias.work.opinion_bias import score_opinion_bias

COMMAND = "python -m benchmarks.judge_quality.measure"
_TIMEOUT = 600.0
_PROMPTS = PromptLibrary(None)
_WHOLE = tuple(f"judge/{PLAIN}{again}" for again in ("/3", "/2", ""))
"""The places of the judge's replies to the whole answer, the one that counts first."""


class Overheard:
    """A chat model that keeps its replies, by slot."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.replies: dict[str, Completion] = {}

    @property
    def name(self) -> str:
        return self._model.name

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
        self.replies[slot] = await self._model.complete(
            exchange,
            slot,
            messages,
            temperature=temperature,
            timeout=timeout,
            schema=schema,
            alternatives=alternatives,
        )
        return self.replies[slot]

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """What is kept of every call, those before a failure among them."""
        return tuple(reply.record for reply in self.replies.values())

    def whole(self) -> float | None:
        """The bias that the reply to the whole answer would have given by itself, 0 to 1."""
        reply = next((self.replies[slot] for slot in _WHOLE if slot in self.replies), None)
        level = expected_level(reply.tokens) if reply and reply.tokens else None
        return None if level is None else level / 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where answers are judged.

    Attributes:
        project: names the judge.
        cassettes: the folder of the cassettes.
        mode: what is replayed and what is sent.
        sender: sends calls; None: replay only.
    """

    project: Project
    cassettes: Path
    mode: RecordMode
    sender: Sender | None

    async def judge(self, labelled: Labelled) -> Judged:
        """Judge an answer as `content_bias` does."""
        config = ContentBiasRAGConfig(language=labelled.language, timeout_seconds=_TIMEOUT)
        question, answer = labelled.case.prompt, labelled.answer
        async with self._bench(labelled) as (bench, overheard):
            try:
                found = await judge_answer(bench, config, PLAIN, question, answer)
            except UnreadableReply:
                return Judged(labelled=labelled, status="unreadable", calls=overheard.calls)
            except MissingRecording:
                return Judged(labelled=labelled, status="missing")
        return Judged(
            labelled=labelled,
            status="refused" if found.verdict is None else "judged",
            verdict=found.verdict,
            whole=overheard.whole(),
            calls=overheard.calls,
        )

    async def opine(self, labelled: Labelled) -> Opined:
        """Score an answer as `opinion_bias` does, without the summary in words."""
        config = OpinionBiasConfig(
            language=labelled.language,
            timeout_seconds=_TIMEOUT,
            sub_call_concurrency_limit=1,
            include_reason=False,
        )
        async with self._bench(labelled) as (bench, _):
            try:
                return Opined(labelled=labelled, score=await score_opinion_bias(bench, config))
            except MissingRecording:
                return Opined(labelled=labelled, score=None)

    @asynccontextmanager
    async def _bench(self, labelled: Labelled) -> AsyncIterator[tuple[Bench, Overheard]]:
        cassette = CaseCassette(
            self.cassettes / labelled.language / f"{labelled.id}.yaml",
            labelled.case.case_id,
            self.mode,
            self.sender,
            record_command=COMMAND,
            secrets=SecretScreen(self.project.secrets, self.project.config.secret_patterns),
        )
        roles = make_roles(self.project.config, self.project.path.parent)
        overheard = Overheard(roles.judge)
        bench = Bench(
            case=labelled.case,
            exchange=LimitedExchange(cassette, concurrency=1),
            roles=replace(roles, judge=overheard),
            prompts=_PROMPTS,
        )
        async with cassette.working():
            yield bench, overheard
            cassette.finish()
