import asyncio
from typing import Any

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.openai import OpenAIChat
from pytest_content_bias.vocabulary.calls import Usage
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.errors import CallError, ReplyTruncated
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.project import ModelConfig
from pytest_content_bias.vocabulary.protocols import Completion
from tests.exchanges import CannedExchange
from tests.scripted_endpoint import chat_reply

CHAT = (
    Message(role="system", content="Be brief."),
    Message(role="user", content="Hi"),
)
SCHEMA: dict[str, JsonValue] = {"type": "object"}


def config(**fields: Any) -> ModelConfig:
    return ModelConfig.model_validate({"model": "m-1"} | fields)


def complete(
    reply: JsonValue, model: ModelConfig | None = None, **options: Any
) -> tuple[Completion, CannedExchange]:
    exchange = CannedExchange(reply)
    settings = {"temperature": 0.7, "timeout": 30.0} | options
    chat = OpenAIChat(model or config())
    completion = asyncio.run(chat.complete(exchange, "judge/one_sided", CHAT, **settings))
    return completion, exchange


def failing(reply: JsonValue, model: ModelConfig | None = None) -> CallError:
    with pytest.raises(CallError) as caught:
        complete(reply, model)
    return caught.value


def test_a_chat_is_sent_as_chat_completions() -> None:
    _, exchange = complete(chat_reply("Hello"))
    request = exchange.requests[0]
    assert (request.method, request.url) == ("POST", "https://api.openai.com/v1/chat/completions")
    assert (request.slot, request.timeout, request.headers) == ("judge/one_sided", 30.0, {})
    assert request.body == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
        ],
        "temperature": 0.7,
        "stream": False,
    }


def test_the_identity_is_wire_format_model_and_body_without_url_and_key() -> None:
    model = config(base_url="http://localhost:1/v1", api_key="sk-1", query={"v": "1"})
    _, exchange = complete(chat_reply("Hello"), model)
    request = exchange.requests[0]
    assert request.identity == {"wire": "openai", "model": "m-1", "body": request.body}
    assert request.url == "http://localhost:1/v1/chat/completions?v=1"
    assert request.headers == {"authorization": "Bearer sk-1"}
    assert "sk-1" not in repr(request)


def test_configured_headers_limits_and_parameters_are_sent() -> None:
    model = config(
        base_url="http://localhost:1/v1/",
        headers={"api-key": "azure"},
        max_tokens=50,
        parameters={"seed": 3, "temperature": 1},
    )
    _, exchange = complete(chat_reply("Hello"), model)
    request = exchange.requests[0]
    assert request.url == "http://localhost:1/v1/chat/completions"
    assert request.headers == {"api-key": "azure"}
    body = request.body
    assert isinstance(body, dict)
    assert (body["max_tokens"], body["seed"], body["temperature"]) == (50, 3, 1)


def test_a_schema_asks_for_structured_output_and_alternatives_for_probabilities() -> None:
    _, exchange = complete(chat_reply("{}"), schema=SCHEMA, alternatives=True)
    request = exchange.requests[0]
    body = request.body
    assert isinstance(body, dict)
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
    }
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    assert request.optional == {
        "temperature": None,
        "response_format": None,
        "logprobs": None,
        "top_logprobs": None,
        "max_tokens": "max_completion_tokens",
    }


def test_the_record_tells_role_model_tokens_time_and_date() -> None:
    completion, _ = complete(chat_reply("Hello", usage=(12, 3)))
    record = completion.record
    assert completion.text == "Hello"
    assert (record.role, record.model, record.slot) == (Role.JUDGE, "m-1", "judge/one_sided")
    assert record.usage == Usage(input_tokens=12, output_tokens=3)
    assert (record.latency_ms, record.host) == (5, "http://canned")
    assert (record.replayed, record.recorded) == (True, "2026-01-02")


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": True}, "many", {"prompt_tokens": "9"}]
)
def test_tokens_that_are_not_counted_are_none(usage: JsonValue) -> None:
    completion, _ = complete(chat_reply("Hello") | {"usage": usage})
    assert completion.record.usage == Usage()


def test_tokens_carry_their_alternatives() -> None:
    reply = chat_reply("7", logprobs=[("7", {"7": -0.1, "8": -2.5}), ("x", {"y": -0.2})])
    completion, _ = complete(reply, alternatives=True)
    assert completion.tokens is not None
    first, second = completion.tokens
    assert (first.token, first.alternatives) == ("7", {"7": -0.1, "8": -2.5})
    assert (second.token, second.alternatives) == ("x", {"x": -1.0, "y": -0.2})


def test_alternatives_of_equal_text_count_with_the_likeliest() -> None:
    reply = chat_reply("7", logprobs=[("7", {"7": -0.1})])
    choice: Any = reply["choices"]
    choice[0]["logprobs"]["content"][0]["top_logprobs"].append({"token": "7", "logprob": -9.0})
    completion, _ = complete(reply, alternatives=True)
    assert completion.tokens is not None
    assert completion.tokens[0].alternatives == {"7": -0.1}


@pytest.mark.parametrize("logprobs", [None, {}, {"content": None}, {"content": []}])
def test_alternatives_that_the_endpoint_does_not_give_are_none(logprobs: JsonValue) -> None:
    reply = chat_reply("7")
    choices: Any = reply["choices"]
    choices[0]["logprobs"] = logprobs
    completion, _ = complete(reply, alternatives=True)
    assert completion.tokens is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Hello", "Hello"),
        ("", ""),
        (None, ""),
        ([], ""),
        ([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}], "Hello"),
        ([{"type": "thinking", "thinking": []}, {"type": "text", "text": "Hello"}], "Hello"),
    ],
)
def test_content_is_text_or_parts_or_nothing(content: JsonValue, text: str) -> None:
    reply = chat_reply("")
    choices: Any = reply["choices"]
    choices[0]["message"]["content"] = content
    assert complete(reply)[0].text == text


def test_a_refusal_is_the_text() -> None:
    reply = chat_reply(None)
    choices: Any = reply["choices"]
    choices[0]["message"]["refusal"] = "I cannot help."
    assert complete(reply)[0].text == "I cannot help."


@pytest.mark.parametrize("reason", ["length", "max_tokens"])
def test_a_truncated_reply_names_the_limit_and_where_it_is_set(reason: str) -> None:
    error = failing(chat_reply('{"lev', finish_reason=reason), config(max_tokens=40))
    assert isinstance(error, ReplyTruncated)
    assert error.text == '{"lev'
    assert error.record is not None
    assert str(error) == (
        "judge/one_sided: the reply of m-1 stopped at 40 tokens, before it was complete. "
        "Raise `max_tokens` of the judge in content_bias.yaml."
    )


def test_a_reply_truncated_by_the_endpoint_says_so() -> None:
    assert "the endpoint's own limit" in str(failing(chat_reply("x", finish_reason="length")))


def test_filtered_text_is_given_and_an_empty_one_is_an_error() -> None:
    assert complete(chat_reply("Partly", finish_reason="content_filter"))[0].text == "Partly"
    assert "content_filter" in str(failing(chat_reply("", finish_reason="content_filter")))


def test_a_call_of_a_tool_is_an_error() -> None:
    assert "tool_calls" in str(failing(chat_reply(None, finish_reason="tool_calls")))


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"choices": []}, "choices"),
        ({"id": "x"}, "choices"),
        ({"choices": [{}]}, "choices.0.message"),
        ({"choices": [{"message": {"content": 3}}]}, "choices.0.message.content"),
        ("<html>Welcome</html>", "the body"),
        (None, "the body"),
    ],
)
def test_a_reply_of_another_shape_is_an_error_that_shows_it(body: JsonValue, place: str) -> None:
    message = str(failing(body))
    assert f"http://canned sent a reply that is not one of wire format openai: {place}" in message
    assert message.endswith("Check `provider` and `base_url` of the judge in content_bias.yaml.")


def test_the_name_is_the_models() -> None:
    assert OpenAIChat(config()).name == "m-1"
