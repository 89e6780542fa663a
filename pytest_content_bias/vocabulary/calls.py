"""One call to a model or to the system: what is asked, what comes back, what is kept of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from sys import intern
from typing import Annotated

from pydantic import AfterValidator, JsonValue
from pydantic.dataclasses import dataclass as closed_dataclass

from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.record import CLOSED

_Repeated = Annotated[str, AfterValidator(intern)]
"""Kept once: a run holds many records of the same few places, models, hosts and dates."""


@closed_dataclass(config=CLOSED, frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call as the provider counted them; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRequest:
    """A call, ready to be replayed or sent.

    Attributes:
        slot: the place of the call in its case, such as `judge/one_sided`; it starts with the role.
        method: the HTTP method.
        url: the whole URL; not part of the call's identity.
        identity: what the call is found by: JSON that depends on neither host nor secrets. For a
            model: wire format, model and body; for a service: method, path and body.
        body: the JSON body to send.
        headers: headers to send; never stored.
        timeout: the longest that one attempt may take, in seconds.
        optional: body fields that may be left out when the endpoint rejects them, such as
            `temperature`, each with the field to use in its place, or None.
    """

    slot: str
    method: str
    url: str
    identity: Mapping[str, JsonValue]
    body: JsonValue
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout: float = 60.0
    optional: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def role(self) -> Role:
        """The role that answers the call."""
        return Role(self.slot.partition("/")[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReply:
    """The final successful reply to a call.

    Attributes:
        status: the HTTP status.
        body: the parsed JSON body, or text where it is not JSON.
        host: scheme and host that answered, as recorded.
        latency_ms: time of the successful attempt in milliseconds, as recorded.
        omitted: body fields that the endpoint rejected and that were left out.
        headers: what a client needs besides to read it, by lower-case name; of a role's own calls
            none is needed.
        replayed: whether it came from the cassette.
        recorded: the date of the recording, YYYY-MM-DD; empty for a reply that is not stored.
    """

    status: int
    body: JsonValue
    host: str
    latency_ms: int
    omitted: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    replayed: bool = False
    recorded: str = ""


@closed_dataclass(config=CLOSED, frozen=True, slots=True, kw_only=True)
class CallRecord:
    """What the results keep of one call."""

    slot: _Repeated
    """The place of the call in its case."""
    role: Role
    """Who answered."""
    model: _Repeated
    """The model's name, or the service's method and path."""
    replayed: bool
    """Whether it came from the cassette; otherwise it was paid for."""
    usage: Usage = Usage()
    """Tokens, as the provider counted them."""
    latency_ms: int
    """Time of the successful attempt, in milliseconds, as recorded."""
    host: _Repeated = ""
    """Scheme and host that answered."""
    omitted: tuple[str, ...] = ()
    """Body fields that the endpoint rejected and that were left out, such as `temperature`."""
    recorded: _Repeated = ""
    """The date of the recording, YYYY-MM-DD."""
