"""Calls to a scripted endpoint, whose waiting takes no time."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError
from tests.exchanges import VirtualTime
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

KEY = "sk-very-secret-key"
OK = ScriptedReply(json={"ok": True})


def call(url: str, body: JsonValue = None, **changes: object) -> CallRequest:
    """A call to an endpoint."""
    request = CallRequest(
        slot="judge/one_sided",
        method="POST",
        url=url,
        identity={"wire": "openai"},
        body={"model": "m"} if body is None else body,
        headers={"authorization": f"Bearer {KEY}"},
        timeout=5.0,
    )
    return replace(request, **changes)  # type: ignore[arg-type]


def sending(*requests: CallRequest, time: VirtualTime | None = None) -> list[CallReply]:
    """Send calls at once through one sender, whose waiting takes no time."""
    time = time or VirtualTime()

    async def send() -> list[CallReply]:
        sender = HttpSender(sleep=time.sleep, clock=time.clock, random=lambda: 1.0)
        try:
            return list(await asyncio.gather(*[sender.send(request) for request in requests]))
        finally:
            await sender.aclose()

    return asyncio.run(send())


def sending_in_turn(*requests: CallRequest) -> list[CallReply]:
    """Send calls one after the other through one sender."""

    async def send() -> list[CallReply]:
        time = VirtualTime()
        sender = HttpSender(sleep=time.sleep, clock=time.clock)
        replies = [await sender.send(request) for request in requests]
        await sender.aclose()
        return replies

    return asyncio.run(send())


def failing(request: CallRequest) -> str:
    """Send a call that fails; what the error says."""
    with pytest.raises(CallError) as caught:
        sending(request)
    return str(caught.value)


def always(reply: ScriptedReply) -> Callable[[ReceivedRequest], ScriptedReply]:
    """A handler that replies the same to every request."""
    return lambda _: reply
