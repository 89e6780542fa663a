"""Sends calls over HTTP; imported by runs that may use the network, since httpx is slow to import.

A call is sent again after transient failures, with backoff; without the fields that its endpoint
rejects; and no faster than its host can bear.
"""

import asyncio
import functools
import random as random_module
import time
from collections.abc import AsyncIterable, Awaitable, Callable
from datetime import UTC, datetime

import httpx
from pydantic import JsonValue
from pydantic_core import to_json

from pytest_content_bias.models.addresses import host_of
from pytest_content_bias.models.call_errors import call_error
from pytest_content_bias.models.connections import Connections
from pytest_content_bias.models.failure import Failure
from pytest_content_bias.models.rate_limit import HostLimit
from pytest_content_bias.models.received import (
    LARGEST_BODY,
    Received,
    body_or_failure,
    streams,
)
from pytest_content_bias.models.rejected_fields import (
    RejectedFields,
    body_without,
    left_out,
    newly_rejected,
)
from pytest_content_bias.models.retry import Retries
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest

_REFUSED = "connection refused"
_HEADERS = {
    "accept": "*/*",
    "accept-encoding": "identity",
    "connection": "keep-alive",
    "user-agent": f"python-httpx/{httpx.__version__}",
}
_NEVER_SENT = (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError)


class HttpSender:
    """Sends calls over connections that are kept alive; belongs to one event loop.

    Args:
        sleep: waits so many seconds.
        random: gives a number from 0 to 1.
        clock: a time in seconds that never goes back.
    """

    def __init__(
        self,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        random: Callable[[], float] = random_module.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sleep, self._random, self._clock = sleep, random, clock
        self._connections = Connections()
        self._limits: dict[str, HostLimit] = {}
        self._rejected = RejectedFields()

    async def aclose(self) -> None:
        """Close the connections; a later call opens them anew."""
        await self._connections.aclose()

    async def send(self, request: CallRequest) -> CallReply:
        """Send a call until it succeeds or its attempts are used up.

        Raises:
            CallError: it failed for good; the message holds the endpoint's own words.
        """
        rejected = self._rejected.known(request)
        retries = Retries(self._random)
        limit = self._limit(request)
        ticket = limit.ticket()
        while True:
            async with limit.turn(ticket) as turn:
                outcome = await self._attempt(request, rejected)
            limit.reached |= outcome.status is not None
            if isinstance(outcome, CallReply):
                limit.succeeded()
                self._rejected.learn(request, rejected)
                return outcome
            if field := newly_rejected(request, rejected, outcome):
                rejected = (*rejected, field)
                continue
            delay = retries.delay(outcome, reached=limit.reached)
            if delay is None:
                raise call_error(request, outcome, retries.attempts)
            if outcome.rate_limited:
                limit.rejected(turn, delay)
            else:
                await self._sleep(delay)

    def _limit(self, request: CallRequest) -> HostLimit:
        return self._limits.setdefault(host_of(request.url), HostLimit(self._sleep, self._clock))

    async def _attempt(
        self, request: CallRequest, rejected: tuple[str, ...]
    ) -> CallReply | Failure:
        started = self._clock()
        try:
            async with asyncio.timeout(request.timeout):
                received = await self._exchange(request, rejected)
        except TimeoutError:
            return _too_slow(request.timeout)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, ImportError) as error:
            return _unreachable(error)
        except (RuntimeError, ExceptionGroup) as error:
            return _forbidden(error)
        body = body_or_failure(received, datetime.now(UTC))
        if isinstance(body, Failure):
            return body
        return CallReply(
            status=received.status,
            body=body,
            host=host_of(request.url),
            latency_ms=round((self._clock() - started) * 1000),
            omitted=left_out(request, rejected),
        )

    async def _exchange(self, request: CallRequest, rejected: tuple[str, ...]) -> Received:
        sent = _whole(request, body_without(request, rejected))
        async with self._connections.response(sent) as response:
            return Received(
                status=response.status_code,
                headers=response.headers,
                content=await _content(response),
            )


@functools.lru_cache(maxsize=64)
def _url(text: str) -> httpx.URL:
    """Parsing takes a tenth of what a call takes, and a run calls few places."""
    return httpx.URL(text)


def _whole(request: CallRequest, body: JsonValue) -> httpx.Request:
    headers = {**_HEADERS, **{name.lower(): value for name, value in request.headers.items()}}
    if body is None:
        whole = httpx.Request(request.method, _url(request.url), headers=headers)
    else:
        headers.setdefault("content-type", "application/json")
        whole = httpx.Request(
            request.method, _url(request.url), headers=headers, content=to_json(body)
        )
    if (whole.url.username or whole.url.password) and "authorization" not in headers:
        next(httpx.BasicAuth(whole.url.username, whole.url.password).auth_flow(whole))
    return whole


async def _content(response: httpx.Response) -> bytes | None:
    if streams(response.headers):
        return None
    # None was asked for; decoding takes time even where there is nothing to decode.
    encoded = "content-encoding" in response.headers
    content = bytearray()
    async for chunk in response.aiter_bytes() if encoded else _raw(response):
        content += chunk
        if len(content) > LARGEST_BODY:
            return None
    return bytes(content)


def _raw(response: httpx.Response) -> AsyncIterable[bytes]:
    assert isinstance(response.stream, httpx.AsyncByteStream)
    return response.stream


def _too_slow(timeout: float) -> Failure:
    return Failure(
        words=f"no reply within {timeout:g} s",
        transient=True,
        advice="Raise `timeout_seconds` in the `config` of the case, or use a faster endpoint.",
    )


def _unreachable(error: Exception) -> Failure:
    sent = isinstance(error, httpx.TransportError) and not isinstance(error, _NEVER_SENT)
    cause = _root_cause(error)
    return Failure(
        words=cause or str(error) or type(error).__name__,
        transient=sent,
        refused=cause == _REFUSED,
        advice=None if sent else "Check the URL, `api_key` and `headers` in content_bias.yaml.",
    )


def _forbidden(error: Exception) -> Failure:
    """Plugins that guard sockets raise what no network raises; anyio wraps it in a group."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return Failure(
        words=str(error) or type(error).__name__,
        advice="If another plugin keeps this run from the network, allow it there.",
    )


def _root_cause(error: BaseException) -> str:
    while cause := error.__cause__ or error.__context__:
        error = cause
    return _REFUSED if isinstance(error, ConnectionRefusedError) else str(error)
