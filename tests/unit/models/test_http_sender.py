"""What is sent, and what a reply carries."""

import asyncio
import threading
from dataclasses import replace

from pytest_content_bias.models.http_sender import HttpSender
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply, in_turn
from tests.unit.models.sender_helpers import OK, always, call, sending, sending_in_turn


def test_a_reply_carries_status_body_and_host_without_credentials() -> None:
    with ScriptedEndpoint(in_turn(OK)) as endpoint:
        url = endpoint.url.replace("//", "//user:password@") + "/v1?api-version=1"
        (reply,) = sending(call(url, {"question": "Où?"}))
    assert (reply.status, reply.body, reply.host) == (200, {"ok": True}, endpoint.url)
    assert not reply.replayed
    received = endpoint.requests[0]
    assert (received.path, received.body) == ("/v1?api-version=1", {"question": "Où?"})
    assert received.headers["accept-encoding"] == "identity"
    assert received.headers["content-type"] == "application/json"


def test_a_call_without_body_sends_none() -> None:
    with ScriptedEndpoint(in_turn(OK)) as endpoint:
        sending(replace(call(endpoint.url), method="GET", body=None))
    assert (endpoint.requests[0].method, endpoint.requests[0].raw) == ("GET", b"")


def test_connections_are_kept_alive_and_shared() -> None:
    with ScriptedEndpoint(always(OK)) as endpoint:
        sending_in_turn(*[call(endpoint.url) for _ in range(5)])
    assert (len(endpoint.requests), endpoint.connections) == (5, 1)


def test_a_sender_that_never_sent_can_be_closed() -> None:
    asyncio.run(HttpSender().aclose())


def test_calls_are_in_flight_at_once() -> None:
    together = threading.Barrier(8)

    def wait_for_the_others(_: ReceivedRequest) -> ScriptedReply:
        together.wait(10)
        return OK

    with ScriptedEndpoint(wait_for_the_others) as endpoint:
        sending(*[call(endpoint.url) for _ in range(8)])
    assert endpoint.max_in_flight == 8


def test_text_that_is_not_json_stays_text() -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(text="déjà vu"))) as endpoint:
        (reply,) = sending(call(endpoint.url))
    assert reply.body == "déjà vu"


def test_half_of_a_surrogate_pair_is_replaced() -> None:
    with ScriptedEndpoint(
        in_turn(ScriptedReply(text='{"t": "\\ud83d, \\ud83d\\ude00"}'))
    ) as endpoint:
        (reply,) = sending(call(endpoint.url))
    assert reply.body == {"t": "\N{REPLACEMENT CHARACTER}, \N{GRINNING FACE}"}
