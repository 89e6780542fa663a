"""Calls, senders and cassettes for the tests of the cassette band."""

import asyncio
import contextlib
import datetime
import resource
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest

CASE_ID = "cases/energy.bias.yaml::wind-power"
COMMAND = 'pytest "cases/energy.bias.yaml::wind-power"'
NO_SECRETS = SecretScreen({})
HOST = "http://127.0.0.1:8099"
THIS_RUN = f"run {secrets.token_hex(8)}"
DAY = datetime.date(2026, 11, 30)


def chat_request(
    slot: str = "judge/one_sided",
    content: str = "Is wind power\nreally clean?",
    *,
    host: str = HOST,
    **fields: JsonValue,
) -> CallRequest:
    """A call of a chat model."""
    body: dict[str, JsonValue] = {
        "model": "small",
        "messages": [{"role": "user", "content": content}],
        "temperature": 0.0,
        **fields,
    }
    return CallRequest(
        slot=slot,
        method="POST",
        url=f"{host}/v1/chat/completions",
        identity={"wire": "openai", "model": "small", "body": body},
        body=body,
        headers={"authorization": "Bearer sk-header-only-0123456789abcdef"},
    )


ONE, TWO, THREE = (
    chat_request(slot) for slot in ("generator/one_sided", "system/one_sided", "judge/one_sided")
)


def service_request(question: str, slot: str = "system/plain") -> CallRequest:
    """A call of an HTTP service."""
    body: JsonValue = {"question": question}
    return CallRequest(
        slot=slot,
        method="POST",
        url="http://127.0.0.1:9000/answer?key=topsecret",
        identity={"method": "POST", "path": "/answer", "body": body},
        body=body,
    )


def chat_body(text: str) -> dict[str, JsonValue]:
    """A chat reply as a provider sends it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1764500000,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17},
    }


def reply_of(body: JsonValue, *, host: str = HOST, latency_ms: int = 812) -> CallReply:
    """A live reply."""
    return CallReply(status=200, body=body, host=host, latency_ms=latency_ms)


def text_of(reply: CallReply) -> str:
    """What the model said."""
    assert isinstance(reply.body, dict)
    choices = reply.body["choices"]
    assert isinstance(choices, list)
    assert isinstance(choices[0], dict)
    message = choices[0]["message"]
    assert isinstance(message, dict)
    assert isinstance(message["content"], str)
    return message["content"]


class FakeSender:
    """Answers every call with its number and slot, and remembers what it was sent."""

    def __init__(self, answer: Callable[[CallRequest, int], CallReply] | None = None) -> None:
        self.sent: list[CallRequest] = []
        self._answer = answer

    async def send(self, request: CallRequest) -> CallReply:
        """Answer a call."""
        self.sent.append(request)
        number = len(self.sent)
        await asyncio.sleep(0)
        if self._answer is not None:
            return self._answer(request, number)
        return reply_of(chat_body(f"answer {number} to {request.slot}"))

    @property
    def slots(self) -> list[str]:
        """The slots of the calls that were sent."""
        return [request.slot for request in self.sent]


def make_cassette(
    folder: Path,
    mode: str = "none",
    sender: FakeSender | None = None,
    *,
    screen: SecretScreen = NO_SECRETS,
    day: datetime.date = DAY,
    on_call: Callable[[CallRequest, CallReply], None] | None = None,
    run: str = THIS_RUN,
    patience: float = 5.0,
) -> CaseCassette:
    """The cassette of the case, in a folder."""
    return CaseCassette(
        folder / "wind-power.yaml",
        CASE_ID,
        RecordMode.parse(mode),
        sender,
        record_command=COMMAND,
        secrets=screen,
        today=lambda: day,
        on_call=on_call,
        run=run,
        patience=patience,
    )


def ask(cassette: CaseCassette, *requests: CallRequest, finish: bool = True) -> list[CallReply]:
    """Make calls one after the other, as one metric does."""

    async def work() -> list[CallReply]:
        async with cassette.working():
            replies = [await cassette.call(request) for request in requests]
            if finish:
                cassette.finish()
            return replies

    return asyncio.run(work())


def record(folder: Path, *requests: CallRequest, answers: Mapping[str, str] | None = None) -> Path:
    """Record calls; answers by slot where they matter."""

    def answer(request: CallRequest, number: int) -> CallReply:
        said = (answers or {}).get(request.slot, f"answer to {request.slot}")
        return reply_of(chat_body(said))

    ask(make_cassette(folder, "missing", FakeSender(answer), run="an earlier run"), *requests)
    return folder / "wind-power.yaml"


def files(folder: Path) -> list[str]:
    """The names of what lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """A disk that is full beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
