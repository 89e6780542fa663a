"""What is kept of a reply. A live reply goes through here too: both runs see the same."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from pytest_content_bias.vocabulary.calls import CallRequest

_PASSING = frozenset((
    "id",
    "created",
    "object",
    "system_fingerprint",
    "service_tier",
    "timings",
    "provider",
    "request_id",
    "_request_id",
    "organization",
    "organization_id",
    "x_groq",
))  # fmt: skip
"""Fields of a chat reply that differ at each call, or tell who pays."""
_COUNTS = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
_CACHE_COUNTS = ("cache_creation_input_tokens", "cache_read_input_tokens")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_DIGITS = 6
"""Decimals that log probabilities are rounded to."""


def kept_of_reply(request: CallRequest, body: JsonValue) -> JsonValue:
    """Keep what is evidence.

    A chat reply loses ids, dates and timings, all but the token counts of `usage`, and the
    alternatives of tokens that no level can stand in. The reply of a service is kept whole. In
    both, half a surrogate pair, which no file can hold, becomes U+FFFD.

    Args:
        request: the call; one whose identity names a wire format is a chat.
        body: the body of its reply.
    """
    body = _whole_characters(body)
    if "wire" not in request.identity or not isinstance(body, dict):
        return body
    kept = {name: value for name, value in body.items() if name not in _PASSING}
    if isinstance(usage := kept.get("usage"), dict):
        kept["usage"] = {name: usage[name] for name in _counts(usage)}
    if isinstance(choices := kept.get("choices"), list):
        kept["choices"] = [_choice(choice) for choice in choices]
    return kept


def _counts(usage: Mapping[str, JsonValue]) -> Iterator[str]:
    """The counts that do not follow from others; those of a cache where one was in use."""
    for name in (*_COUNTS, *_CACHE_COUNTS):
        if type(count := usage.get(name)) is int and (count or name in _COUNTS):
            yield name


def _whole_characters(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _HALF_PAIR.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole_characters(item) for item in value]
    if isinstance(value, dict):
        return {_HALF_PAIR.sub("\ufffd", key): _whole_characters(v) for key, v in value.items()}
    return value


def _choice(choice: JsonValue) -> JsonValue:
    logprobs = choice.get("logprobs") if isinstance(choice, dict) else None
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(choice, dict) or not isinstance(tokens, list) or not _readable(tokens):
        return choice
    return {**choice, "logprobs": {"content": list(_joined(tokens))}}


def _readable(tokens: list[JsonValue]) -> bool:
    return all(
        isinstance(token, dict)
        and isinstance(token.get("token"), str)
        and isinstance(token.get("logprob"), int | float)
        for token in tokens
    )


def _joined(tokens: list[Any]) -> Iterator[JsonValue]:
    """Tokens with a digit, and the one that follows, keep alternatives; others are joined.

    The log probability of joined tokens is the sum of theirs.
    """
    run: list[Any] = []
    after_digit = False
    for token in tokens:
        digit = any(character.isdigit() for character in token["token"])
        if digit or after_digit:
            yield from _one(run)
            run = []
            yield {**_token(token), "top_logprobs": _alternatives(token)}
        else:
            run.append(token)
        after_digit = digit
    yield from _one(run)


def _one(run: list[Any]) -> Iterator[JsonValue]:
    if run:
        text = "".join(token["token"] for token in run)
        yield _token({"token": text, "logprob": math.fsum(token["logprob"] for token in run)})


def _token(token: Mapping[str, Any]) -> dict[str, JsonValue]:
    return {"token": token["token"], "logprob": round(float(token["logprob"]), _DIGITS)}


def _alternatives(token: Mapping[str, Any]) -> JsonValue:
    alternatives = token.get("top_logprobs")
    if not isinstance(alternatives, list) or not _readable(alternatives):
        return alternatives
    return [_token(other) for other in alternatives]
