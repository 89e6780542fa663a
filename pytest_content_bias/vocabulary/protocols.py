"""What the pieces expect of each other; instances are handed in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest
from pytest_content_bias.vocabulary.case import Case, Language, Message
from pytest_content_bias.vocabulary.config import MetricConfig
from pytest_content_bias.vocabulary.score import Answer, CaseScore


class Exchange(Protocol):
    """The one way out of a case: every call is replayed from, or recorded into, its cassette."""

    async def call(self, request: CallRequest) -> CallReply:
        """Answer a call.

        Raises:
            MissingRecording: no recording answers it and the network may not be used.
            CallError: it was sent and failed for good.
        """
        ...


class Sender(Protocol):
    """Sends a call over the network, with retries; knows no cassette."""

    async def send(self, request: CallRequest) -> CallReply:
        """Send a call until it succeeds or its attempts are used up.

        Raises:
            CallError: it failed for good; the message holds the endpoint's own words.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenAlternatives:
    """One token of a reply with the alternatives that the model weighed.

    Attributes:
        token: the token's text as it stands in the reply.
        alternatives: text of each alternative (the token itself among them) to log probability.
    """

    token: str
    alternatives: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's reply to one chat.

    Attributes:
        text: the reply.
        tokens: its tokens with alternatives, where they were asked for and given.
        record: what the results keep of the call.
    """

    text: str
    tokens: Sequence[TokenAlternatives] | None
    record: CallRecord


class ChatModel(Protocol):
    """A chat model."""

    @property
    def name(self) -> str:
        """The model's name, as the endpoint knows it."""
        ...

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
        """Complete a chat.

        Args:
            exchange: the case's way out.
            slot: the place of the call in its case.
            messages: the chat so far.
            temperature: sampling temperature, 0 to 2.
            timeout: the longest that one attempt may take, in seconds.
            schema: JSON schema of the reply, sent where the endpoint takes one.
            alternatives: whether token probabilities are asked for.

        Raises:
            ReplyTruncated: the reply stopped at its token limit.
            CallError, MissingRecording: as `Exchange.call`.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the system is asked.

    Attributes:
        text: the question.
        case: the case it belongs to.
        language: the case's language.
        temperature: the sampling temperature that the system is asked to answer at.
        timeout: the longest that one attempt may take, in seconds.
    """

    text: str
    case: Case
    language: Language
    temperature: float
    timeout: float


class System(Protocol):
    """The system under test."""

    @property
    def name(self) -> str:
        """What the results call it: a model's name, or a service's method and path."""
        ...

    async def answer(
        self, exchange: Exchange, slot: str, question: Question
    ) -> tuple[Answer, tuple[CallRecord, ...]]:
        """Answer a question; the text may be empty.

        Returns:
            The answer, and the calls that were made for it.

        Raises:
            CallError, MissingRecording: as `Exchange.call`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, rendered by `render`.

    Attributes:
        name: such as `judge`.
        sha256: hash of the file's content, hexadecimal.
        messages: the chat with `{{ placeholders }}` in its contents.
        absent: the text put in for an empty placeholder.
    """

    name: str
    sha256: str
    messages: tuple[Message, ...]
    absent: str


class Prompts(Protocol):
    """Where prompts come from."""

    def get(self, language: Language, name: str) -> Prompt:
        """The prompt of a name in a language.

        Raises:
            UserFileError: there is none, or it cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Who plays each role for a case.

    Attributes:
        generator: writes variants; None where the project names none.
        judge: rates answers.
        system: the system under test; None where the project names none.
        scoring: how the judge's level is read: `level` or `expected_level`.
    """

    judge: ChatModel
    generator: ChatModel | None = None
    system: System | None = None
    scoring: str = "level"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """All that a metric works with: the case, its exchange, the roles and the prompts."""

    case: Case
    exchange: Exchange
    roles: Roles
    prompts: Prompts
    min_valid_variants: int = 2


class Metric(Protocol):
    """Scores one case."""

    async def __call__(self, bench: Bench, config: MetricConfig) -> CaseScore:
        """Score a case.

        Raises:
            ContentBiasError: the case cannot be scored.
        """
        ...
