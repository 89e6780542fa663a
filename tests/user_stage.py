"""A stage for the system's own code: many cases at once, each with its cassette, as in a run."""

import asyncio
import inspect
import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cassettes.user_calls import UserCalls, answering
from pytest_content_bias.cassettes.user_cassette import UserCassette
from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest
from tests.scripted_endpoint import (
    Handler,
    ReceivedRequest,
    ScriptedEndpoint,
    ScriptedReply,
    chat_reply,
)

App = Callable[[str], Any]
"""The system's own code: gets a question, returns its answer or a coroutine of it."""

EIGHT = tuple(f"case-{number}" for number in range(8))
THREE = ("system/one_sided", "system/amplify_downplay", "system/justify_judge")

_runs = itertools.count()


def plainly(question: str) -> str:
    """The question as it was asked."""
    return question


class UserStage:
    """Asks an app the questions of many cases.

    Args:
        folder: where the cassettes lie.
        mode: the recording mode.
        secrets: secret values by name.
        allowed: hosts whose calls go through.
        admit: called before a call is sent.

    Attributes:
        calls: attends to the app.
        records: the calls of the answers, in their order.
    """

    def __init__(
        self,
        folder: Path,
        mode: str = "none",
        *,
        secrets: dict[str, str] | None = None,
        allowed: Sequence[str] = (),
        admit: Callable[[CallRequest], None] | None = None,
    ) -> None:
        self.calls = UserCalls(AllowedHosts(allowed), admit)
        self.records: list[CallRecord] = []
        self._folder, self._mode = folder, RecordMode.parse(mode)
        self._screen = SecretScreen(secrets or {})
        self._run = str(next(_runs))

    def ask(self, app: App, *cases: str, slots: Sequence[str] = ("system/plain",)) -> list[Any]:
        """Ask in every slot of every case, all at once.

        Returns:
            The answers, in the order of cases and then of slots.

        Raises:
            BaseException: what the first answer that failed raised.
        """
        return asyncio.run(self._ask(app, cases or ("case",), slots))

    def ask_shuffled(
        self, app: App, *cases: str, slots: Sequence[str] = ("system/plain",), seed: int
    ) -> list[Any]:
        """Ask as `ask` does, but start the cases in another order."""
        order = random.Random(seed).sample(range(len(cases)), len(cases))
        answers = self.ask(app, *(cases[place] for place in order), slots=slots)
        by_case = {cases[place]: answers[n * len(slots) :] for n, place in enumerate(order)}
        return [answer for case in cases for answer in by_case[case][: len(slots)]]

    def cassette(self, case: str) -> UserCassette:
        """The cassette of a case."""
        return UserCassette(
            self.path(case),
            f"cases.bias.yaml::{case}",
            self._mode,
            _Nobody(),
            record_command=f'pytest "cases.bias.yaml::{case}"',
            secrets=self._screen,
            run=self._run,
        )

    def path(self, case: str = "case") -> Path:
        """The file of a case's cassette."""
        return self._folder / f"{case}.yaml"

    def texts(self) -> dict[str, str]:
        """Every file of the folder."""
        return {path.name: path.read_text(encoding="utf-8") for path in self._folder.iterdir()}

    async def _ask(self, app: App, cases: Sequence[str], slots: Sequence[str]) -> list[Any]:
        with self.calls.at_work():
            found = await asyncio.gather(*(self._case(app, case, slots) for case in cases))
            await self.calls.quiet()
        return [answer for answers in found for answer in answers]

    async def _case(self, app: App, case: str, slots: Sequence[str]) -> list[Any]:
        cassette = self.cassette(case)
        async with cassette.working():
            with self.calls.in_case(cassette):
                answers = await asyncio.gather(*(self.answer(app, case, slot) for slot in slots))
            cassette.finish()
        return answers

    async def answer(self, app: App, case: str, slot: str) -> Any:
        """One answer; code that is no coroutine runs in a thread."""
        async with answering(slot) as records:
            question = f"{case} {slot}"
            if inspect.iscoroutinefunction(app):
                answer = await app(question)
            else:
                answer = await asyncio.to_thread(app, question)
        self.records.extend(records)
        return answer


class _Nobody:
    """The sender of the roles' own calls, of which there are none."""

    async def send(self, request: CallRequest) -> CallReply:
        raise AssertionError(f"unexpected call {request.slot}")


def echo(request: ReceivedRequest) -> ScriptedReply:
    """Says the last message again."""
    return ScriptedReply(json=chat_reply(f"About: {request.last_message}"))


def counting() -> Handler:
    """A handler that replies `1`, `2`, … in the order in which requests arrive."""
    numbers = itertools.count(1)

    def handler(request: ReceivedRequest) -> ScriptedReply:
        return ScriptedReply(text=str(next(numbers)))

    return handler


def chat_app(endpoint: ScriptedEndpoint, prompt: str = "Answer fairly") -> App:
    """An app that asks a model twice: for a plan, and then for the answer."""

    async def app(question: str) -> str:
        async with httpx.AsyncClient(base_url=endpoint.url, verify=False) as client:
            plan = await said(client, f"Plan: {question}")
            return await said(client, f"{prompt} by the plan: {plan}")

    return app


async def said(client: httpx.AsyncClient, text: str) -> str:
    """What a model says to a text."""
    body = {"model": "small", "messages": [{"role": "user", "content": text}]}
    reply = await client.post("/v1/chat/completions", json=body)
    return str(reply.json()["choices"][0]["message"]["content"])


def get(url: str) -> str:
    """The text at an address."""
    with httpx.Client(verify=False) as client:
        return client.get(url).text
