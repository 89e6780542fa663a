"""Other tests, and other users of vcrpy, are left as they were."""

import asyncio
import gc
import http.client
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import vcr  # type: ignore[import-untyped]

from tests.scripted_endpoint import ScriptedEndpoint
from tests.user_stage import EIGHT, UserStage, counting

PATCHED: list[tuple[Any, str]] = [
    (httpx.HTTPTransport, "handle_request"),
    (httpx.AsyncHTTPTransport, "handle_async_request"),
    (httpx.MockTransport, "handle_request"),
    (httpx.ASGITransport, "handle_async_request"),
    (http.client, "HTTPConnection"),
    (http.client, "HTTPSConnection"),
    (threading.Thread, "start"),
    (ThreadPoolExecutor, "submit"),
]


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(counting()) as endpoint:
        yield endpoint


def found() -> list[object]:
    return [getattr(owner, name) for owner, name in PATCHED]


def get(url: str) -> str:
    return httpx.get(url, verify=False).text


def test_every_library_is_as_it_was_when_the_loop_stands(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    before = found()
    during: list[list[object]] = []

    def app(question: str) -> str:
        during.append(found())
        return get(endpoint.url)

    UserStage(tmp_path, "missing").ask(app, *EIGHT)
    assert found() == before
    assert all(one != other for one, other in zip(during[0][:2], before[:2], strict=True))
    assert get(endpoint.url) == "9"


def test_an_interrupt_leaves_nothing_patched(tmp_path: Path) -> None:
    before = found()

    async def app(question: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        UserStage(tmp_path).ask(app)
    assert found() == before


def test_code_that_goes_on_when_the_loop_starts_again_is_attended_to_again(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    stage = UserStage(tmp_path, "missing")

    async def main() -> None:
        go = asyncio.Event()

        async def app(question: str) -> str:
            await go.wait()
            async with httpx.AsyncClient(verify=False) as client:
                return (await client.get(endpoint.url)).text

        async def case() -> Any:
            cassette = stage.cassette("case")
            async with cassette.working():
                with stage.calls.in_case(cassette):
                    return await stage.answer(app, "case", "system/plain")

        with stage.calls.at_work():
            task = asyncio.create_task(case())
            while not stage.texts() and not task.done() and not go.is_set():
                await asyncio.sleep(0)
                if found()[0] is not before[0]:
                    go.set()
        assert found() == before
        with stage.calls.at_work():
            assert await task == "1"

    before = found()
    asyncio.run(main())
    assert found() == before
    assert "system/plain/app/1" in stage.texts()["case.yaml"]


def test_an_outer_cassette_of_vcrpy_sees_nothing_and_works_on(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    def app(question: str) -> str:
        return get(f"{endpoint.url}/ours")

    ours, theirs = tmp_path / "ours", tmp_path / "theirs.yaml"
    with vcr.use_cassette(str(theirs)) as cassette:
        get(f"{endpoint.url}/before")
        recorded = UserStage(ours, "missing").ask(app, *EIGHT)
        assert UserStage(ours).ask_shuffled(app, *EIGHT, seed=1) == recorded
        get(f"{endpoint.url}/after")
        assert [request.path for request in cassette.requests] == ["/before", "/after"]
    assert len(endpoint.requests) == 10
    assert UserStage(ours).ask(app, *EIGHT) == recorded


def test_an_outer_cassette_that_replays_only_changes_nothing(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    with vcr.use_cassette(str(tmp_path / "none.yaml"), record_mode="none"):
        recorded = UserStage(tmp_path / "ours", "missing").ask(lambda _: get(endpoint.url))
        with pytest.raises(vcr.errors.CannotOverwriteExistingCassetteException):
            get(endpoint.url)
    assert recorded == ["1"]


def test_a_patch_that_another_cassette_leaked_changes_nothing(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    class FullDisk:
        @staticmethod
        def load_cassette(path: str, serializer: object) -> None:
            raise vcr.persisters.filesystem.CassetteNotFoundError

        @staticmethod
        def save_cassette(path: str, data: object, serializer: object) -> None:
            raise OSError("disk full")

    genuine = found()
    recorder = vcr.VCR()
    recorder.register_persister(FullDisk)
    leaky = recorder.use_cassette("leaked")
    leaky.__enter__()
    get(endpoint.url)
    with pytest.raises(OSError, match="disk full"):
        leaky.__exit__(None, None, None)
    leaked = found()
    recorded = UserStage(tmp_path, "missing").ask(lambda _: get(endpoint.url))
    assert UserStage(tmp_path).ask(lambda _: get(endpoint.url)) == recorded == ["2"]
    assert found() == leaked != genuine
    del leaky
    gc.collect()
    assert found() == genuine
