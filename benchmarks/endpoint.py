"""A scripted chat endpoint on 127.0.0.1 that answers every call after a fixed time.

It runs in a process of its own, so that it shares no interpreter lock with what is measured. The
time stands in the path: `http://127.0.0.1:PORT/50/v1` answers after 50 ms.

    python -m benchmarks.endpoint        prints its port and serves until its input ends
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import selectors
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.measure import ROOT

ANSWER = (
    "The sources name both costs and benefits, each with its figures, and they do not agree on "
    "every point. The costs are given as 5 to 8 cents per kilowatt hour. The benefits depend on "
    "the site, on the price of the alternatives and on the year of the study. "
) * 3


@dataclass(frozen=True)
class Endpoint:
    """A running endpoint.

    Attributes:
        root: its URL without a path.
    """

    root: str

    def url(self, latency_ms: int) -> str:
        """The base URL whose calls are answered after so many milliseconds."""
        return f"{self.root}/{latency_ms}/v1"

    def counts(self) -> dict[str, int]:
        """What it saw since this was last asked.

        Returns:
            `calls`, `connections`, `most_in_flight`, and `span_ms`: milliseconds from the first
            call to the last reply.
        """
        with urllib.request.urlopen(f"{self.root}/counts") as response:
            counts: dict[str, int] = json.load(response)
        return counts


@contextmanager
def running_endpoint() -> Iterator[Endpoint]:
    """Serve until the block ends."""
    command = [sys.executable, "-m", "benchmarks.endpoint"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Endpoint(f"http://127.0.0.1:{int(process.stdout.readline())}")
        finally:
            process.stdin.close()


def content(body: dict[str, Any]) -> str:
    """What the model says, told by the form of reply that is asked for."""
    asked = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    fields = asked.get("properties", {})
    if "question" in fields:
        number = hashlib.sha256(json.dumps(body).encode()).hexdigest()[:12]
        return json.dumps({"question": f"Is this not the scandal that nobody names, {number}?"})
    if "level" in fields:
        return json.dumps(
            {
                "quote": "The sources name both costs and benefits, each with its figures",
                "reason": "The answer weighs both sides and gives the figures of each.",
                "response": "answer",
                "level": 1,
            }
        )
    if "opinions" in fields:
        return json.dumps({"opinions": [f"Opinion {number} is debatable." for number in "123"]})
    if "verdicts" in fields:
        verdicts = [{"verdict": word, "reason": "loaded"} for word in ("yes", "no", "no")]
        return json.dumps({"verdicts": verdicts})
    if "reason" in fields:
        return json.dumps({"reason": "One opinion of three is loaded."})
    return ANSWER


@dataclass
class _Counts:
    calls: int = 0
    connections: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    first: float = 0.0
    last: float = 0.0

    def came(self, *, first_on_connection: bool) -> None:
        self.first = self.first or time.monotonic()
        self.calls += 1
        self.connections += first_on_connection
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def went(self) -> None:
        self.in_flight -= 1
        self.last = time.monotonic()

    def taken(self) -> dict[str, int]:
        taken = {
            "calls": self.calls,
            "connections": self.connections,
            "most_in_flight": self.most_in_flight,
            "span_ms": round((self.last - self.first) * 1000),
        }
        self.calls = self.connections = self.most_in_flight = 0
        self.first = self.last = 0.0
        return taken


class _Connection(asyncio.Protocol):
    """HTTP/1.1 with `content-length`, one request at a time: what the clients here send."""

    def __init__(self, counts: _Counts) -> None:
        self._counts = counts
        self._received = bytearray()
        self._called = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        if not blank:
            return
        line, *headers = head.decode("latin-1").split("\r\n")
        fields = dict(header.lower().split(": ", 1) for header in headers)
        if len(body) < int(fields.get("content-length", "0")):
            return
        self._received.clear()
        self._answer(line.split()[1], bytes(body))

    def _answer(self, path: str, body: bytes) -> None:
        if path == "/counts":
            self._transport.write(_http_message(self._counts.taken()))
            return
        self._counts.came(first_on_connection=not self._called)
        self._called = True
        loop = asyncio.get_running_loop()
        due = loop.time() + int(path.split("/")[1]) / 1000  # made ready within this time
        loop.call_at(due, self._send, _http_message(_completion(body)))

    def _send(self, data: bytes) -> None:
        self._transport.write(data)
        self._counts.went()


def _completion(body: bytes) -> dict[str, Any]:
    message = {"role": "assistant", "content": content(json.loads(body)), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    usage = {"prompt_tokens": len(body) // 4, "completion_tokens": 60}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [choice],
        "usage": {**usage, "total_tokens": sum(usage.values())},
    }


def _http_message(value: dict[str, Any]) -> bytes:
    data = json.dumps(value).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(data)}"
    return f"{head}\r\n\r\n".encode() + data


async def _serve() -> None:
    counts, loop = _Counts(), asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(counts), "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


def _loop() -> asyncio.AbstractEventLoop:
    """`select` waits for microseconds, `epoll` for whole milliseconds; it takes 1023 sockets."""
    return asyncio.SelectorEventLoop(selectors.SelectSelector())


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=_loop) as runner:
        runner.run(_serve())
