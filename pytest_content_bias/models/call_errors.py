"""The errors that calls end in: what, observed, the endpoint's words, what to do."""

import json
import re

from pydantic import JsonValue

from pytest_content_bias.models.addresses import password_of, shown
from pytest_content_bias.models.failure import Failure
from pytest_content_bias.models.retry import LONGEST_WAIT
from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.errors import CallError

_LONGEST_TEXT = 500
_SHORTEST_SECRET = 8
_LATER = "Run again later with --content-bias-record=missing; what was recorded is kept."


def call_error(request: CallRequest, failure: Failure, attempts: int) -> CallError:
    """The error of a call that failed for good.

    Args:
        request: the call.
        failure: its last failure.
        attempts: how often it was sent.
    """
    count = f" after {attempts} attempts" if attempts > 1 else ""
    status = f"status {failure.status}: " if failure.status else ""
    wait = failure.retry_after or 0.0
    asked = f" It asks to wait {wait:g} s, more than {LONGEST_WAIT:g} s." * (wait > LONGEST_WAIT)
    return CallError(
        f"{request.slot}: {request.method} {shown(request.url)} failed{count}: "
        f"{status}{excerpt(failure.words, request).rstrip('.')}.{asked} {_advice(request, failure)}"
    )


def excerpt(body: JsonValue, request: CallRequest) -> str:
    """A reply on one line of at most 500 printable characters, without the request's secrets."""
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    text = re.sub(r"\s+", " ", _without_secrets(text, request)).strip() or "(no text)"
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _without_secrets(text: str, request: CallRequest) -> str:
    words = {word for value in request.headers.values() for word in value.split()}
    words.add(password_of(request.url))
    for secret in sorted(words, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "***")
    return text


def _advice(request: CallRequest, failure: Failure) -> str:
    if failure.advice is not None:
        return failure.advice
    where = f"of the {request.role} in content_bias.yaml"
    is_model = "wire" in request.identity
    match failure.status:
        case None:
            return f"Is it running, and is {'`base_url`' if is_model else '`url`'} {where} right?"
        case 401 | 403:
            return f"Check `api_key` and `headers` {where}."
        case 404 | 405:
            return f"Check {'`model` and `base_url`' if is_model else '`url`'} {where}."
        case _ if failure.transient:
            return _LATER
        case _:
            return f"Check the settings {where}."
