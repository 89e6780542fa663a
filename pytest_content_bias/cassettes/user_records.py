"""What the results keep of a call that the system's own code made."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import JsonValue

from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest, Usage

_INPUT = ("input_tokens", "prompt_tokens", "inputTokens")
_OUTPUT = ("output_tokens", "completion_tokens", "outputTokens")


def record_of(request: CallRequest, reply: CallReply) -> CallRecord:
    """Make the record of a call.

    Args:
        request: the call.
        reply: its reply.
    """
    usage = _member(reply.body, "usage")
    return CallRecord(
        slot=request.slot,
        role=request.role,
        model=_model(request),
        replayed=reply.replayed,
        usage=Usage(input_tokens=_count(usage, _INPUT), output_tokens=_count(usage, _OUTPUT)),
        latency_ms=reply.latency_ms,
        host=reply.host,
        recorded=reply.recorded,
    )


def _model(request: CallRequest) -> str:
    """The model that the request names, or else method and path."""
    model = _member(request.body, "model")
    if isinstance(model, str) and model:
        return model
    return f"{request.method} {urlsplit(request.url).path or '/'}"


def _count(usage: JsonValue, names: tuple[str, ...]) -> int | None:
    for name in names:
        count = _member(usage, name)
        if type(count) is int and count >= 0:
            return count
    return None


def _member(value: JsonValue, name: str) -> JsonValue:
    return value.get(name) if isinstance(value, Mapping) else None
