"""Writing one call: its request before it is paid, its reply when it has arrived."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.yaml_text import yaml_text
from pytest_content_bias.vocabulary.calls import CallReply
from pytest_content_bias.vocabulary.errors import CassetteError

_SLOT = re.compile(r"[A-Za-z0-9_]+(?:/[A-Za-z0-9_.-]+)*")
_COUNT_NAME = re.compile(r"[a-z]+(?:_[a-z]+)*")
_UNSEALED = "0" * 64


@dataclass(frozen=True, slots=True)
class WrittenRequest:
    """A request as it will stand in a cassette; made by `write_request`.

    Attributes:
        slot: the place of the call in its case.
        key: what the request is found by.
        text: its lines.
    """

    slot: str
    key: str
    text: bytes

    def answered(self, reply: CallReply) -> RecordedCall:
        """Add the reply.

        Args:
            reply: what was answered, and when; token counts under `usage` move to the head.

        Raises:
            CassetteError: it is nested too deeply, or not JSON text.
        """
        body, usage = _without_usage(reply.body)
        headers: dict[str, JsonValue] = {"headers": dict(reply.headers)} if reply.headers else {}
        host = json.dumps(reply.host, ensure_ascii=False)
        head = [
            f"- slot: {self.slot}",
            f"  sha256: {{request: {self.key}, call: {_UNSEALED}}}",
            f"  recorded: {{date: {reply.recorded}, latency_ms: {reply.latency_ms}, "
            f"host: {host}{usage}}}",
            *([f"  omitted: {json.dumps(reply.omitted)}"] if reply.omitted else []),
        ]
        response: JsonValue = {"status": reply.status, **headers, "body": body}
        chunk = _text(head) + self.text + _written(self.slot, {"response": response})
        canonical(reply.body)
        return RecordedCall(self.slot, self.key, chunk).sealed()


def write_request(slot: str, key: str, request: Mapping[str, JsonValue]) -> WrittenRequest:
    """Write what is asked.

    Args:
        slot: the place of the call in its case.
        key: what its request is found by.
        request: what is asked, as `described` gives it.

    Raises:
        CassetteError: it is nested too deeply.
    """
    if not _SLOT.fullmatch(slot):
        raise CassetteError(f"{slot!r} cannot name the place of a call in a cassette")
    return WrittenRequest(slot, key, _written(slot, {"request": dict(request)}))


def _written(slot: str, value: JsonValue) -> bytes:
    try:
        return yaml_text(value, "  ").encode()
    except RecursionError:
        raise CassetteError(f"{slot}: the call is nested too deeply to be recorded") from None


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _without_usage(body: JsonValue) -> tuple[JsonValue, str]:
    """Take plain token counts out of a reply, as text for its head."""
    usage = body.get("usage") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(usage, dict) or not usage:
        return body, ""
    if not all(type(count) is int and _COUNT_NAME.fullmatch(name) for name, count in usage.items()):
        return body, ""
    text = ", ".join(f"{name}: {count}" for name, count in usage.items())
    return {name: value for name, value in body.items() if name != "usage"}, f", usage: {{{text}}}"
