"""Fields that an endpoint rejects are left out, and only these."""

import asyncio
from collections.abc import Callable

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.vocabulary.calls import CallReply
from pytest_content_bias.vocabulary.errors import CallError
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply
from tests.unit.models.sender_helpers import OK, call, failing, sending, sending_in_turn


def rejecting(
    *fields: str, text: str = "Unsupported parameter: '{}'"
) -> Callable[[ReceivedRequest], ScriptedReply]:
    def handler(request: ReceivedRequest) -> ScriptedReply:
        for field in fields:
            if field in request.body:
                words = text.format(field)
                return ScriptedReply(status=400, json={"error": {"message": words}})
        return OK

    return handler


BODY: JsonValue = {"model": "m", "temperature": 0.7, "logprobs": True, "max_tokens": 9}
OPTIONAL = {"temperature": None, "logprobs": None, "max_tokens": "max_completion_tokens"}


def test_a_rejected_field_is_left_out_and_reported_and_the_next_call_knows() -> None:
    with ScriptedEndpoint(rejecting("temperature", "logprobs")) as endpoint:
        request = call(endpoint.url, BODY, optional=OPTIONAL)
        first, second = sending_in_turn(request, request)
    assert first.omitted == second.omitted == ("logprobs", "temperature")
    assert len(endpoint.requests) == 4
    assert endpoint.requests[-1].body == {"model": "m", "max_tokens": 9}


def test_what_one_model_rejects_is_still_sent_to_another() -> None:
    with ScriptedEndpoint(rejecting("temperature")) as endpoint:
        other: JsonValue = {"model": "other", "temperature": 0.7}
        sending_in_turn(
            call(endpoint.url, BODY, optional=OPTIONAL),
            call(endpoint.url, other, optional=OPTIONAL),
        )
    assert [r.body["model"] for r in endpoint.requests] == ["m", "m", "other", "other"]


def test_a_field_with_a_substitute_is_sent_under_its_other_name() -> None:
    words = "'{}' is not supported with this model. Use 'max_completion_tokens' instead."
    with ScriptedEndpoint(rejecting("max_tokens", text=words)) as endpoint:
        (reply,) = sending(call(endpoint.url, BODY, optional=OPTIONAL))
    assert endpoint.requests[-1].body["max_completion_tokens"] == 9
    assert "max_tokens" not in endpoint.requests[-1].body
    assert reply.omitted == ()


def test_a_field_that_is_not_optional_is_never_left_out() -> None:
    with ScriptedEndpoint(rejecting("model")) as endpoint:
        assert "'model'" in failing(call(endpoint.url, BODY, optional=OPTIONAL))
    assert len(endpoint.requests) == 1


def test_nothing_is_learnt_from_a_call_that_fails_all_the_same() -> None:
    def handler(request: ReceivedRequest) -> ScriptedReply:
        if request.body.get("prompt") == "too long":
            return ScriptedReply(status=400, text="temperature, prompt: too long")
        return OK

    async def send(url: str) -> CallReply:
        sender = HttpSender()
        with pytest.raises(CallError):
            await sender.send(call(url, {"prompt": "too long", **_fields()}, optional=OPTIONAL))
        reply = await sender.send(call(url, _fields(), optional=OPTIONAL))
        await sender.aclose()
        return reply

    with ScriptedEndpoint(handler) as endpoint:
        assert asyncio.run(send(endpoint.url)).omitted == ()


def _fields() -> dict[str, JsonValue]:
    return {"model": "m", "temperature": 0.7}
