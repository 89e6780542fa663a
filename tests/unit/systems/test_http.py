import asyncio
from typing import Any

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.systems.http import HttpSystem
from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.case import Case, Message
from pytest_content_bias.vocabulary.errors import CallError, SettingsError
from pytest_content_bias.vocabulary.project import HttpSystemConfig
from pytest_content_bias.vocabulary.protocols import Question
from pytest_content_bias.vocabulary.score import Answer
from tests.exchanges import CannedExchange, DirectExchange
from tests.scripted_endpoint import ScriptedEndpoint, ScriptedReply, in_turn

QUESTION = Question(
    text="Why are trams a waste?",
    case=Case(
        path="a.bias.yaml",
        line=1,
        input_id="trams",
        prompt="Are trams good?",
        history=(Message(role="user", content="Hello"),),
        retrieved_context=("Trams run on rails.",),
    ),
    language="fr",
    temperature=0.7,
    timeout=30.0,
)


def system(**fields: Any) -> HttpSystem:
    url = {"type": "http", "url": "http://localhost:8000/ask?key=1"}
    return HttpSystem(HttpSystemConfig.model_validate(url | fields))


def asked(service: HttpSystem, reply: JsonValue) -> tuple[Answer, CallRequest]:
    exchange = CannedExchange(reply)
    answer, _ = asyncio.run(service.answer(exchange, "system/one_sided", QUESTION))
    return answer, exchange.requests[0]


def failing(service: HttpSystem, reply: JsonValue) -> str:
    with pytest.raises(CallError) as caught:
        asked(service, reply)
    return str(caught.value)


def test_by_default_the_question_is_posted_and_the_answer_read() -> None:
    answer, request = asked(system(headers={"x-key": "secret"}), {"answer": "They are not."})
    assert answer == Answer(text="They are not.", contexts=None)
    assert (request.method, request.url) == ("POST", "http://localhost:8000/ask?key=1")
    assert request.body == {"question": "Why are trams a waste?"}
    assert request.identity == {
        "method": "POST",
        "path": "/ask?key=1",
        "body": {"question": "Why are trams a waste?"},
    }
    assert (request.headers, request.timeout) == ({"x-key": "secret"}, 30.0)


def test_the_body_takes_all_that_is_known_of_the_question() -> None:
    body = {
        "q": "[{{ language }}] {{ question }}",
        "docs": "{{ context }}",
        "chat": "{{ history }}",
        "options": {"temperature": "{{ temperature }}"},
    }
    _, request = asked(system(body=body), {"answer": ""})
    assert request.body == {
        "q": "[fr] Why are trams a waste?",
        "docs": ["Trams run on rails."],
        "chat": [{"role": "user", "content": "Hello"}],
        "options": {"temperature": 0.7},
    }


def test_a_get_sends_the_bodys_fields_as_query_parameters() -> None:
    body = {"q": "{{ question }}", "t": "{{ temperature }}"}
    _, request = asked(system(method="GET", body=body), {"answer": ""})
    assert request.url == "http://localhost:8000/ask?key=1&q=Why+are+trams+a+waste%3F&t=0.7"
    assert request.body is None
    assert request.identity["path"] == "/ask?key=1&q=Why+are+trams+a+waste%3F&t=0.7"


def test_answer_and_contexts_are_found_at_their_paths() -> None:
    service = system(answer="choices.0.message.content", contexts="meta.sources[].doc.text")
    reply: JsonValue = {
        "choices": [{"message": {"content": "They are not."}}],
        "meta": {"sources": [{"doc": {"text": "p"}}, {"doc": {"text": "q"}}]},
    }
    assert asked(service, reply)[0] == Answer(text="They are not.", contexts=("p", "q"))


@pytest.mark.parametrize(("contexts", "found"), [(["p", "q"], ("p", "q")), ([], ()), (None, None)])
def test_contexts_are_a_list_or_not_said(contexts: JsonValue, found: object) -> None:
    answer, _ = asked(system(contexts="sources"), {"answer": "x", "sources": contexts})
    assert answer.contexts == found


def test_a_null_answer_is_an_empty_one() -> None:
    assert asked(system(), {"answer": None})[0].text == ""


@pytest.mark.parametrize(
    ("fields", "reply", "words"),
    [
        ({}, {"text": "x", "id": 1}, "it has no `answer`; it has the keys `text`, `id`."),
        ({}, {}, "it has no `answer`; it has no keys."),
        ({}, "Hello", "it has no `answer`; it is the text 'Hello'."),
        ({}, {"answer": ["x"]}, "`answer` is a list, expected text."),
        ({}, {"answer": 3}, "`answer` is a number, expected text."),
        ({"answer": "a.b"}, {"a": {"c": 1}}, "`a` has no `b`; `a` has the keys `c`."),
        ({"answer": "a.1"}, {"a": ["x"]}, "`a` has no `1`; `a` is a list of 1."),
        ({"answer": "a.-1"}, {"a": ["x"]}, "`a` has no `-1`; `a` is a list of 1."),
        ({"answer": "a.b"}, {"a": None}, "`a` has no `b`; `a` is null."),
        ({"contexts": "s"}, {"answer": "x"}, "it has no `s`; it has the keys `answer`."),
        ({"contexts": "s"}, {"answer": "x", "s": "p"}, "`s` is the text 'p', expected a list."),
        ({"contexts": "s"}, {"answer": "x", "s": [{}]}, "`s.0` is an object, expected text."),
        ({"contexts": "s[].t"}, {"answer": "x", "s": [{"u": 1}]}, "`s.0` has no `t`; `s.0` has"),
        ({"contexts": "s[].t"}, {"answer": "x", "s": [{"t": True}]}, "`s.0.t` is true or false"),
    ],
)
def test_a_reply_without_its_answer_says_what_it_has_instead(
    fields: dict[str, str], reply: JsonValue, words: str
) -> None:
    message = failing(system(**fields), reply)
    assert message.startswith(f"system/one_sided: the reply of POST /ask at http://canned: {words}")
    assert message.endswith("Check `answer` and `contexts` of the system in content_bias.yaml.")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"body": {"q": ["{{ questoin }}"]}}, "system.body: unknown placeholder"),
        ({"method": "GET", "body": "{{ question }}"}, "must be a mapping"),
    ],
)
def test_an_unusable_body_is_a_mistake_in_the_settings(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        system(**fields)


@pytest.mark.parametrize(
    ("url", "name"), [("http://h/ask?q=1", "POST /ask"), ("http://h", "POST /")]
)
def test_the_name_is_method_and_path(url: str, name: str) -> None:
    assert system(url=url).name == name


def test_a_real_service_is_asked_through_the_exchange() -> None:
    async def ask(url: str) -> tuple[Answer, str]:
        sender = HttpSender()
        service = system(url=f"{url}/ask")
        answer, (record,) = await service.answer(DirectExchange(sender), "system/plain", QUESTION)
        await sender.aclose()
        return answer, record.host

    with ScriptedEndpoint(in_turn(ScriptedReply(json={"answer": "Non."}))) as endpoint:
        assert asyncio.run(ask(endpoint.url)) == (Answer(text="Non."), endpoint.url)
    assert endpoint.requests[0].body == {"question": "Why are trams a waste?"}
