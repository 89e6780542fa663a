"""Recordings of the system's own calls are found in whatever order the calls are made."""

import asyncio
import itertools
from pathlib import Path

import httpx

from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply, chat_reply
from tests.user_stage import EIGHT, THREE, App, UserStage, chat_app, counting, get, said

REPETITIONS = 5


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
