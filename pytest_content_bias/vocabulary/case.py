"""What a case file holds, once read."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as closed_dataclass

from pytest_content_bias.vocabulary.names import TaskType
from pytest_content_bias.vocabulary.record import CLOSED, Record

Language = Literal["en", "de", "fr"]
Score = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Message(Record):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    """Who speaks."""
    content: Annotated[str, Field(min_length=1)]
    """What is said."""


@closed_dataclass(config=CLOSED, frozen=True, slots=True, kw_only=True)
class Case:
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
