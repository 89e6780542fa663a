"""What a call is found by, free of secrets."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical, key_of
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cassettes.user_credentials import json_without_credentials
from pytest_content_bias.vocabulary.calls import CallRequest

_PLACE = ("method", "path", "body")


@dataclass(frozen=True, slots=True)
class Identity:
    """What a call is found by.

    Attributes:
        slot: the place of the call in its case.
        key: SHA-256 of the canonical text of `fields`.
        fields: the request's identity with placeholders for secrets.
    """

    slot: str
    key: str
    fields: Mapping[str, JsonValue]


def identify(request: CallRequest, screen: SecretScreen) -> Identity:
    """Find out what a call is found by.

    Args:
        request: the call.
        screen: replaces secrets, so that the key is the same on machines that lack them.

    Raises:
        CassetteError: the request is not JSON text.
    """
    fields: JsonValue = _of_service(request.identity)
    fields = screen.redact_json(fields)
    assert isinstance(fields, dict)
    return Identity(request.slot, key_of(canonical(fields)), fields)


def _of_service(identity: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """What a service is sent may hold its key, which a machine that replays need not have."""
    if "wire" in identity or "body" not in identity:
        return dict(identity)
    return {**identity, "body": json_without_credentials(identity["body"])}


def described(
    request: CallRequest, identity: Identity, screen: SecretScreen
) -> dict[str, JsonValue]:
    """What the cassette keeps of a request: method, path, what else identifies it, body.

    The host and the query are left out, and so is what the body says itself.

    Args:
        request: the call.
        identity: what it is found by.
        screen: replaces secrets.
    """
    fields = identity.fields
    body = fields["body"] if "body" in fields else screen.redact_json(request.body)
    said = body if isinstance(body, dict) else {}
    others = {
        name: value
        for name, value in fields.items()
        if name not in _PLACE and not (name in said and canonical(said[name]) == canonical(value))
    }
    path = fields.get("path", screen.redact(urlsplit(request.url).path))
    return {"method": fields.get("method", request.method), "path": path, **others, "body": body}
