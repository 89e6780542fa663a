"""What the system's own code calls is recorded and replayed."""

import asyncio
import difflib
import itertools
import json
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts
from pytest_content_bias.cassettes.network_guard import NetworkRefused, network_guard
from pytest_content_bias.cassettes.user_calls import UserCalls
from pytest_content_bias.vocabulary.calls import CallRequest, Usage
from pytest_content_bias.vocabulary.errors import (
    CallsStopped,
    CassetteError,
    MissingRecording,
)
from tests.scripted_endpoint import (
    ReceivedRequest,
    ScriptedEndpoint,
    ScriptedReply,
    chat_reply,
    in_turn,
)
from tests.user_stage import EIGHT, THREE, App, UserStage, counting, echo

REPETITIONS = 5


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(echo) as endpoint:
        yield endpoint


def chat_app(endpoint: ScriptedEndpoint, prompt: str = "Answer fairly") -> App:
    """An app that asks a model twice: for a plan, and then for the answer."""

    async def app(question: str) -> str:
        async with httpx.AsyncClient(base_url=endpoint.url, verify=False) as client:
            plan = await said(client, f"Plan: {question}")
            return await said(client, f"{prompt} by the plan: {plan}")

    return app


async def said(client: httpx.AsyncClient, text: str) -> str:
    body = {"model": "small", "messages": [{"role": "user", "content": text}]}
    reply = await client.post("/v1/chat/completions", json=body)
    return str(reply.json()["choices"][0]["message"]["content"])


def get(url: str) -> str:
    with httpx.Client(verify=False) as client:
        return client.get(url).text


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


def test_eight_cases_at_once_in_any_order_give_the_same_answers_and_the_same_files(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    app = chat_app(endpoint)
    recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT, slots=THREE)
    texts = UserStage(tmp_path).texts()
    for seed in range(REPETITIONS):
        stage = UserStage(tmp_path)
        assert stage.ask_shuffled(app, *EIGHT, slots=THREE, seed=seed) == recorded
        assert stage.texts() == texts
    assert len(endpoint.requests) == 8 * 3 * 2


def test_recording_everything_anew_changes_no_file_when_the_answers_are_the_same(
    tmp_path: Path,
) -> None:
    ids = itertools.count()

    def handler(request: ReceivedRequest) -> ScriptedReply:
        number = next(ids)
        reply = chat_reply(f"About: {request.last_message}")
        return ScriptedReply(json=reply | {"id": f"chatcmpl-{number}", "created": number})

    with ScriptedEndpoint(handler) as endpoint:
        app = chat_app(endpoint)
        UserStage(tmp_path, "missing").ask(app, *EIGHT, slots=THREE)
        texts = UserStage(tmp_path).texts()
        for seed, mode in enumerate(["all", "system"]):
            UserStage(tmp_path, mode).ask_shuffled(app, *EIGHT, slots=THREE, seed=seed)
            assert UserStage(tmp_path).texts() == texts
        assert len(endpoint.requests) == 3 * 8 * 3 * 2


def test_each_cassette_holds_the_calls_of_its_own_case(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    UserStage(tmp_path, "missing").ask(chat_app(endpoint), *EIGHT)
    for name, text in UserStage(tmp_path).texts().items():
        assert {case for case in EIGHT if f"{case} system" in text} == {Path(name).stem}


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


def test_code_that_calls_nothing_needs_no_cassette(tmp_path: Path) -> None:
    assert UserStage(tmp_path).ask(str.upper) == ["CASE SYSTEM/PLAIN"]
    assert UserStage(tmp_path).texts() == {}


def test_identical_calls_keep_their_order(tmp_path: Path) -> None:
    with ScriptedEndpoint(counting()) as endpoint:

        def app(question: str) -> list[str]:
            return [get(f"{endpoint.url}/sample") for _ in range(3)]

        recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT)
        assert UserStage(tmp_path).ask_shuffled(app, *EIGHT, seed=1) == recorded
        assert all(sample == sorted(sample, key=int) for sample in recorded)


def test_identical_calls_at_once_are_told_apart_by_who_starts_first(tmp_path: Path) -> None:
    delays = iter((0.09, 0.06, 0.03))
    numbers = itertools.count()

    def handler(request: ReceivedRequest) -> ScriptedReply:
        return ScriptedReply(text=str(next(numbers)), delay=next(delays))

    with ScriptedEndpoint(handler) as endpoint:

        async def app(question: str) -> list[str]:
            async with httpx.AsyncClient(verify=False) as client:
                first = asyncio.create_task(client.get(endpoint.url))
                while len(endpoint.requests) < 1 and not first.done():
                    await asyncio.sleep(0)
                replies = await asyncio.gather(first, *(client.get(endpoint.url) for _ in "ab"))
                return [reply.text for reply in replies]

        recorded = UserStage(tmp_path, "missing").ask(app)
        assert recorded[0][0] == "0"
        assert UserStage(tmp_path).ask(app) == recorded


def test_a_call_that_is_made_once_more_than_recorded_is_used_up(tmp_path: Path) -> None:
    with ScriptedEndpoint(counting()) as endpoint:
        UserStage(tmp_path, "missing").ask(lambda _: [get(endpoint.url) for _ in range(2)])
        with pytest.raises(MissingRecording, match="recorded 2 times, and was made once more"):
            UserStage(tmp_path).ask(lambda _: [get(endpoint.url) for _ in range(3)])
        assert len(endpoint.requests) == 2


def test_different_calls_at_once_may_start_in_any_order(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    def in_order(*texts: str) -> App:
        async def app(question: str) -> dict[str, str]:
            async with httpx.AsyncClient(base_url=endpoint.url, verify=False) as client:
                replies = await asyncio.gather(*(said(client, text) for text in texts))
            return dict(zip(texts, replies, strict=True))

        return app

    recorded = UserStage(tmp_path, "missing").ask(in_order("a b", "c d", "e f"))
    texts = UserStage(tmp_path).texts()
    UserStage(tmp_path, "all").ask(in_order("e f", "a b", "c d"))
    assert UserStage(tmp_path).texts() == texts
    for order in itertools.permutations(["a b", "c d", "e f"]):
        assert UserStage(tmp_path).ask(in_order(*order)) == recorded


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

    with network_guard(()), pytest.raises(NetworkRefused, match=r"test_user_calls.py:\d+ \(in app"):
        UserStage(tmp_path).ask(app)
    assert endpoint.connections == 0


def test_the_results_keep_model_tokens_and_whether_a_call_was_paid(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    for mode in ("missing", "none"):
        stage = UserStage(tmp_path, mode)
        stage.ask(chat_app(endpoint))
        assert [record.slot for record in stage.records] == [
            "system/plain/app/1",
            "system/plain/app/2",
        ]
        record = stage.records[0]
        assert (record.role, record.model, record.host) == ("system", "small", endpoint.url)
        assert record.usage == Usage(input_tokens=11, output_tokens=7)
        assert record.replayed == (mode == "none")
        assert record.recorded


def test_a_call_without_model_is_named_by_method_and_path(tmp_path: Path) -> None:
    with ScriptedEndpoint(counting()) as endpoint:
        stage = UserStage(tmp_path, "missing")
        stage.ask(lambda _: get(f"{endpoint.url}/search?q=x"))
    assert stage.records[0].model == "GET /search"


def test_a_bound_on_calls_holds_for_the_systems_own_calls(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    def admit(request: CallRequest) -> None:
        if admitted:
            raise CallsStopped(f"{request.slot}: not called")
        admitted.append(request.slot)

    admitted: list[str] = []
    with pytest.raises(CallsStopped, match="system/plain/app/2: not called"):
        UserStage(tmp_path, "missing", admit=admit).ask(chat_app(endpoint))
    assert admitted == ["system/plain/app/1"]
    assert len(endpoint.requests) == 1


def test_a_reply_that_cannot_be_stored_ends_the_case(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    stage = UserStage(tmp_path / "file", "missing")
    (tmp_path / "file").touch()

    def app(question: str) -> str:
        try:
            return get(endpoint.url)
        except BaseException:
            return "a fallback"

    with pytest.raises(CassetteError, match="cannot be"):
        stage.ask(app)
    assert endpoint.requests == []


def test_two_metrics_of_a_case_pay_once_for_the_same_answer(tmp_path: Path) -> None:
    with ScriptedEndpoint(counting()) as endpoint:
        stage = UserStage(tmp_path, "all")

        def app(question: str) -> list[str]:
            return [get(endpoint.url), get(endpoint.url)]

        async def metrics() -> list[Any]:
            cassette = stage.cassette("case")

            async def metric() -> Any:
                async with cassette.working():
                    with stage.calls.in_case(cassette):
                        answer = await stage.answer(app, "case", "system/plain")
                    cassette.finish()
                    return answer

            with stage.calls.at_work():
                return list(await asyncio.gather(metric(), metric()))

        assert asyncio.run(metrics()) == [["1", "2"], ["1", "2"]]
        assert len(endpoint.requests) == 2
        assert UserStage(tmp_path).ask(app) == [["1", "2"]]


def test_before_the_loop_stops_every_answer_ends_and_none_is_begun(tmp_path: Path) -> None:
    calls = UserCalls(AllowedHosts())
    stage = UserStage(tmp_path)
    begun: list[str] = []

    async def answer(slot: str, go: asyncio.Event) -> None:
        with calls.in_case(stage.cassette(slot)):
            async with calls.answering(f"system/{slot}"):
                begun.append(slot)
                await go.wait()

    async def main() -> None:
        go = asyncio.Event()
        with calls.at_work():
            first = asyncio.create_task(answer("first", go))
            while not begun:
                await asyncio.sleep(0)
            quiet = asyncio.create_task(calls.quiet())
            await asyncio.sleep(0)
            second = asyncio.create_task(answer("second", go))
            for _ in range(10):
                await asyncio.sleep(0)
            assert (begun, quiet.done()) == (["first"], False)
            go.set()
            await quiet
            assert first.done()
        with calls.at_work():
            await second
        assert begun == ["first", "second"]

    asyncio.run(main())


def test_who_still_waits_when_the_run_ends_is_not_asked(tmp_path: Path) -> None:
    stage = UserStage(tmp_path)
    stage.calls.stop("the run is ending")
    with pytest.raises(CallsStopped, match="system/plain: not asked, the run is ending"):
        stage.ask(str.upper)
