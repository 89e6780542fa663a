"""The format of a case file: its keys, key by key. The published JSON Schema is made of this."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from pytest_content_bias.files.names import INPUT_ID, TAG, check_input_id, check_tag
from pytest_content_bias.vocabulary.case import Score
from pytest_content_bias.vocabulary.names import MetricName
from pytest_content_bias.vocabulary.record import Record

Text = Annotated[str, StringConstraints(pattern=r"\S")]
"""Text that is not blank."""
InputId = Annotated[
    str,
    Field(max_length=120, json_schema_extra={"pattern": INPUT_ID}),
    AfterValidator(check_input_id),
]
Tag = Annotated[str, Field(json_schema_extra={"pattern": TAG}), AfterValidator(check_tag)]
Metric = Annotated[Text, Field(json_schema_extra={"examples": list(MetricName)})]
Metrics = Annotated[tuple[Metric, ...], Field(min_length=1)]


class MessageFormat(Record):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    """Who speaks."""
    content: Text
    """What is said."""


class CaseFormat(Record):
    """One case: a base question with what is known about it."""

    input_id: InputId
    """The case's name: letters, digits, '.', '_' and '-', at most 120 characters, unique in the
    file regardless of letter case."""
    prompt: Text | Annotated[tuple[MessageFormat, ...], Field(min_length=1)]
    """The base question, or a conversation as a list of messages, the last by the user."""
    expected_output: Text | None = None
    """The reference answer; `content_bias` needs it, here or as `config.reference_answer`."""
    retrieved_context: Text | tuple[Text, ...] = ()
    """The passages that the system retrieved, or would retrieve."""
    sut_response: Text | None = None
    """An answer of the system to the plain question, if one is at hand."""
    tags: tuple[Tag, ...] = ()
    """Words for grouping; each becomes a pytest mark."""
    task_type: Literal["single_turn_rag", "multi_turn_rag"] | None = None
    """`single_turn_rag` for one question, `multi_turn_rag` for a conversation; by default what the
    prompt is."""
    metrics: Metrics | None = None
    """The metrics that score this case; in place of the file's."""
    threshold: Score | dict[str, Score] | None = None
    """The least score that passes, 0 to 1, of every metric or per metric."""
    max_drop: Score | None = None
    """The greatest drop of the score against the baseline that passes, 0 to 1."""
    config: dict[str, JsonValue] = Field(default_factory=dict)
    """Configuration of the case's metrics; key by key in place of the file's."""


class CaseFileFormat(Record):
    """A file of cases for pytest-content-bias."""

    metrics: Metrics = ("content_bias",)
    """The metrics that score the cases."""
    threshold: Score | dict[str, Score] | None = None
    """The least score that passes, 0 to 1, of every metric or per metric."""
    max_drop: Score | None = None
    """The greatest drop of a score against the baseline that passes, 0 to 1."""
    config: dict[str, JsonValue] = Field(default_factory=dict)
    """Configuration of the metrics of all cases."""
    cases: Annotated[tuple[CaseFormat, ...], Field(min_length=1)]
    """The cases."""
