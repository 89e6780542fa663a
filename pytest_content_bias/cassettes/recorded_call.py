"""One recorded call: its text in the cassette, and what is read from it when it is asked for.

    - slot: judge/one_sided
      sha256: {request: <key of the request>, call: <of this text without these 64 digits>}
      recorded: {date: 2026-11-30, latency_ms: 812, host: "http://127.0.0.1:8099", usage: {…}}
      omitted: ["temperature"]
      request: …
      response: …

What differs between two recordings of the same answer stands in `sha256` and `recorded`: a changed
word of a prompt changes these two lines and its own.
"""

import hashlib
import json
import re
from dataclasses import dataclass, replace
from typing import Any, Self

import yaml
from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical
from pytest_content_bias.vocabulary.calls import CallReply

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
START = b"- slot: "

_HEAD = re.compile(
    rb"- slot: (?P<slot>[A-Za-z0-9_./-]+)\n"
    rb"  sha256: \{request: (?P<key>[0-9a-f]{64}), call: (?P<sum>[0-9a-f]{64})\}\n"
    rb"  recorded: \{date: (?P<date>\d{4}-\d\d-\d\d), latency_ms: (?P<latency>\d+), "
    rb'host: (?P<host>"[^\n]*")(?:, usage: \{(?P<usage>[^"\n]*)\})?\}\n'
    rb"(?:  omitted: (?P<omitted>\[[^\n]*\])\n)?"
    rb"  request:\n"
)
_RESPONSE = b"\n  response:\n"


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call as it stands in a cassette.

    Attributes:
        slot: the place of the call in its case.
        key: what its request is found by.
        chunk: its text, from `- slot:` to the last line feed.
    """

    slot: str
    key: str
    chunk: bytes

    @classmethod
    def read(cls, chunk: bytes) -> Self | None:
        """Read the head of a call; None when it is not as this package writes it."""
        head = _HEAD.match(chunk)
        if head is None or chunk.rfind(_RESPONSE) < 0:
            return None
        return cls(head["slot"].decode(), head["key"].decode(), chunk)

    @property
    def intact(self) -> bool:
        """Whether the text is as it was written."""
        head = self._head
        return self.checksum == _checksum(self.chunk, head)

    def sealed(self) -> Self:
        """The call with the hash of its text as it is now."""
        head = self._head
        checksum = _checksum(self.chunk, head).encode()
        chunk = self.chunk[: head.start("sum")] + checksum + self.chunk[head.end("sum") :]
        return replace(self, chunk=chunk)

    @property
    def checksum(self) -> str:
        """The hash of its text, as the text says itself."""
        return self._head["sum"].decode()

    @property
    def date(self) -> str:
        """The day of the recording, YYYY-MM-DD."""
        return self._head["date"].decode()

    @property
    def said(self) -> bytes:
        """Its text without the request."""
        return self.chunk[: self._head.end()] + self.chunk[self._response_at :]

    def request(self) -> dict[str, JsonValue]:
        """What was asked, as `described` gave it."""
        start = self._head.end() - len(b"  request:\n")
        return self._part("request", self.chunk[start : self._response_at])

    def reply(self) -> CallReply:
        """What was answered, as it is replayed."""
        head, response = self._head, self._response()
        if head["usage"] is not None:
            response["body"]["usage"] = _read_usage(head["usage"].decode())
        return CallReply(
            status=response["status"],
            body=response["body"],
            host=json.loads(head["host"]),
            latency_ms=int(head["latency"]),
            omitted=tuple(json.loads(head["omitted"] or b"[]")),
            headers=response.get("headers", {}),
            replayed=True,
            recorded=self.date,
        )

    def same_answer(self, other: Self) -> bool:
        """Whether two recordings of one request got the same reply, tokens and time aside."""
        return (
            self.key == other.key
            and self._head["omitted"] == other._head["omitted"]
            and canonical(self._response()) == canonical(other._response())
        )

    @property
    def _head(self) -> re.Match[bytes]:
        head = _HEAD.match(self.chunk)
        assert head is not None
        return head

    @property
    def _response_at(self) -> int:
        return self.chunk.rindex(_RESPONSE) + 1

    def _response(self) -> dict[str, Any]:
        return self._part("response", self.chunk[self._response_at :])

    @staticmethod
    def _part(name: str, text: bytes) -> dict[str, Any]:
        part: dict[str, Any] = yaml.load(text, Loader=LOADER)[name]
        return part


def _read_usage(text: str) -> dict[str, int]:
    pairs = (pair.split(": ") for pair in text.split(", "))
    return {name: int(count) for name, count in pairs}


def _checksum(chunk: bytes, head: re.Match[bytes]) -> str:
    digest = hashlib.sha256(chunk[: head.start("sum")])
    digest.update(memoryview(chunk)[head.end("sum") :])
    return digest.hexdigest()
