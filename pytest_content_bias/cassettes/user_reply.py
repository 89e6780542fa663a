"""A reply to the system's own code: as vcrpy saw it, as it is recorded, and as it is replayed."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from pydantic import JsonValue

from pytest_content_bias.cassettes.user_bodies import (
    NotDecoded,
    as_base64,
    as_bytes,
    as_json_value,
    decoded,
    first_values,
    from_base64,
)
from pytest_content_bias.cassettes.user_credentials import (
    json_without_credentials,
    url_without_credentials,
)
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest

_CHARSET = re.compile(r";\s*charset=[^;]*", re.IGNORECASE)
_KEPT = ("location", "x-amzn-errortype")
_ENCODING = "content-transfer-encoding"
_UTF8 = "; charset=utf-8"
_PASSING: Mapping[str, JsonValue] = {"id": "replayed", "created": 0, "system_fingerprint": None}
"""Fields of a chat reply that differ at each call and that no later request repeats."""


def is_kept(status: int) -> bool:
    """Whether a reply is recorded: not one that asks to try again, or tells of a fault.

    Args:
        status: the HTTP status.
    """
    return status < HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.TOO_MANY_REQUESTS


def user_reply(request: CallRequest, response: Mapping[str, Any], latency_ms: int) -> CallReply:
    """Read a reply as it is recorded.

    Of its headers, only those are kept that a client needs to read it.

    Args:
        request: what was asked.
        response: vcrpy's response.
        latency_ms: how long it took, in milliseconds.
    """
    headers = first_values(response["headers"])
    content = response["body"].get("string") or b""
    body, described = _body(content, headers)
    kept = {name: headers[name] for name in _KEPT if name in headers}
    if "location" in kept:
        kept["location"] = url_without_credentials(kept["location"])
    return CallReply(
        status=int(response["status"]["code"]),
        body=body,
        host=str(request.identity["host"]),
        latency_ms=latency_ms,
        headers=described | kept,
    )


def vcr_response(reply: CallReply) -> dict[str, Any]:
    """Write a recorded reply as vcrpy replays it.

    Args:
        reply: what was recorded.
    """
    headers = dict(reply.headers)
    content = as_bytes(reply.body)
    if headers.pop(_ENCODING, None):
        content = from_base64(str(reply.body))
    elif content:
        headers.setdefault("content-type", _default_type(reply.body))
    if content:
        headers["content-length"] = str(len(content))
    return {
        "status": {"code": reply.status, "message": _phrase(reply.status)},
        "headers": {name: [value] for name, value in headers.items()},
        "body": {"string": content},
    }


def _body(content: bytes, headers: Mapping[str, str]) -> tuple[JsonValue, dict[str, str]]:
    """The body, and the headers that say how to read it where that does not go without saying."""
    content_type = headers.get("content-type", "")
    encoding = headers.get("content-encoding", "")
    try:
        content = decoded(content, encoding)
    except NotDecoded:
        described = {"content-type": content_type, "content-encoding": encoding}
        return as_base64(content), {**described, _ENCODING: "base64"}
    body = as_json_value(content, content_type)
    if body is None and content:
        return as_base64(content), {"content-type": content_type, _ENCODING: "base64"}
    body = _without_passing(json_without_credentials(body))
    # What is replayed is UTF-8, whatever it was.
    said = _CHARSET.sub(_UTF8, content_type)
    usual = body is None or said in {"", _default_type(body), f"{_default_type(body)}{_UTF8}"}
    return body, {} if usual else {"content-type": said}


def _default_type(body: JsonValue) -> str:
    return f"text/plain{_UTF8}" if isinstance(body, str) else "application/json"


def _without_passing(body: JsonValue) -> JsonValue:
    if isinstance(body, dict) and (
        body.get("object") == "chat.completion" or body.get("type") == "message"
    ):
        return {name: _PASSING.get(name, value) for name, value in body.items()}
    return body


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
