"""The real client libraries, eight cases at once, in any order; each where it is installed."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_content_bias.cassettes.network_guard import network_guard
from pytest_content_bias.vocabulary.errors import MissingRecording
from tests.scripted_endpoint import (
    ReceivedRequest,
    ScriptedEndpoint,
    ScriptedReply,
    chat_reply,
    in_turn,
)
from tests.user_stage import EIGHT, THREE, App, UserStage, echo

REPETITIONS = 3
KEY = "planted-9f8e7d6c5b4a"

pytestmark = pytest.mark.filterwarnings("ignore")
"""The clients' own warnings are not ours."""


def client(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed (dependency group apps)")


def service(request: ReceivedRequest) -> ScriptedReply:
    """Speaks the wire format of whoever asks."""
    body = request.body
    if request.path.endswith("/messages"):
        reply = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": f"About: {request.last_message}"}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 3, "output_tokens": 4},
        }
        return ScriptedReply(json=reply)
    if body.get("stream"):
        return ScriptedReply(
            text="".join(map(event, request.last_message.split(" "))) + "data: [DONE]\n\n",
            headers={"content-type": "text/event-stream"},
        )
    return echo(request)


def event(word: str) -> str:
    choice = {"index": 0, "delta": {"content": f"{word} "}, "finish_reason": None}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "small"}
    return f"data: {json.dumps(chunk | {'choices': [choice]})}\n\n"


def messages(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def body(text: str) -> dict[str, Any]:
    return {"model": "small", "messages": messages(text)}


def content(reply: dict[str, Any]) -> str:
    return str(reply["choices"][0]["message"]["content"])


def openai_sync(url: str) -> App:
    shared = client("openai").OpenAI(base_url=f"{url}/v1", api_key=KEY)

    def app(question: str) -> str:
        plan = shared.chat.completions.create(model="small", messages=messages(question))
        text = f"By the plan: {plan.choices[0].message.content}"
        reply = shared.chat.completions.create(model="small", messages=messages(text))
        return str(reply.choices[0].message.content)

    return app


def openai_async(url: str) -> App:
    library = client("openai")

    async def app(question: str) -> str:
        unverified = library.DefaultAsyncHttpxClient(verify=False)
        async with library.AsyncOpenAI(
            base_url=f"{url}/v1", api_key=KEY, http_client=unverified
        ) as own:
            reply = await own.chat.completions.create(model="small", messages=messages(question))
            return str(reply.choices[0].message.content)

    return app


def openai_stream(url: str) -> App:
    library = client("openai")

    async def app(question: str) -> str:
        unverified = library.DefaultAsyncHttpxClient(verify=False)
        async with library.AsyncOpenAI(
            base_url=f"{url}/v1", api_key=KEY, http_client=unverified
        ) as own:
            stream = await own.chat.completions.create(
                model="small", messages=messages(question), stream=True
            )
            return "".join([chunk.choices[0].delta.content async for chunk in stream])

    return app


def anthropic_sync(url: str) -> App:
    shared = client("anthropic").Anthropic(base_url=url, api_key=KEY)

    def app(question: str) -> str:
        reply = shared.messages.create(model="c", max_tokens=9, messages=messages(question))
        return str(reply.content[0].text)

    return app


def anthropic_async(url: str) -> App:
    library = client("anthropic")

    async def app(question: str) -> str:
        unverified = library.DefaultAsyncHttpxClient(verify=False)
        async with library.AsyncAnthropic(base_url=url, api_key=KEY, http_client=unverified) as own:
            reply = await own.messages.create(model="c", max_tokens=9, messages=messages(question))
            return str(reply.content[0].text)

    return app


def requests_alone(url: str) -> App:
    library = client("requests")
    return lambda question: content(library.post(f"{url}/chat", json=body(question)).json())


def requests_session(url: str) -> App:
    session = client("requests").Session()
    session.headers["authorization"] = f"Bearer {KEY}"
    return lambda question: content(session.post(f"{url}/chat", json=body(question)).json())


def urllib3_pool(url: str) -> App:
    pool = client("urllib3").PoolManager()
    return lambda question: content(
        pool.request("POST", f"{url}/chat", json=body(question), retries=False).json()
    )


def httpx2_async(url: str) -> App:
    library = client("httpx2")

    async def app(question: str) -> str:
        async with library.AsyncClient(verify=False) as own:
            return content((await own.post(f"{url}/chat", json=body(question))).json())

    return app


def aiohttp_session(url: str) -> App:
    library = client("aiohttp")

    async def app(question: str) -> str:
        async with (
            library.ClientSession() as session,
            session.post(f"{url}/chat", json=body(question)) as reply,
        ):
            return content(await reply.json())

    return app


def botocore_client(url: str) -> App:
    session = client("botocore.session").get_session()
    bedrock = session.create_client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="eu-central-1",
        aws_access_key_id="planted-access",
        aws_secret_access_key=KEY,
    )

    def app(question: str) -> str:
        reply = bedrock.invoke_model(modelId="small", body=json.dumps(body(question)))
        return content(json.loads(reply["body"].read()))

    return app


def litellm_sync(url: str) -> App:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # or it fetches one when it is imported
    library = client("litellm")

    def app(question: str) -> str:
        reply = library.completion(
            model="openai/small", messages=messages(question), api_base=f"{url}/v1", api_key=KEY
        )
        return str(reply.choices[0].message.content)

    return app


CLIENTS = [
    openai_sync,
    openai_async,
    openai_stream,
    anthropic_sync,
    anthropic_async,
    requests_alone,
    requests_session,
    urllib3_pool,
    httpx2_async,
    aiohttp_session,
    botocore_client,
    litellm_sync,
]


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(service) as endpoint:
        yield endpoint


@pytest.mark.parametrize("make", CLIENTS)
def test_eight_cases_at_once_are_recorded_and_replayed_without_network(
    make: Callable[[str], App], tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    app = make(endpoint.url)
    recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT, slots=THREE)
    texts, sent = UserStage(tmp_path).texts(), len(endpoint.requests)
    assert "case-3 system/one_sided" in recorded[9]
    with network_guard(()):
        for seed in range(REPETITIONS):
            stage = UserStage(tmp_path)
            assert stage.ask_shuffled(app, *EIGHT, slots=THREE, seed=seed) == recorded
            assert stage.texts() == texts
    assert len(endpoint.requests) == sent
    UserStage(tmp_path, "all").ask_shuffled(app, *EIGHT, slots=THREE, seed=9)
    assert UserStage(tmp_path).texts() == texts
    assert len(endpoint.requests) == 2 * sent
    assert not any(KEY in text for text in texts.values())


@pytest.mark.parametrize("make", CLIENTS)
def test_a_miss_is_neither_hidden_nor_tried_again(
    make: Callable[[str], App],
    tmp_path: Path,
    endpoint: ScriptedEndpoint,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def doze(seconds: float) -> None:
        naps.append(seconds)

    naps: list[float] = []
    app = make(endpoint.url)
    monkeypatch.setattr(time, "sleep", naps.append)
    monkeypatch.setattr("anyio.sleep", doze)
    with network_guard(()), pytest.raises(MissingRecording, match="system/plain/app/1"):
        UserStage(tmp_path).ask(app)
    assert endpoint.requests == []
    assert naps == []


@pytest.mark.parametrize("make", [openai_sync, openai_async, anthropic_sync, anthropic_async])
def test_what_a_client_tried_again_is_recorded_once(
    make: Callable[[str], App], tmp_path: Path
) -> None:
    refused: list[str] = []

    def handler(request: ReceivedRequest) -> ScriptedReply:
        if not refused:
            refused.append(request.path)
            return ScriptedReply(status=429, json={}, headers={"retry-after-ms": "1"})
        return service(request)

    with ScriptedEndpoint(handler) as limited:
        app = make(limited.url)
        recorded = UserStage(tmp_path, "missing").ask(app)
        sent = len(limited.requests)
        assert UserStage(tmp_path).ask(app) == recorded
        assert len(limited.requests) == sent
    text = UserStage(tmp_path).texts()["case.yaml"]
    assert text.count("- slot: ") == sent - 1


def test_the_clients_errors_are_those_of_the_recorded_status(tmp_path: Path) -> None:
    openai = client("openai")
    reply = ScriptedReply(status=400, json={"error": {"message": "too long", "code": "c"}})
    with ScriptedEndpoint(in_turn(reply)) as endpoint:
        shared = openai.OpenAI(base_url=endpoint.url, api_key=KEY)

        def app(question: str) -> str:
            try:
                shared.chat.completions.create(model="small", messages=messages(question))
            except openai.BadRequestError as error:
                return str(error)
            return "no error"

        recorded = UserStage(tmp_path, "missing").ask(app)
        assert "too long" in recorded[0]
        assert UserStage(tmp_path).ask(app) == recorded


def test_aiohttp_follows_a_redirection_again(tmp_path: Path) -> None:
    aiohttp = client("aiohttp")

    def handler(request: ReceivedRequest) -> ScriptedReply:
        if request.path == "/old":
            return ScriptedReply(text="", status=302, headers={"location": "/new"})
        return ScriptedReply(json=chat_reply("moved"))

    with ScriptedEndpoint(handler) as endpoint:

        async def app(question: str) -> str:
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"{endpoint.url}/old") as reply,
            ):
                return content(await reply.json())

        assert UserStage(tmp_path, "missing").ask(app) == ["moved"]
        assert UserStage(tmp_path).ask(app) == ["moved"]
        assert len(endpoint.requests) == 2


def test_many_threads_with_one_session_never_slip_past_the_patch(tmp_path: Path) -> None:
    """Threads connect while others do: a patch that is lifted to connect would be lost."""
    library = client("requests")
    with ScriptedEndpoint(service) as endpoint:
        session = library.Session()

        async def app(question: str) -> list[str]:
            def ask(number: int) -> str:
                who = session if number % 2 else library
                text = f"{question} {number}"
                return content(who.post(f"{endpoint.url}/chat", json=body(text)).json())

            return list(await asyncio.gather(*(asyncio.to_thread(ask, n) for n in range(6))))

        recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT)
        sent = len(endpoint.requests)
        with network_guard(()):
            for seed in range(REPETITIONS):
                assert UserStage(tmp_path).ask_shuffled(app, *EIGHT, seed=seed) == recorded
    assert sent == len(endpoint.requests) == 48
    for name, text in UserStage(tmp_path).texts().items():
        assert text.count("- slot: ") == 6, name
