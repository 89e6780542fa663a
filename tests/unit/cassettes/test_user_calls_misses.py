"""Calls of the system's own code that no recording answers end the case."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from pytest_content_bias.cassettes.network_guard import NetworkRefused, network_guard
from pytest_content_bias.vocabulary.errors import MissingRecording
from tests.scripted_endpoint import ScriptedEndpoint
from tests.user_stage import UserStage, chat_app, counting, get


def test_a_changed_prompt_is_a_miss_that_shows_the_changed_words_and_sends_nothing(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    UserStage(tmp_path, "missing").ask(chat_app(endpoint))
    with pytest.raises(MissingRecording) as caught:
        UserStage(tmp_path).ask(chat_app(endpoint, "Answer loudly"))
    message = str(caught.value)
    assert message.startswith("system/plain/app/2 of cases.bias.yaml::case: ")
    assert "messages[0].content: Answer [-fairly-]{+loudly+} by the plan" in message
    assert 'pytest "cases.bias.yaml::case" --content-bias-record=missing' in message
    assert len(endpoint.requests) == 2


def test_a_new_call_is_a_miss(tmp_path: Path) -> None:
    with ScriptedEndpoint(counting()) as endpoint:
        UserStage(tmp_path, "missing").ask(lambda _: get(f"{endpoint.url}/first"))
        with pytest.raises(MissingRecording, match=r"system/plain/app/2 .*\(new call\)"):
            UserStage(tmp_path).ask(
                lambda _: (get(f"{endpoint.url}/first"), get(f"{endpoint.url}/a/b/c?d=e&f=g"))
            )


def test_a_case_without_cassette_is_a_miss(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    with pytest.raises(MissingRecording, match="no cassette"):
        UserStage(tmp_path).ask(chat_app(endpoint))
    assert endpoint.requests == []


def test_a_call_that_is_made_once_more_than_recorded_is_used_up(tmp_path: Path) -> None:
    with ScriptedEndpoint(counting()) as endpoint:
        UserStage(tmp_path, "missing").ask(lambda _: [get(endpoint.url) for _ in range(2)])
        with pytest.raises(MissingRecording, match="recorded 2 times, and was made once more"):
            UserStage(tmp_path).ask(lambda _: [get(endpoint.url) for _ in range(3)])
        assert len(endpoint.requests) == 2


@pytest.mark.parametrize("swallowed", [Exception, BaseException])
def test_a_miss_ends_the_case_whatever_the_code_makes_of_it(
    tmp_path: Path, endpoint: ScriptedEndpoint, swallowed: type[BaseException]
) -> None:
    def app(question: str) -> str:
        for attempt in range(3):
            try:
                return get(f"{endpoint.url}/{attempt}")
            except swallowed:
                continue
        return "a fallback"

    with pytest.raises(MissingRecording, match="system/plain/app/1") as caught:
        UserStage(tmp_path).ask(app)
    assert caught.value.__cause__ is None
    assert endpoint.requests == []


def test_a_miss_of_one_case_leaves_the_others_alone(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    UserStage(tmp_path, "missing").ask(chat_app(endpoint), "a")
    stage = UserStage(tmp_path)

    async def both() -> list[Any]:
        async def one(case: str) -> Any:
            cassette = stage.cassette(case)
            async with cassette.working():
                with stage.calls.in_case(cassette):
                    return await stage.answer(chat_app(endpoint), case, "system/plain")

        with stage.calls.at_work():
            return list(await asyncio.gather(one("a"), one("b"), return_exceptions=True))

    answer, error = asyncio.run(both())
    assert answer.startswith("About: Answer fairly")
    assert isinstance(error, MissingRecording)


def test_a_connection_of_another_kind_ends_the_case_in_replay_although_it_was_swallowed(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    port = int(endpoint.url.rpartition(":")[2])

    def app(question: str) -> str:
        try:
            with socket.create_connection(("127.0.0.1", port)):
                return "connected"
        except OSError:
            return "a fallback"

    with (
        network_guard(()),
        pytest.raises(NetworkRefused, match=r"test_user_calls_misses.py:\d+ \(in app"),
    ):
        UserStage(tmp_path).ask(app)
    assert endpoint.connections == 0
