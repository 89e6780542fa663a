"""Calls belong to the answer that started the thread; what belongs to none is refused."""

import asyncio
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from pytest_content_bias.cassettes.user_answer import UserAnswer
from pytest_content_bias.cassettes.user_cassette import UserCassette
from pytest_content_bias.cassettes.user_request import user_request
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError, MissingRecording
from tests.scripted_endpoint import ScriptedEndpoint
from tests.user_stage import EIGHT, THREE, App, UserStage, counting


def ask(endpoint: ScriptedEndpoint, question: str) -> str:
    with httpx.Client(verify=False) as client:
        body = {"messages": [{"content": question}]}
        return str(client.post(endpoint.url, json=body).json()["choices"][0]["message"]["content"])


def in_a_thread(work: Callable[[], str]) -> str:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def in_a_subclass_of_thread(work: Callable[[], str]) -> str:
    class Worker(threading.Thread):
        def run(self) -> None:
            self.found = work()

    worker = Worker(daemon=True)
    worker.start()
    worker.join()
    return worker.found


def in_a_pool(work: Callable[[], str]) -> str:
    with ThreadPoolExecutor(2) as pool:
        return pool.submit(work).result()


def in_a_thread_of_a_thread(work: Callable[[], str]) -> str:
    return in_a_thread(lambda: in_a_pool(work))


def in_an_event_loop_of_its_own(work: Callable[[], str]) -> str:
    async def main() -> str:
        return await asyncio.get_running_loop().run_in_executor(None, work)

    return asyncio.run(main())


WAYS = [
    in_a_thread,
    in_a_subclass_of_thread,
    in_a_pool,
    in_a_thread_of_a_thread,
    in_an_event_loop_of_its_own,
]


@pytest.mark.parametrize("way", WAYS)
def test_threads_work_for_the_answer_that_started_them(
    way: Callable[[Callable[[], str]], str], tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    def app(question: str) -> str:
        return way(lambda: ask(endpoint, question))

    recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT, slots=THREE)
    assert recorded[0] == "About: case-0 system/one_sided"
    assert UserStage(tmp_path).ask_shuffled(app, *EIGHT, slots=THREE, seed=5) == recorded
    for name, text in UserStage(tmp_path).texts().items():
        assert {case for case in EIGHT if case in text} == {Path(name).stem}


@pytest.mark.parametrize("hop", ["to_thread", "run_in_executor"])
def test_threads_of_a_coroutine_work_for_its_answer(
    hop: str, tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    async def app(question: str) -> str:
        if hop == "to_thread":
            return await asyncio.to_thread(ask, endpoint, question)
        return await asyncio.get_running_loop().run_in_executor(None, ask, endpoint, question)

    recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT)
    assert UserStage(tmp_path).ask_shuffled(app, *EIGHT, seed=6) == recorded


def test_a_pool_that_outlives_an_answer_works_for_each_that_uses_it(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    with ThreadPoolExecutor(1) as pool:

        def app(question: str) -> str:
            return pool.submit(ask, endpoint, question).result()

        recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT)
        assert UserStage(tmp_path).ask_shuffled(app, *EIGHT, seed=7) == recorded
        # Afterwards its thread belongs to nobody.
        assert pool.submit(ask, endpoint, "afterwards").result() == "About: afterwards"
    assert len(endpoint.requests) == 9


def test_a_miss_in_a_thread_ends_the_case(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    def app(question: str) -> str:
        with ThreadPoolExecutor(1) as pool:
            return str(pool.submit(ask, endpoint, question).exception())

    with pytest.raises(MissingRecording, match="system/plain/app/1"):
        UserStage(tmp_path).ask(app)
    assert endpoint.requests == []


def worker_from_before(endpoint: ScriptedEndpoint, questions: "queue.Queue[str]") -> App:
    """An app whose calls are made by a thread that runs since before it was asked."""
    answers: queue.Queue[str] = queue.Queue()

    def work() -> None:
        while question := questions.get():
            try:
                answers.put(ask(endpoint, question))
            except Exception as error:
                answers.put(f"a fallback after {type(error).__name__}")

    threading.Thread(target=work, name="old-worker", daemon=True).start()

    def app(question: str) -> str:
        questions.put(question)
        return answers.get()

    return app


@pytest.mark.parametrize("mode", ["none", "missing"])
def test_what_belongs_to_no_answer_is_refused_and_not_sent(
    tmp_path: Path, endpoint: ScriptedEndpoint, mode: str
) -> None:
    questions: queue.Queue[str] = queue.Queue()
    app = worker_from_before(endpoint, questions)
    with pytest.raises(CallError) as caught:
        UserStage(tmp_path, mode).ask(app)
    questions.put("")
    assert str(caught.value).startswith(
        f"POST {endpoint.url}: called from thread 'old-worker', which works on no answer"
    )
    assert "content_bias_allowed_hosts" in str(caught.value)
    assert endpoint.requests == []


def test_what_belongs_to_no_answer_may_reach_an_allowed_host(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    questions: queue.Queue[str] = queue.Queue()
    app = worker_from_before(endpoint, questions)
    stage = UserStage(tmp_path, allowed=["127.0.0.1"])
    assert stage.ask(app) == ["About: case system/plain"]
    questions.put("")


def test_a_thread_that_outlives_its_answer_is_refused(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    go = threading.Event()
    told: list[BaseException] = []

    def late() -> None:
        go.wait(10)
        try:
            ask(endpoint, "late")
        except Exception as error:
            told.append(error)

    threads: list[threading.Thread] = []

    def app(question: str) -> str:
        if "first" in question:
            threads.append(threading.Thread(target=late, name="lingering"))
            threads[0].start()
        else:
            go.set()
            threads[0].join()
        return question

    stage = UserStage(tmp_path, "missing")

    async def one_after_the_other() -> None:
        cassette = stage.cassette("case")
        with stage.calls.at_work(), stage.calls.in_case(cassette):
            async with cassette.working():
                await stage.answer(app, "first", "system/one_sided")
                await stage.answer(app, "second", "system/plain")

    with pytest.raises(CallError, match="thread 'lingering', which works on no answer"):
        asyncio.run(one_after_the_other())
    assert len(told) == 1
    assert endpoint.requests == []


def test_a_reply_that_is_being_recorded_when_the_system_has_answered_is_kept(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording, ending = threading.Event(), threading.Event()
    order: list[str] = []

    class SlowCassette(UserCassette):
        def record(self, request: CallRequest, reply: CallReply) -> CallReply:
            recording.set()
            assert ending.wait(10)
            kept = super().record(request, reply)
            order.append("recorded")
            return kept

    def end(answer: UserAnswer) -> None:
        ending.set()
        genuine_end(answer)
        order.append("ended")

    genuine_end = UserAnswer.end
    pool = ThreadPoolExecutor(1)
    begun: list[Future[str]] = []

    def app(question: str) -> str:
        begun.append(pool.submit(ask, endpoint, question))
        assert recording.wait(10)
        return question

    monkeypatch.setattr("tests.user_stage.UserCassette", SlowCassette)
    monkeypatch.setattr(UserAnswer, "end", end)
    stage = UserStage(tmp_path, "missing")
    with pool:
        stage.ask(app)

    assert begun[0].result() == "About: case system/plain"
    assert [record.slot for record in stage.records] == ["system/plain/app/1"]
    assert order == ["recorded", "ended"]


def test_a_call_that_starts_when_the_system_has_answered_is_not_sent(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    starting, answered = threading.Event(), threading.Event()

    def slowly(request: object, slot: str) -> CallRequest:
        starting.set()
        assert answered.wait(10)
        return user_request(request, slot)

    pool = ThreadPoolExecutor(1)
    begun: list[Future[str]] = []

    def app(question: str) -> str:
        begun.append(pool.submit(ask, endpoint, question))
        assert starting.wait(10)
        return question

    monkeypatch.setattr("pytest_content_bias.cassettes.user_router.user_request", slowly)
    with pool:
        UserStage(tmp_path, "missing").ask(app)
        answered.set()

    with pytest.raises(CallError, match="was called after the system had answered"):
        begun[0].result()
    assert endpoint.requests == []
    assert list(tmp_path.iterdir()) == []


def test_a_call_from_another_process_is_refused(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def app(question: str) -> str:
        here = os.getpid()
        with monkeypatch.context() as child:
            child.setattr(os, "getpid", lambda: here + 1)
            return ask(endpoint, question)

    with pytest.raises(CallError, match="called in a process of its own"):
        UserStage(tmp_path, "missing").ask(app)
    assert endpoint.requests == []


def test_threads_that_nobody_attends_to_start_as_ever(tmp_path: Path) -> None:
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit
    with ScriptedEndpoint(counting()):
        UserStage(tmp_path).ask(str.upper)
    assert (threading.Thread.start, ThreadPoolExecutor.submit) == (start, submit)
