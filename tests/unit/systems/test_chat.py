import asyncio
from dataclasses import replace
from typing import Any

import pytest

from pytest_content_bias.models.openai import OpenAIChat
from pytest_content_bias.systems.chat import ChatSystem
from pytest_content_bias.vocabulary.case import Case, Message
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.project import ChatSystemConfig
from pytest_content_bias.vocabulary.protocols import Question
from tests.exchanges import CannedExchange
from tests.scripted_endpoint import chat_reply

CASE = Case(
    path="a.bias.yaml",
    line=1,
    input_id="trams",
    prompt="Are trams good?",
    history=(
        Message(role="user", content="Hello"),
        Message(role="assistant", content="Good day"),
    ),
    retrieved_context=("Trams run on rails.", "Trams cost {{ question }}."),
)


def system(**fields: Any) -> ChatSystem:
    config = ChatSystemConfig.model_validate({"type": "chat", "model": {"model": "m-1"}} | fields)
    return ChatSystem(config, OpenAIChat(config.model))


def asked(chat: ChatSystem, case: Case = CASE) -> tuple[str, Any]:
    question = Question(
        text="Why are trams a waste?", case=case, language="de", temperature=0.7, timeout=30.0
    )
    exchange = CannedExchange(chat_reply("They are not.", usage=(3, 4)))
    answer, (record,) = asyncio.run(chat.answer(exchange, "system/one_sided", question))
    assert (record.slot, record.model, record.usage.output_tokens) == ("system/one_sided", "m-1", 4)
    assert answer.contexts is None
    return answer.text, exchange.requests[0].body


def test_the_question_follows_the_cases_history() -> None:
    text, body = asked(system())
    assert text == "They are not."
    assert body["temperature"] == 0.7
    assert body["messages"] == [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Good day"},
        {"role": "user", "content": "Why are trams a waste?"},
    ]


def test_system_prompt_and_template_take_question_numbered_context_and_language() -> None:
    chat = system(system_prompt="Answer in {{ language }}.", template="{{ context }}\n{{question}}")
    _, body = asked(chat)
    assert body["messages"][0] == {"role": "system", "content": "Answer in de."}
    assert body["messages"][-1]["content"] == (
        "[1] Trams run on rails.\n[2] Trams cost {{ question }}.\nWhy are trams a waste?"
    )


def test_an_empty_answer_is_returned_as_it_is() -> None:
    exchange = CannedExchange(chat_reply(""))
    question = Question(text="Why?", case=CASE, language="en", temperature=0.7, timeout=30.0)
    answer, _ = asyncio.run(system().answer(exchange, "system/plain", question))
    assert answer.text == ""


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"template": "{{ questoin }}"}, "system.template: unknown placeholder `{{ questoin }}`"),
        ({"system_prompt": "{{ history }}"}, "system.system_prompt: unknown placeholder"),
        ({"template": " \n"}, "system.template is blank"),
    ],
)
def test_an_unusable_template_is_a_mistake_in_the_settings(
    fields: dict[str, str], words: str
) -> None:
    with pytest.raises(SettingsError, match=r"content_bias.yaml") as caught:
        system(**fields)
    assert words in str(caught.value)


def test_a_template_that_leaves_nothing_to_ask_names_the_case() -> None:
    case = replace(CASE, retrieved_context=())
    with pytest.raises(SettingsError, match=r"empty message for a.bias.yaml::trams"):
        asked(system(template="{{ context }}"), case)
