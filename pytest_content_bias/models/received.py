"""What came back from one attempt: a body that can be used, or a failure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from pytest_content_bias.models.failure import Failure, refusal
from pytest_content_bias.models.retry import parse_retry_after

LARGEST_BODY = 16 * 1024 * 1024
"""The largest reply that is read, in bytes."""
_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]|\x00")
"""In bytes: escaped, raw, or in UTF-16 or 32, where NULs stand between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A reply as it arrived.

    Attributes:
        status: the HTTP status.
        headers: the headers, names in lower case.
        content: the body; None: it was longer than `LARGEST_BODY`, or is an endless stream.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes | None


def streams(headers: Mapping[str, str]) -> bool:
    """Whether a reply comes in pieces, so that its body is not one JSON value."""
    return headers.get("content-type", "").lower().startswith("text/event-stream")


def body_or_failure(received: Received, now: datetime) -> JsonValue | Failure:
    """The body of a successful reply, parsed where it is JSON; otherwise why it is none.

    Args:
        received: the reply.
        now: the time, with its zone, which a `Retry-After` date is held against.
    """
    if received.content is None:
        return _unreadable(received)
    body = parse(received.content)
    if 300 <= received.status < 400:
        return _redirection(received)
    if not 200 <= received.status < 300:
        wait = parse_retry_after(received.headers.get("retry-after"), now)
        return refusal(received.status, body, wait)
    return _hidden_failure(body) or body


def parse(content: bytes) -> JsonValue:
    """A body as JSON, or as text where it is not JSON.

    Half of a surrogate pair, as models emit it when they stop inside of a character, cannot be
    written to a file; it becomes U+FFFD.
    """
    try:
        body: JsonValue = json.loads(content, parse_constant=_not_json)
    except (ValueError, RecursionError):
        return content.decode(errors="replace")
    if not _HALF_PAIR.search(content):
        return body
    text = json.dumps(body, ensure_ascii=False)
    whole: JsonValue = json.loads(
        text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
    return whole


def _hidden_failure(body: JsonValue) -> Failure | None:
    """Gateways report the failure of the endpoint behind them with status 200."""
    match body:
        case {"choices": _}:
            return None
        case {"error": {"message": str(), "code": int(code)}}:
            return refusal(code, body)
        case {"error": {"message": str()}}:
            return refusal(200, body)
        case _:
            return None


def _not_json(constant: str) -> None:
    raise ValueError(constant)


def _unreadable(received: Received) -> Failure:
    if streams(received.headers):
        return Failure(
            words="it sent a stream of events (text/event-stream) where one JSON body was expected",
            status=received.status,
            advice="Remove `stream` from `parameters` in content_bias.yaml.",
        )
    return Failure(
        words=f"the reply is longer than {LARGEST_BODY // 1024**2} MB",
        status=received.status,
        advice="Let the endpoint send less.",
    )


def _redirection(received: Received) -> Failure:
    target = received.headers.get("location", "nowhere")
    return Failure(
        words=f"redirected to {target}, and redirections are not followed",
        status=received.status,
        advice="Put the final URL into content_bias.yaml.",
    )
