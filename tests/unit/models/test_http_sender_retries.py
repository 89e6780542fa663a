"""What is sent again, after how long, and when it is given up."""

import asyncio
import socket
import threading

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.vocabulary.errors import CallError
from tests.exchanges import VirtualTime
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply, in_turn
from tests.unit.models.sender_helpers import OK, always, call, failing, sending


def test_latency_is_that_of_the_successful_attempt() -> None:
    time = VirtualTime()
    with ScriptedEndpoint(in_turn(ScriptedReply(status=503), OK)) as endpoint:
        (reply,) = sending(call(endpoint.url), time=time)
    assert time.naps == [0.5]
    assert reply.latency_ms == 0


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_transient_status_is_tried_again(status: int) -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(status=status), OK)) as endpoint:
        (reply,) = sending(call(endpoint.url))
    assert reply.body == {"ok": True}


def test_a_broken_connection_is_tried_again() -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(disconnect=True), OK)) as endpoint:
        (reply,) = sending(call(endpoint.url))
    assert reply.body == {"ok": True}


def test_a_slow_attempt_is_tried_again() -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(delay=30), OK)) as endpoint:
        (reply,) = sending(call(endpoint.url, timeout=0.2))
    assert reply.body == {"ok": True}


def test_after_six_attempts_with_growing_pauses_the_endpoints_words_are_the_error() -> None:
    time = VirtualTime()
    overloaded = ScriptedReply(status=503, json={"error": {"message": "Model is loading."}})
    with ScriptedEndpoint(always(overloaded)) as endpoint, pytest.raises(CallError) as caught:
        sending(call(endpoint.url + "/v1/chat"), time=time)
    assert len(endpoint.requests) == 6
    assert time.naps == [0.5, 1.0, 2.0, 4.0, 8.0]
    assert str(caught.value) == (
        f"judge/one_sided: POST {endpoint.url}/v1/chat failed after 6 attempts: status 503: "
        "Model is loading. Run again later with --content-bias-record=missing; what was recorded "
        "is kept."
    )


def test_retry_after_in_seconds_is_honoured() -> None:
    time = VirtualTime()
    later = ScriptedReply(status=429, headers={"Retry-After": "7"})
    with ScriptedEndpoint(in_turn(later, OK)) as endpoint:
        sending(call(endpoint.url), time=time)
    assert time.naps == [7.0]


def test_a_wait_of_more_than_a_minute_ends_the_call_and_says_so() -> None:
    later = ScriptedReply(status=429, text="Daily limit", headers={"Retry-After": "3600"})
    with ScriptedEndpoint(in_turn(later)) as endpoint:
        message = failing(call(endpoint.url))
    assert "status 429: Daily limit. It asks to wait 3600 s, more than 60 s." in message


def test_an_exhausted_quota_is_not_tried_again() -> None:
    error: JsonValue = {"error": {"message": "You ran out.", "code": "insufficient_quota"}}
    with ScriptedEndpoint(in_turn(ScriptedReply(status=429, json=error))) as endpoint:
        message = failing(call(endpoint.url))
    assert "status 429: You ran out." in message


def test_after_a_429_all_calls_to_the_host_wait() -> None:
    together = threading.Barrier(4)
    sent_at: list[float] = []
    time = VirtualTime()

    def handler(_: ReceivedRequest) -> ScriptedReply:
        sent_at.append(time.clock())
        if len(sent_at) <= 4:
            together.wait(10)
            return ScriptedReply(status=429, headers={"Retry-After": "5"})
        return OK

    with ScriptedEndpoint(handler) as endpoint:
        replies = sending(*[call(endpoint.url) for _ in range(4)], time=time)
    assert [reply.status for reply in replies] == [200] * 4
    assert len(sent_at) == 8
    assert sent_at[:4] == [0.0] * 4
    assert all(time_of_call >= 5.0 for time_of_call in sent_at[4:])


def test_nothing_listening_is_an_error_that_asks_whether_it_runs() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        time = VirtualTime()
        with pytest.raises(CallError) as caught:
            sending(call(url), time=time)
        message = str(caught.value)
    assert f"POST {url} failed after 3 attempts: connection refused. " in message
    assert time.naps == [0.5, 1.0]
    assert message.endswith(
        "Is it running, and is `base_url` of the judge in content_bias.yaml right?"
    )


def test_a_host_of_two_addresses_where_nothing_listens_is_refused_alike() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        message = failing(call(f"http://localhost:{unused.getsockname()[1]}"))
    assert "failed after 3 attempts: connection refused. " in message


def test_a_host_that_has_replied_once_is_given_time_to_come_back() -> None:
    time = VirtualTime()

    async def send() -> str:
        sender = HttpSender(sleep=time.sleep, clock=time.clock, random=lambda: 1.0)
        with ScriptedEndpoint(in_turn(ScriptedReply(status=400, json={"error": "no"}))) as endpoint:
            request = call(endpoint.url)
            with pytest.raises(CallError, match="status 400"):
                await sender.send(request)
        await sender.aclose()
        with pytest.raises(CallError) as caught:
            await sender.send(request)
        return str(caught.value)

    assert "failed after 6 attempts: connection refused. " in asyncio.run(send())
    assert time.naps == [0.5, 1.0, 2.0, 4.0, 8.0]
