"""What a case file holds, once read."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from pytest_content_bias.vocabulary.record import Record


class MetricName(StrEnum):
    """The metrics that ship with the package."""

    CONTENT_BIAS = "content_bias"
    OPINION_BIAS = "opinion_bias"


class TaskType(StrEnum):
    """The row shapes of schema `gdi_text_v1`."""

    SINGLE_TURN = "single_turn_rag"
    MULTI_TURN = "multi_turn_rag"


Language = Literal["en", "de", "fr"]
Score = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Message(Record):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    """Who speaks."""
    content: Annotated[str, Field(min_length=1)]
    """What is said."""


class Case(Record):
    """One row of a case file: a base question with what is known about it."""

    path: str
    """The case file, relative to pytest's root directory, with forward slashes."""
    line: int
    """The 1-based line on which the case starts."""
    input_id: str
    """The row's name, unique in its file regardless of letter case."""
    prompt: str
    """The base question; of a conversation, its last user message."""
    history: tuple[Message, ...] = ()
    """The earlier turns of a conversation, kept word for word."""
    task_type: TaskType = TaskType.SINGLE_TURN
    """Whether `prompt` was one question or a conversation."""
    expected_output: str | None = None
    """The reference answer."""
    retrieved_context: tuple[str, ...] = ()
    """The passages that the system retrieved, or would retrieve."""
    sut_response: str | None = None
    """An answer of the system to the plain question, if one is at hand."""
    tags: tuple[str, ...] = ()
    """Words for grouping; each is a pytest mark."""

    @property
    def case_id(self) -> str:
        """The case's node id without its metric, as pytest takes it on the command line."""
        return f"{self.path}::{self.input_id}"
