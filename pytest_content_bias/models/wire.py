"""What chat models over HTTP have in common; a provider adds its body and how a reply is read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from pydantic import JsonValue, ValidationError

from pytest_content_bias.models.call_errors import excerpt
from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest, Usage
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.errors import CallError, ReplyTruncated
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.project import ModelConfig
from pytest_content_bias.vocabulary.protocols import Completion, Exchange, TokenAlternatives


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked of a model.

    Attributes:
        messages: the chat so far.
        temperature: sampling temperature, 0 to 2.
        schema: JSON schema of the reply.
        alternatives: whether token probabilities are asked for.
    """

    messages: Sequence[Message]
    temperature: float
    schema: Mapping[str, JsonValue] | None
    alternatives: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reply's body says.

    Attributes:
        text: what the model said; may be empty.
        finish: why it stopped, in the provider's word.
        tokens: its tokens with alternatives, where the reply holds them.
    """

    text: str
    finish: str | None
    tokens: Sequence[TokenAlternatives] | None = None


class ChatOverHttp(ABC):
    """A chat model behind one HTTP endpoint.

    A provider is a subclass in a file of its own.

    Args:
        config: the model as `content_bias.yaml` describes it.
    """

    wire: ClassVar[str]
    """The wire format's name; part of every call's identity."""
    default_url: ClassVar[str]
    """Where the provider's own endpoint stands."""
    path: ClassVar[str]
    """What follows the base URL."""
    optional: ClassVar[Mapping[str, str | None]]
    """Body fields that an endpoint may reject, each with its substitute."""
    usage_fields: ClassVar[tuple[str, str]]
    """Where `usage` counts input and output tokens."""
    stopped_at_limit: ClassVar[frozenset[str]]
    """Finish reasons of a reply that reached its token limit."""
    withheld: ClassVar[frozenset[str]]
    """Finish reasons of a reply that may be empty because it was withheld."""
    no_reply: ClassVar[frozenset[str]]
    """Finish reasons of a reply that is not meant as text, such as a call of a tool."""
    default_max_tokens: ClassVar[int | None] = None
    """The limit that is sent where the configuration names none; None: none is sent."""
    gives_alternatives: ClassVar[bool] = True
    """Whether the wire format has room for token probabilities."""

    def __init__(self, config: ModelConfig) -> None:
        self.config = config

    @property
    def name(self) -> str:
        """The model's name, as the endpoint knows it."""
        return self.config.model

    @property
    def max_tokens(self) -> int | None:
        """The longest reply in tokens that is asked for; None: the endpoint decides."""
        return self.config.max_tokens or self.default_max_tokens

    @abstractmethod
    def body(self, ask: Ask) -> dict[str, JsonValue]:
        """The request body, without the configuration's `parameters`."""

    @abstractmethod
    def headers(self) -> dict[str, str]:
        """The headers that carry the key."""

    @abstractmethod
    def read(self, body: JsonValue, ask: Ask) -> Reading:
        """Read a reply's body.

        Raises:
            ValidationError: it has another shape.
        """

    def base_url(self) -> str:
        """The URL that `path` is appended to."""
        return (self.config.base_url or self.default_url).rstrip("/")

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
        """Complete a chat; see `protocols.ChatModel`."""
        if alternatives and not self.gives_alternatives:
            raise CallError(
                f"{slot}: wire format {self.wire} has no token probabilities, which `scoring: "
                "expected_level` needs. Set `scoring: level` in content_bias.yaml."
            )
        ask = Ask(
            messages=messages, temperature=temperature, schema=schema, alternatives=alternatives
        )
        request = self._request(slot, ask, timeout)
        reply = await exchange.call(request)
        record = self._record(request, reply)
        return self._completion(request, reply, record, self._read(request, reply, ask))

    def _request(self, slot: str, ask: Ask, timeout: float) -> CallRequest:
        body = self.body(ask) | self.config.parameters
        query = f"?{urlencode(self.config.query)}" if self.config.query else ""
        extra = {name: value.get_secret_value() for name, value in self.config.headers.items()}
        return CallRequest(
            slot=slot,
            method="POST",
            url=self.base_url() + self.path + query,
            identity={"wire": self.wire, "model": self.config.model, "body": body},
            body=body,
            headers=self.headers() | extra,
            timeout=timeout,
            optional=self.optional,
        )

    def _record(self, request: CallRequest, reply: CallReply) -> CallRecord:
        return CallRecord(
            slot=request.slot,
            role=request.role,
            model=self.config.model,
            replayed=reply.replayed,
            usage=_usage(reply.body, *self.usage_fields),
            latency_ms=reply.latency_ms,
            host=reply.host,
            omitted=reply.omitted,
            recorded=reply.recorded,
        )

    def _read(self, request: CallRequest, reply: CallReply, ask: Ask) -> Reading:
        try:
            return self.read(reply.body, ask)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(key) for key in first["loc"]) or "the body"
            raise CallError(
                f"{request.slot}: {reply.host} sent a reply that is not one of wire format "
                f"{self.wire}: {place}: {first['msg']}; found {excerpt(reply.body, request)} "
                f"Check `provider` and `base_url` of the {request.role} in content_bias.yaml."
            ) from None

    def _completion(
        self, request: CallRequest, reply: CallReply, record: CallRecord, reading: Reading
    ) -> Completion:
        if reading.finish in self.stopped_at_limit:
            raise ReplyTruncated(self._too_long(request), reading.text, record)
        withheld = reading.finish in self.withheld and not reading.text
        if withheld or reading.finish in self.no_reply:
            raise CallError(
                f"{request.slot}: {self.config.model} at {reply.host} sent no text "
                f"(finish reason: {reading.finish}); found {excerpt(reply.body, request)}"
            )
        return Completion(text=reading.text, tokens=reading.tokens, record=record)

    def _too_long(self, request: CallRequest) -> str:
        limit = f"{self.max_tokens} tokens" if self.max_tokens else "the endpoint's own limit"
        owner = "system's model" if request.role is Role.SYSTEM else request.role
        return (
            f"{request.slot}: the reply of {self.config.model} stopped at {limit}, before it was "
            f"complete. Raise `max_tokens` of the {owner} in content_bias.yaml."
        )


def _usage(body: JsonValue, input_field: str, output_field: str) -> Usage:
    usage = body.get("usage") if isinstance(body, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    return Usage(
        input_tokens=_count(counts.get(input_field)),
        output_tokens=_count(counts.get(output_field)),
    )


def _count(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
