"""What the system's own code calls is recorded and replayed."""

import difflib
import json
import urllib.request
from pathlib import Path
from typing import Any

import httpx

from pytest_content_bias.cassettes.network_guard import network_guard
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply, in_turn
from tests.user_stage import EIGHT, UserStage, chat_app, counting, get


def test_what_was_recorded_is_replayed_without_network(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    recorded = UserStage(tmp_path, "missing").ask(chat_app(endpoint))
    sent = len(endpoint.requests)
    with network_guard(()):
        assert UserStage(tmp_path).ask(chat_app(endpoint)) == recorded
    assert recorded == [
        "About: Answer fairly by the plan: About: Plan: case system/plain",
    ]
    assert (sent, len(endpoint.requests)) == (2, 2)


def test_each_cassette_holds_the_calls_of_its_own_case(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    UserStage(tmp_path, "missing").ask(chat_app(endpoint), *EIGHT)
    for name, text in UserStage(tmp_path).texts().items():
        assert {case for case in EIGHT if f"{case} system" in text} == {Path(name).stem}


def test_a_changed_word_changes_at_most_three_lines_of_the_cassette(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    for mode in ("missing", "system"):
        folder = tmp_path / mode
        UserStage(folder, "missing").ask(chat_app(endpoint))
        before = UserStage(folder).texts()["case.yaml"]
        UserStage(folder, mode).ask(chat_app(endpoint, "Answer loudly"))
        after = UserStage(folder).texts()["case.yaml"]
        diff = difflib.ndiff(before.splitlines(), after.splitlines())
        added = [line for line in diff if line.startswith("+ ")]
        # The echo repeats the word, so that the reply changes too.
        assert 3 <= len(added) <= 4, "\n".join(added)


def test_only_what_is_missing_is_sent_when_recording_goes_on(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    UserStage(tmp_path, "missing").ask(chat_app(endpoint))
    stage = UserStage(tmp_path, "missing")
    assert stage.ask(chat_app(endpoint, "Answer loudly"))[0].startswith("About: Answer loudly")
    assert [record.replayed for record in stage.records] == [True, False]
    assert len(endpoint.requests) == 3


def test_code_that_calls_nothing_needs_no_cassette(tmp_path: Path) -> None:
    assert UserStage(tmp_path).ask(str.upper) == ["CASE SYSTEM/PLAIN"]
    assert UserStage(tmp_path).texts() == {}


def test_replies_that_ask_to_try_again_are_not_recorded(tmp_path: Path) -> None:
    replies = (
        ScriptedReply(status=429, text="slow down"),
        ScriptedReply(status=503, text="busy"),
        ScriptedReply(disconnect=True),
        ScriptedReply(text="at last"),
        ScriptedReply(status=404, text="nothing here"),
    )
    with ScriptedEndpoint(in_turn(*replies)) as endpoint:

        def app(question: str) -> list[str]:
            seen: list[str] = []
            while "at last" not in seen:
                try:
                    seen.append(get(endpoint.url))
                except httpx.RemoteProtocolError:
                    seen.append("gone")
            return [*seen, get(f"{endpoint.url}/other")]

        assert UserStage(tmp_path, "missing").ask(app) == [
            ["slow down", "busy", "gone", "at last", "nothing here"]
        ]
        assert UserStage(tmp_path).ask(app) == [["at last", "nothing here"]]
    text = UserStage(tmp_path).texts()["case.yaml"]
    assert [line for line in text.splitlines() if "slot" in line] == [
        "- slot: system/plain/app/1",
        "- slot: system/plain/app/2",
    ]


def test_a_redirection_is_followed_again(tmp_path: Path) -> None:
    def handler(request: ReceivedRequest) -> ScriptedReply:
        if request.path == "/old":
            return ScriptedReply(text="", status=302, headers={"location": "/new"})
        return ScriptedReply(text="moved here")

    with ScriptedEndpoint(handler) as endpoint:

        def app(question: str) -> str:
            return httpx.get(f"{endpoint.url}/old", follow_redirects=True).text

        assert UserStage(tmp_path, "missing").ask(app) == ["moved here"]
        assert UserStage(tmp_path).ask(app) == ["moved here"]
        assert len(endpoint.requests) == 2


def test_the_standard_library_is_recorded_too(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    def app(question: str) -> str:
        body = json.dumps({"messages": [{"content": question}]}).encode()
        request = urllib.request.Request(endpoint.url, body, {"content-type": "application/json"})
        with urllib.request.urlopen(request) as reply:
            return str(json.load(reply)["choices"][0]["message"]["content"])

    recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT)
    assert UserStage(tmp_path).ask_shuffled(app, *EIGHT, seed=3) == recorded
    assert len(endpoint.requests) == 8


def test_an_application_in_the_same_process_runs_in_every_mode(tmp_path: Path) -> None:
    async def service(scope: Any, receive: Any, send: Any) -> None:
        served.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"from the application"})

    async def app(question: str) -> str:
        transport = httpx.ASGITransport(service)
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
            return (await client.get("/ask")).text

    served: list[str] = []
    for mode in ("missing", "none"):
        assert UserStage(tmp_path, mode).ask(app) == ["from the application"]
    assert served == ["/ask", "/ask"]
    assert UserStage(tmp_path).texts() == {}


def test_calls_to_an_allowed_host_go_through_and_are_not_recorded(tmp_path: Path) -> None:
    with ScriptedEndpoint(counting()) as endpoint:
        allowed = [endpoint.url.removeprefix("http://")]
        for number, mode in enumerate(["missing", "none"], start=1):
            stage = UserStage(tmp_path, mode, allowed=allowed)
            with network_guard(allowed):
                assert stage.ask(lambda _: get(endpoint.url)) == [str(number)]
    assert UserStage(tmp_path).texts() == {}
