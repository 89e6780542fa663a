import asyncio

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.openai import OpenAIChat
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.errors import CallError, ReplyFault, UnreadableReply
from pytest_content_bias.vocabulary.project import ModelConfig
from pytest_content_bias.vocabulary.protocols import Completion, Prompt
from pytest_content_bias.work.agreed_reply import Agreed, ask
from tests.exchanges import CannedExchange
from tests.scripted_endpoint import chat_reply

CHAT = (Message(role="user", content="Rate it."),)
REASK = Prompt(
    name="reask",
    sha256="0" * 64,
    messages=(Message(role="user", content="Fault: {{ fault }}\nOnce more."),),
    absent="(none given)",
)


def level(reply: dict[str, JsonValue], completion: Completion) -> int:
    value = reply.get("level")
    if type(value) is not int:
        raise ReplyFault('"level" must be an integer.')
    return value


def agreed(exchange: CannedExchange) -> Agreed[int]:
    return asyncio.run(
        ask(
            OpenAIChat(ModelConfig(model="m-1", max_tokens=40)),
            exchange,
            "judge/one_sided",
            CHAT,
            reask=REASK,
            schema=None,
            check=level,
            temperature=0.0,
            timeout=30.0,
        )
    )


def messages(exchange: CannedExchange, number: int) -> JsonValue:
    body = exchange.requests[number].body
    assert isinstance(body, dict)
    return body["messages"]


def test_a_usable_reply_is_one_call() -> None:
    exchange = CannedExchange(chat_reply('Sure: {"level": 3}'))
    result = agreed(exchange)
    assert (result.value, result.raw) == (3, 'Sure: {"level": 3}')
    assert [record.slot for record in result.records] == ["judge/one_sided"]


def test_a_fault_is_named_to_the_model_after_its_own_reply() -> None:
    exchange = CannedExchange(chat_reply('{"level": "7"}'), chat_reply('{"level": 7}'))
    result = agreed(exchange)
    assert result.value == 7
    assert [record.slot for record in result.records] == ["judge/one_sided", "judge/one_sided/2"]
    assert messages(exchange, 1) == [
        {"role": "user", "content": "Rate it."},
        {"role": "assistant", "content": '{"level": "7"}'},
        {"role": "user", "content": 'Fault: "level" must be an integer.\nOnce more.'},
    ]


def test_an_empty_reply_is_shown_to_the_model_as_absent() -> None:
    exchange = CannedExchange(chat_reply(""), chat_reply('{"level": 7}'))
    agreed(exchange)
    assert messages(exchange, 1) == [
        {"role": "user", "content": "Rate it."},
        {"role": "assistant", "content": "(none given)"},
        {"role": "user", "content": "Fault: The reply is empty.\nOnce more."},
    ]


def test_a_truncated_reply_is_asked_for_again_shorter() -> None:
    cut = chat_reply('{"level"', finish_reason="length", usage=(5, 40))
    exchange = CannedExchange(cut, chat_reply('{"level": 7}'))
    result = agreed(exchange)
    assert result.value == 7
    assert [record.usage.output_tokens for record in result.records] == [40, 7]
    assert "it must be shorter" in str(messages(exchange, 1))


def test_after_three_faults_every_one_is_listed_and_the_last_reply_kept() -> None:
    exchange = CannedExchange(
        chat_reply("Fair."), chat_reply('{"level": 99.5}'), chat_reply("<html></html>")
    )
    with pytest.raises(UnreadableReply) as caught:
        agreed(exchange)
    assert [request.slot for request in exchange.requests] == [
        "judge/one_sided",
        "judge/one_sided/2",
        "judge/one_sided/3",
    ]
    assert str(caught.value) == (
        "judge/one_sided: m-1 was asked 3 times and never replied in the agreed form. "
        '(1) The reply holds no JSON object. (2) "level" must be an integer. '
        "(3) The reply is an HTML page, not a JSON object."
    )
    assert caught.value.raw == "<html></html>"
    assert len(caught.value.records) == 3


def test_a_reply_that_is_truncated_three_times_keeps_its_text_and_names_the_setting() -> None:
    exchange = CannedExchange(*[chat_reply('{"lev', finish_reason="length")] * 3)
    with pytest.raises(UnreadableReply, match="Raise `max_tokens` of the judge") as caught:
        agreed(exchange)
    assert caught.value.raw == '{"lev'
    assert len(caught.value.records) == 3


def test_a_failed_call_is_not_asked_again() -> None:
    exchange = CannedExchange({"unexpected": True})
    with pytest.raises(CallError):
        agreed(exchange)
    assert len(exchange.requests) == 1
