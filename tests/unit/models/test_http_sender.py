"""What is sent, and what a reply carries."""

import asyncio
import threading
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

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
    assert received.raw == '{"question":"Où?"}'.encode()


@pytest.mark.parametrize(
    ("headers", "sent"),
    [({}, "Basic dXNlcjpwYXNzd29yZA=="), ({"Authorization": "Bearer key"}, "Bearer key")],
)
def test_credentials_in_the_url_are_sent_where_no_header_is_set(
    headers: dict[str, str], sent: str
) -> None:
    with ScriptedEndpoint(in_turn(OK)) as endpoint:
        url = endpoint.url.replace("//", "//user:password@")
        sending(call(url, headers=headers))
    assert endpoint.requests[0].headers.get_all("authorization") == [sent]


def test_headers_of_the_call_replace_those_that_are_always_sent() -> None:
    with ScriptedEndpoint(in_turn(OK)) as endpoint:
        sending(call(endpoint.url, headers={"User-Agent": "mine", "Content-Type": "text/json"}))
    headers = endpoint.requests[0].headers
    assert headers.get_all("user-agent") == ["mine"]
    assert headers.get_all("content-type") == ["text/json"]


@pytest.mark.parametrize("variable", ["http_proxy", "ALL_PROXY"])
def test_a_proxy_of_the_environment_is_used(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedEndpoint(in_turn(OK)) as proxy:
        monkeypatch.setenv(variable, proxy.url)
        (reply,) = sending(call("http://model.invalid/v1"))
    assert reply.body == {"ok": True}
    assert proxy.requests[0].path == "http://model.invalid/v1"


@pytest.mark.parametrize("named", ["{host}", "{host}:{port}", "other, {host}", "*"])
def test_hosts_that_no_proxy_names_are_called_directly(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedEndpoint(in_turn(OK)) as endpoint:
        url = urlsplit(endpoint.url)
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        monkeypatch.setenv("no_proxy", named.format(host=url.hostname, port=url.port))
        sending(call(endpoint.url + "/v1"))
    assert endpoint.requests[0].path == "/v1"


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


HALF = '"\ud83d, \N{GRINNING FACE}"'


@pytest.mark.parametrize(
    "raw",
    [
        rb'"\ud83d, \ud83d\ude00"',
        rb'"\uDC00, \uD83D\uDE00"',
        HALF.encode("utf-8", "surrogatepass"),
        HALF.encode("utf-16", "surrogatepass"),
        HALF.encode("utf-32-le", "surrogatepass"),
    ],
)
def test_half_of_a_surrogate_pair_is_replaced(raw: bytes) -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(raw=raw))) as endpoint:
        (reply,) = sending(call(endpoint.url))
    assert reply.body == "\N{REPLACEMENT CHARACTER}, \N{GRINNING FACE}"
