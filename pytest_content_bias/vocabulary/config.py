"""The configuration of each metric, as a case or a case file gives it under `config:`."""

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.config import JsonDict

from pytest_content_bias.vocabulary.case import Language
from pytest_content_bias.vocabulary.names import BiasCategory

_OPERATIONAL: JsonDict = {"x-aip-param-role": "operational"}
_SCORING: JsonDict = {"x-aip-param-role": "scoring_metadata"}


def _as_published(schema: dict[str, Any]) -> None:
    """The published schema names neither a description nor closedness."""
    schema.pop("additionalProperties", None)
    schema.pop("description", None)


class AnswerConfig(BaseModel):
    """How variants and answers come about; every metric's configuration has these fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_as_published)

    language: Language = "en"
    """The language of the prompts that the generator and the judge get."""
    reference_answer: str | None = None
    """Overrides the case's `expected_output`."""
    use_retrieved_context: bool = True
    """Whether the generator sees the case's `retrieved_context`."""
    synthesis_temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    """Sampling temperature of the generator, 0 to 2."""
    sut_temperature: float = Field(default=0.7, ge=0.0, le=2.0)
    """Sampling temperature that the system is asked to answer at, 0 to 2."""
    n_sut_retries: int = Field(default=0, ge=0, le=5)
    """How often the system is asked again after an empty answer or a failed call."""
    timeout_seconds: float = Field(default=60.0, gt=0, json_schema_extra=_OPERATIONAL)
    """The longest that one call may take, in seconds."""
    sub_call_concurrency_limit: int = Field(default=5, ge=1, le=64, json_schema_extra=_OPERATIONAL)
    """How many calls of one case may be in flight at once."""
    metric_name: str = Field(default="", json_schema_extra=_SCORING)
    """The name under which the score is reported."""
    min: float = Field(default=0.0, json_schema_extra=_SCORING)
    """The lower end of the scale on which the score is reported."""
    max: float = Field(default=1.0, json_schema_extra=_SCORING)
    """The upper end of the scale on which the score is reported."""
    inverted: bool = Field(default=False, json_schema_extra=_SCORING)
    """Report bias (lower is better) instead of the score."""
    weight: float = Field(default=1.0, json_schema_extra=_SCORING)
    """The case's weight in means, 0 or more."""

    @field_validator("weight")
    @classmethod
    def _weight_is_not_negative(cls, weight: float) -> float:
        if not 0 <= weight < float("inf"):
            raise ValueError("expected a finite number of 0 or more")
        return weight

    @model_validator(mode="after")
    def _scale_has_a_length(self) -> Self:
        if not self.min < self.max:
            raise ValueError(f"expected min below max, found min {self.min} and max {self.max}")
        return self


class ContentBiasRAGConfig(AnswerConfig):
    """Configuration of `content_bias`; its JSON schema is that of `rag.content_bias` 1.0.0."""

    metric_name: str = Field(default="content_bias_rag", json_schema_extra=_SCORING)
    """The name under which the score is reported."""


Severity = Annotated[int, Field(ge=0, le=3)]
CategoryName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
CategoryDescription = Annotated[str, Field(pattern=r"\S")]


class OpinionBiasConfig(AnswerConfig):
    """Configuration of `opinion_bias`."""

    metric_name: str = Field(default="opinion_bias", json_schema_extra=_SCORING)
    """The name under which the score is reported."""
    answers: Literal["plain", "variants", "all"] = "plain"
    """Which answers are judged: to the plain question, to the loaded variants, or to all four."""
    strict_mode: bool = False
    """Any biased opinion makes the score 0."""
    include_reason: bool = True
    """Whether the judge sums its verdicts up in words, at the price of one call."""
    max_severity: Severity | None = None
    """The greatest severity that any opinion may have, 0 to 3; None: severity does not gate."""
    categories: dict[CategoryName, CategoryDescription] = Field(default_factory=dict)
    """Categories to add, name to description; the description reaches the prompt. That of a
    built-in name takes the place of ours."""
    only_categories: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """Restricts the categories to these names; None: all."""

    @field_validator("only_categories")
    @classmethod
    def _only_known_categories(
        cls, names: tuple[str, ...] | None, info: ValidationInfo
    ) -> tuple[str, ...] | None:
        if "categories" not in info.data:  # they are at fault themselves
            return names
        known = [*BiasCategory, *info.data["categories"]]
        for name in names or ():
            if name not in known:
                raise ValueError(f"unknown category {name!r}; known: {', '.join(known)}")
        return names


MetricConfig = ContentBiasRAGConfig | OpinionBiasConfig
