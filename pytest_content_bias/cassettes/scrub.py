"""What is kept of a reply. A live reply goes through here too: both runs see the same."""

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from pytest_content_bias.cassettes.token_scrub import kept_tokens
from pytest_content_bias.cassettes.user_credentials import json_without_credentials
from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.errors import CassetteError

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


def kept_of_reply(request: CallRequest, body: JsonValue) -> JsonValue:
    """Keep what is evidence.

    A chat reply loses ids, dates and timings, all but the token counts of `usage`, and the
    alternatives of tokens that no level can stand in. The reply of a service loses what is named
    like a credential. In both, half a surrogate pair, which no file can hold, becomes U+FFFD.

    Args:
        request: the call; one whose identity names a wire format is a chat.
        body: the body of its reply.

    Raises:
        CassetteError: the body is nested too deeply.
    """
    try:
        if "wire" not in request.identity:
            return _whole_characters(json_without_credentials(body))
        return _whole_characters(_kept_of_chat(body) if isinstance(body, dict) else body)
    except RecursionError:
        raise CassetteError(
            f"{request.slot}: the reply is nested too deeply to be recorded"
        ) from None


def _kept_of_chat(body: Mapping[str, JsonValue]) -> JsonValue:
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


def _choice(choice: JsonValue) -> JsonValue:
    logprobs = choice.get("logprobs") if isinstance(choice, dict) else None
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(choice, dict) or not isinstance(tokens, list):
        return choice
    return {**choice, "logprobs": {"content": kept_tokens(tokens)}}


def _whole_characters(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _HALF_PAIR.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole_characters(item) for item in value]
    if isinstance(value, dict):
        return {_HALF_PAIR.sub("\ufffd", key): _whole_characters(v) for key, v in value.items()}
    return value
