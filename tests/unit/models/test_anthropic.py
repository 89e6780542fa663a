import asyncio
from typing import Any

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.anthropic import AnthropicChat
from pytest_content_bias.vocabulary.calls import Usage
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.errors import CallError, ReplyTruncated
from pytest_content_bias.vocabulary.project import ModelConfig
from pytest_content_bias.vocabulary.protocols import Completion
from tests.exchanges import CannedExchange

CHAT = (
    Message(role="system", content="Be brief."),
    Message(role="user", content="One"),
    Message(role="user", content="Two"),
    Message(role="assistant", content="Three"),
    Message(role="system", content="Be fair."),
    Message(role="user", content="Four"),
)
SCHEMA: dict[str, JsonValue] = {"type": "object"}


def config(**fields: Any) -> ModelConfig:
    return ModelConfig.model_validate({"provider": "anthropic", "model": "c-1"} | fields)


def message(*blocks: JsonValue, stop_reason: str = "end_turn") -> dict[str, JsonValue]:
    return {
        "content": list(blocks),
        "stop_reason": stop_reason,
        "usage": {"input_tokens": 9, "output_tokens": 4},
    }


def text(words: str) -> JsonValue:
    return {"type": "text", "text": words}


def complete(
    reply: JsonValue,
    model: ModelConfig | None = None,
    messages: tuple[Message, ...] = CHAT,
    **options: Any,
) -> tuple[Completion, CannedExchange]:
    exchange = CannedExchange(reply)
    settings = {"temperature": 0.0, "timeout": 30.0} | options
    chat = AnthropicChat(model or config())
    completion = asyncio.run(chat.complete(exchange, "judge/one_sided", messages, **settings))
    return completion, exchange


def test_system_messages_are_joined_and_neighbours_of_one_role_become_one_turn() -> None:
    _, exchange = complete(message(text("Hello")), config(api_key="sk-1"))
    request = exchange.requests[0]
    assert request.url == "https://api.anthropic.com/v1/messages"
    assert request.headers == {"anthropic-version": "2023-06-01", "x-api-key": "sk-1"}
    assert request.identity == {"wire": "anthropic", "model": "c-1", "body": request.body}
    assert request.body == {
        "model": "c-1",
        "system": "Be brief.\n\nBe fair.",
        "messages": [
            {"role": "user", "content": "One\n\nTwo"},
            {"role": "assistant", "content": "Three"},
            {"role": "user", "content": "Four"},
        ],
        "max_tokens": 4096,
        "temperature": 0.0,
        "stream": False,
    }


def test_without_system_messages_there_is_no_system_text() -> None:
    _, exchange = complete(message(text("Hello")), messages=CHAT[1:2])
    body = exchange.requests[0].body
    assert isinstance(body, dict)
    assert "system" not in body


@pytest.mark.parametrize("base_url", ["http://h", "http://h/", "http://h/v1", "http://h/v1/"])
def test_the_base_url_may_hold_the_version_or_not(base_url: str) -> None:
    _, exchange = complete(message(text("Hello")), config(base_url=base_url))
    assert exchange.requests[0].url == "http://h/v1/messages"


def test_text_blocks_are_joined_and_thoughts_left_out() -> None:
    thought: JsonValue = {"type": "thinking", "thinking": "hm", "signature": "s"}
    completion, _ = complete(message(thought, text("Hel"), text("lo")))
    assert completion.text == "Hello"
    assert completion.tokens is None
    assert completion.record.usage == Usage(input_tokens=9, output_tokens=4)


def test_a_schema_forces_a_tool_whose_input_is_the_reply() -> None:
    tool: JsonValue = {"type": "tool_use", "id": "1", "name": "reply", "input": {"reason": "é"}}
    completion, exchange = complete(message(tool, stop_reason="tool_use"), schema=SCHEMA)
    assert completion.text == '{"reason": "é"}'
    request = exchange.requests[0]
    assert isinstance(request.body, dict)
    assert request.body["tool_choice"] == {"type": "tool", "name": "reply"}
    assert request.body["tools"] == [
        {"name": "reply", "description": "Give the reply.", "input_schema": SCHEMA}
    ]
    assert request.optional == {"temperature": None, "tool_choice": None, "tools": None}


def test_where_the_tool_was_left_out_the_text_is_the_reply() -> None:
    assert complete(message(text('{"level": 1}')), schema=SCHEMA)[0].text == '{"level": 1}'


def test_an_empty_reply_is_empty_text() -> None:
    assert complete(message())[0].text == ""


def test_a_reply_at_the_limit_names_it_even_inside_of_a_tool() -> None:
    tool: JsonValue = {"type": "tool_use", "name": "reply", "input": {"reason": "half"}}
    with pytest.raises(ReplyTruncated, match="stopped at 4096 tokens") as caught:
        complete(message(tool, stop_reason="max_tokens"), schema=SCHEMA)
    assert caught.value.text == '{"reason": "half"}'


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (message(stop_reason="refusal"), "refusal"),
        (message(stop_reason="pause_turn"), "pause_turn"),
        (message({"type": "tool_use", "name": "x"}, stop_reason="tool_use"), "tool_use"),
        ({"type": "message"}, "content"),
        ({"content": "Hello"}, "content"),
        ("Hello", "wire format anthropic"),
    ],
)
def test_a_reply_that_is_no_text_is_an_error(reply: JsonValue, words: str) -> None:
    with pytest.raises(CallError, match=words):
        complete(reply)


def test_token_probabilities_are_refused_before_anything_is_sent() -> None:
    with pytest.raises(CallError, match=r"Set `scoring: level` in content_bias.yaml"):
        complete(None, alternatives=True)
