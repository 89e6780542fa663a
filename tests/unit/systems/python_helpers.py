"""A question for systems that are functions, and a stand-in for the recorder."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar

from pytest_content_bias.systems.python import PythonSystem
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Case, Message
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.protocols import Question
from pytest_content_bias.vocabulary.score import Answer
from tests.scripted_bench import NoExchange

CASE = Case(
    path="cases/drug.bias.yaml",
    line=3,
    input_id="drug-x",
    prompt="What are its effects?",
    history=(Message(role="user", content="Hello"), Message(role="assistant", content="Hi")),
    retrieved_context=("It helps.", "It may harm."),
)
QUESTION = Question(text="Is it bad?", case=CASE, language="de", temperature=0.7, timeout=5)
CALL = CallRecord(
    slot="system/plain/app/1", role=Role.SYSTEM, model="m", replayed=True, latency_ms=1
)
Make = Callable[..., PythonSystem]
ATTENDED: ContextVar[str] = ContextVar("attended")


@asynccontextmanager
async def attended(slot: str) -> AsyncIterator[Sequence[CallRecord]]:
    """Stands in for the recorder: marks the context, and tells of one call at the end."""
    records: list[CallRecord] = []
    token = ATTENDED.set(slot)
    try:
        yield records
    finally:
        ATTENDED.reset(token)
    records.append(CALL)


def ask(system: PythonSystem) -> Answer:
    """A system's answer to the question."""
    answer, _ = asyncio.run(system.answer(NoExchange(), "system/plain", QUESTION))
    return answer
