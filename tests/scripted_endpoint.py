"""A loopback HTTP server whose replies a test writes itself.

with ScriptedEndpoint(in_turn(ScriptedReply(json=chat_reply("Hello")))) as endpoint:
    ...  # call endpoint.url
assert endpoint.requests[0].last_message == "Hi"
"""

import json as json_module
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from types import TracebackType
from typing import Any, Self

from pydantic import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """A request as it arrived.

    Attributes:
        method: the HTTP method.
        path: path and query.
        headers: the headers; names are found in any letter case.
        raw: the body as it arrived.
        connection: the number of the connection that it came through, from 1.
    """

    method: str
    path: str
    headers: Message
    raw: bytes
    connection: int

    @property
    def body(self) -> Any:
        """The body parsed as JSON; None when empty."""
        return json_module.loads(self.raw) if self.raw else None

    @property
    def last_message(self) -> str:
        """The content of the last chat message."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedReply:
    """A reply to send.

    Attributes:
        json: the body as JSON; ignored when `text` is given.
        text: the body as text, sent as `text/plain` unless `headers` say otherwise.
        raw: the body as bytes, sent as `application/octet-stream` unless `headers` say otherwise.
        status: the HTTP status.
        headers: headers to send, over those that follow from the body.
        delay: seconds to wait before replying; cut short when the endpoint closes.
        disconnect: close the connection instead of replying.
    """

    json: JsonValue = None
    text: str | None = None
    raw: bytes | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    disconnect: bool = False

    def content(self) -> tuple[bytes, str]:
        """The body to send and its content type."""
        if self.raw is not None:
            return self.raw, "application/octet-stream"
        if self.text is not None:
            return self.text.encode(), "text/plain; charset=utf-8"
        return json_module.dumps(self.json).encode(), "application/json"


Handler = Callable[[ReceivedRequest], ScriptedReply]


def in_turn(*replies: ScriptedReply) -> Handler:
    """A handler that sends the given replies in their order; one request too many is an error."""
    rest: Iterator[ScriptedReply] = iter(replies)
    lock = threading.Lock()

    def handler(request: ReceivedRequest) -> ScriptedReply:
        with lock:
            reply = next(rest, None)
        if reply is None:
            raise AssertionError(f"only {len(replies)} requests were expected")
        return reply

    return handler


def chat_reply(
    text: str | None,
    *,
    model: str = "scripted",
    finish_reason: str = "stop",
    usage: tuple[int, int] | None = (11, 7),
    logprobs: Sequence[tuple[str, Mapping[str, float]]] | None = None,
) -> dict[str, JsonValue]:
    """The body of an OpenAI chat completion.

    Args:
        text: what the model says.
        model: the model's name.
        finish_reason: why it stopped.
        usage: input and output tokens; None leaves them out.
        logprobs: each token with its alternatives and their log probabilities.
    """
    choice: dict[str, JsonValue] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": finish_reason,
    }
    if logprobs is not None:
        choice["logprobs"] = {"content": [_token(*entry) for entry in logprobs]}
    body: dict[str, JsonValue] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
    }
    if usage is not None:
        body["usage"] = {
            "prompt_tokens": usage[0],
            "completion_tokens": usage[1],
            "total_tokens": sum(usage),
        }
    return body


def _token(token: str, alternatives: Mapping[str, float]) -> dict[str, JsonValue]:
    return {
        "token": token,
        "logprob": alternatives.get(token, -1.0),
        "top_logprobs": [{"token": t, "logprob": p} for t, p in alternatives.items()],
    }


class ScriptedEndpoint:
    """Serves on a free port of 127.0.0.1 until the `with` block ends, one thread per connection.

    An exception in the handler is sent as status 418 and raised again at the end of the block.

    Args:
        handler: makes the reply to each request; may be called from several threads at once.

    Attributes:
        requests: the requests in the order of their arrival.
        connections: how many connections were opened.
        max_in_flight: the most requests that were being answered at once.
    """

    def __init__(self, handler: Handler) -> None:
        self.requests: list[ReceivedRequest] = []
        self.connections = 0
        self.max_in_flight = 0
        self._handler = handler
        self._in_flight = 0
        self._failures: list[Exception] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        """Scheme, address and port, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()
        if self._failures and error is None:
            raise self._failures[0]

    def connected(self) -> int:
        """Count a new connection and return its number."""
        with self._lock:
            self.connections += 1
            return self.connections

    def reply(self, request: ReceivedRequest) -> ScriptedReply:
        """Note a request and make its reply."""
        with self._lock:
            self.requests.append(request)
            self._in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self._in_flight)
        try:
            reply = self._handler(request)
            self._closing.wait(reply.delay)
            return reply
        except Exception as failure:
            self._failures.append(failure)
            return ScriptedReply(status=418, text=f"the test's handler failed: {failure!r}")
        finally:
            with self._lock:
                self._in_flight -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, endpoint: ScriptedEndpoint) -> None:
        self.endpoint = endpoint
        self._open: set[socket] = set()
        super().__init__(("127.0.0.1", 0), _Connection)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End the connections that clients keep alive, so that their threads end."""
        for connection in tuple(self._open):
            try:
                connection.shutdown(SHUT_RDWR)
            except OSError:
                continue


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def setup(self) -> None:
        self.number = self.server.endpoint.connected()
        super().setup()

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        raw = self.rfile.read(length)
        if len(raw) < length:  # the client ended, or was killed, while it sent
            self.close_connection = True
            return
        request = ReceivedRequest(
            method=self.command,
            path=self.path,
            headers=self.headers,
            raw=raw,
            connection=self.number,
        )
        self._send(self.server.endpoint.reply(request))

    do_GET = do_PUT = do_PATCH = do_POST

    def _send(self, reply: ScriptedReply) -> None:
        if reply.disconnect:
            self.close_connection = True
            return
        content, content_type = reply.content()
        headers = {
            "content-type": content_type,
            "content-length": str(len(content)),
        } | {name.lower(): value for name, value in reply.headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        # One write: head and body apart would wait for each other (Nagle, delayed acknowledgement).
        self.wfile.write(f"HTTP/1.1 {reply.status} Scripted\r\n{head}\r\n".encode() + content)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""
