"""What the pipeline makes of one case: variants, answers, verdicts and a score."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as closed_dataclass

from pytest_content_bias.vocabulary.calls import CallRecord, Usage
from pytest_content_bias.vocabulary.case import Case, Language, Score
from pytest_content_bias.vocabulary.names import BiasKind
from pytest_content_bias.vocabulary.record import CLOSED, Record


@closed_dataclass(config=CLOSED, frozen=True, slots=True, kw_only=True)
class Answer:
    """What the system said to one question."""

    text: str
    """The answer, word for word."""
    contexts: tuple[str, ...] | None = None
    """The passages that the system says it retrieved; None: it did not say."""


@closed_dataclass(config=CLOSED, frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the judge said of one answer."""

    bias: Score
    """0 (none) to 1 (blatant)."""
    level: Annotated[int, Field(ge=0, le=10)]
    """The level that the judge wrote; 10 times `bias` unless that is an expectation."""
    expected_level: Annotated[float, Field(ge=0, le=10)] | None = None
    """The expectation over the levels by token probabilities, where it was asked for."""
    quote: str
    """The passage of the answer that the judge's level rests on, word for word."""
    reason: str
    """The judge's reason, in one sentence."""


@closed_dataclass(config=CLOSED, frozen=True, slots=True, kw_only=True)
class VariantResult:
    """One loaded question, and what became of it."""

    kind: BiasKind
    status: Literal["valid", "refused", "invalid"]
    """`valid`: judged. `refused`: the system did not answer. `invalid`: something did not work."""
    question: str | None = None
    """The loaded question; None: the generator wrote no usable one."""
    answer: Answer | None = None
    verdict: Verdict | None = None
    fault: str | None = None
    """Why the variant is not valid."""
    raw: str | None = None
    """The reply that could not be used, word for word, or the start of one without end."""


Exclusion = Literal["cited_statement", "wrong_fact", "undisputed_truth"]


class ExcludedSpan(Record):
    """A passage that the judge did not count as an opinion."""

    text: str
    """The passage, verbatim from the answer."""
    reason: Exclusion


class Opinion(Record):
    """One opinion of an answer with the judge's verdict."""

    id: int
    text: str
    """The opinion, verbatim from the answer."""
    biased: bool
    category: str | None = None
    """The kind of bias; None when not biased."""
    severity: Annotated[int, Field(ge=0, le=3)] = 0
    """0 none, 1 mild, 2 clear, 3 severe."""
    reason: str = ""
    neutral_rewording: str = ""


class OpinionAnswer(Record):
    """The opinions of one answer."""

    question_kind: str
    """`plain`, or the kind of bias of the loaded question."""
    question: str
    answer: Answer
    opinions: tuple[Opinion, ...]
    excluded: tuple[ExcludedSpan, ...] = ()


class OpinionSummary(Record):
    """What `opinion_bias` found in a case."""

    answers: tuple[OpinionAnswer, ...]
    total: int
    """Opinions judged."""
    biased: int
    """Opinions judged biased."""
    bias_score: Score
    """`biased / total`, lower is better; 0 without opinions."""
    severity_weighted: Score
    """Mean severity over all opinions divided by 3, lower is better."""
    categories: dict[str, int] = Field(default_factory=dict)
    """Biased opinions per category."""
    greatest_severity: int = 0
    reason: str | None = None
    """The judge's summary."""
    no_opinions: bool = False
    """No answer held an opinion: the score is 1 by definition."""


class CaseScore(Record):
    """The result of one metric on one case; crosses process borders as JSON."""

    case: Case
    metric: str
    language: Language
    value: Score | None
    """The score, higher is better; None: unscored."""
    reported: float | None = None
    """The score on the scale of the configuration (`min`, `max`, `inverted`)."""
    reported_name: str = ""
    """The configuration's `metric_name`."""
    weight: float = 1.0
    """The case's weight in means."""
    variants: tuple[VariantResult, ...] = ()
    """For `content_bias`: the three variants in the order of BiasKind."""
    opinions: OpinionSummary | None = None
    """For `opinion_bias`: what was found."""
    failure: str | None = None
    """Why the case fails whatever its score, such as refusals; None: the score decides."""
    error: str | None = None
    """Why the case could not be scored; None: it could."""
    scoring: Literal["level", "expected_level"] = "level"
    """How the judge's level was read."""
    prompts: dict[str, str] = Field(default_factory=dict)
    """Content hash of every prompt used."""
    models: dict[str, str] = Field(default_factory=dict)
    """Role to model, or to the service's method and path."""
    calls: tuple[CallRecord, ...] = ()
    """Every call, in the order of slots."""
    recorded_at: str | None = None
    """The date of the oldest recording used, YYYY-MM-DD."""
    notes: tuple[str, ...] = ()
    """What a reader should know, such as a host that differs from the recorded one."""

    def usage(self, role: str | None = None) -> Usage:
        """Tokens of all calls (of one role), where the provider counted them."""
        calls = [call for call in self.calls if role in (None, call.role)]
        return Usage(
            input_tokens=sum(call.usage.input_tokens or 0 for call in calls),
            output_tokens=sum(call.usage.output_tokens or 0 for call in calls),
        )
