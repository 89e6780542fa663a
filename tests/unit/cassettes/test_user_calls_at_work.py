"""What a run makes of the system's own calls: results, bounds, metrics, its end."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts
from pytest_content_bias.cassettes.user_calls import UserCalls
from pytest_content_bias.vocabulary.calls import CallRequest, Usage
from pytest_content_bias.vocabulary.errors import CallsStopped, CassetteError
from tests.scripted_endpoint import ScriptedEndpoint
from tests.user_stage import UserStage, chat_app, counting, get


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
