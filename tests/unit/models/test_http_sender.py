import asyncio
import socket
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import JsonValue

from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError
from tests.exchanges import VirtualTime
from tests.scripted_endpoint import (
    ReceivedRequest,
    ScriptedEndpoint,
    ScriptedReply,
    in_turn,
)

KEY = "sk-very-secret-key"
OK = ScriptedReply(json={"ok": True})


def call(url: str, body: JsonValue = None, **changes: object) -> CallRequest:
    request = CallRequest(
        slot="judge/one_sided",
        method="POST",
        url=url,
        identity={"wire": "openai"},
        body={"model": "m"} if body is None else body,
        headers={"authorization": f"Bearer {KEY}"},
        timeout=5.0,
    )
    return replace(request, **changes)  # type: ignore[arg-type]


def sending(*requests: CallRequest, time: VirtualTime | None = None) -> list[CallReply]:
    """Send calls at once through one sender, whose waiting takes no time."""
    time = time or VirtualTime()

    async def send() -> list[CallReply]:
        sender = HttpSender(sleep=time.sleep, clock=time.clock, random=lambda: 1.0)
        try:
            return list(await asyncio.gather(*[sender.send(request) for request in requests]))
        finally:
            await sender.aclose()

    return asyncio.run(send())


def sending_in_turn(*requests: CallRequest) -> list[CallReply]:
    async def send() -> list[CallReply]:
        time = VirtualTime()
        sender = HttpSender(sleep=time.sleep, clock=time.clock)
        replies = [await sender.send(request) for request in requests]
        await sender.aclose()
        return replies

    return asyncio.run(send())


def failing(request: CallRequest) -> str:
    with pytest.raises(CallError) as caught:
        sending(request)
    return str(caught.value)


def always(reply: ScriptedReply) -> Callable[[ReceivedRequest], ScriptedReply]:
    return lambda _: reply


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


def test_latency_is_that_of_the_successful_attempt() -> None:
    time = VirtualTime()
    with ScriptedEndpoint(in_turn(ScriptedReply(status=503), OK)) as endpoint:
        (reply,) = sending(call(endpoint.url), time=time)
    assert time.naps == [0.5]
    assert reply.latency_ms == 0


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


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "Check `api_key` and `headers` of the judge in content_bias.yaml."),
        (403, "Check `api_key` and `headers` of the judge in content_bias.yaml."),
        (404, "Check `model` and `base_url` of the judge in content_bias.yaml."),
        (400, "Check the settings of the judge in content_bias.yaml."),
        (302, "Put the final URL into content_bias.yaml."),
    ],
)
def test_a_refusal_says_what_to_check(status: int, advice: str) -> None:
    refusal = ScriptedReply(status=status, headers={"location": "http://elsewhere"})
    with ScriptedEndpoint(in_turn(refusal)) as endpoint:
        assert failing(call(endpoint.url)).endswith(advice)


def test_an_http_systems_refusal_speaks_of_its_url() -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(status=404))) as endpoint:
        message = failing(call(endpoint.url, slot="system/plain", identity={}))
    assert message.endswith("Check `url` of the system in content_bias.yaml.")


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "Bad thing", "type": "x"}},
        {"error": "Bad thing"},
        {"message": "Bad thing"},
        {"detail": "Bad thing"},
    ],
)
def test_the_endpoints_own_words_are_found(body: JsonValue) -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(status=400, json=body))) as endpoint:
        assert "status 400: Bad thing. Check" in failing(call(endpoint.url))


def test_a_validation_error_of_fastapi_names_the_field_without_echoing_the_input() -> None:
    problem: JsonValue = {"loc": ["body", "q"], "msg": "Field required", "input": {"x": "echo"}}
    reply = ScriptedReply(status=422, json={"detail": [problem, "and more"]})
    with ScriptedEndpoint(in_turn(reply)) as endpoint:
        message = failing(call(endpoint.url))
    assert "body.q: Field required; and more." in message
    assert "echo" not in message


def test_an_error_page_is_shortened_to_one_line_without_control_characters() -> None:
    page = ScriptedReply(status=400, text="<html>\n" + "\x1b[31m\u202e" + "x" * 5000)
    with ScriptedEndpoint(in_turn(page)) as endpoint:
        message = failing(call(endpoint.url))
    assert len(message) < 800
    assert message.isprintable()


def test_keys_are_never_shown() -> None:
    text = f"wrong key {KEY} and {'y' * 480} {KEY}"
    with ScriptedEndpoint(in_turn(ScriptedReply(status=401, text=text))) as endpoint:
        message = failing(call(endpoint.url.replace("//", "//user:a-long-password@")))
    assert "wrong key ***" in message
    assert "sk-" not in message
    assert "password" not in message


@pytest.mark.parametrize(("code", "status"), [({"code": 400}, 400), ({}, 200)])
def test_a_failure_sent_with_status_200_is_a_failure(code: dict[str, int], status: int) -> None:
    body: JsonValue = {"error": {"message": "Upstream is gone", **code}}
    with ScriptedEndpoint(in_turn(ScriptedReply(json=body))) as endpoint:
        assert f"status {status}: Upstream is gone" in failing(call(endpoint.url))


def test_a_reply_with_choices_is_no_failure_whatever_else_it_says() -> None:
    body: JsonValue = {"choices": [], "error": {"message": "none"}}
    with ScriptedEndpoint(in_turn(ScriptedReply(json=body))) as endpoint:
        (reply,) = sending(call(endpoint.url))
    assert reply.body == body


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


NEVER_SENT = "Check the URL, `api_key` and `headers` in content_bias.yaml."


@pytest.mark.parametrize("url", ["", "localhost:80", "http://[::1", "ftp://127.0.0.1"])
def test_an_unusable_url_fails_at_once(url: str) -> None:
    message = failing(call(url))
    assert message.endswith(NEVER_SENT)
    assert "attempts" not in message


@pytest.mark.parametrize("key", ["secret-key\n1", "secret-key\u2019"])
def test_an_unusable_key_fails_at_once_and_is_not_shown(key: str) -> None:
    with ScriptedEndpoint(in_turn()) as endpoint:
        message = failing(call(endpoint.url, headers={"authorization": key}))
    assert message.endswith(NEVER_SENT)
    assert "secret" not in message


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


def test_a_stream_of_events_is_an_error_that_names_the_setting() -> None:
    stream = ScriptedReply(text="data: {}\n\n", headers={"content-type": "text/event-stream"})
    with ScriptedEndpoint(in_turn(stream)) as endpoint:
        assert "Remove `stream` from `parameters`" in failing(call(endpoint.url))


def test_a_reply_of_more_than_16_mb_is_an_error() -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(text="x" * (16 * 1024**2 + 1)))) as endpoint:
        assert "longer than 16 MB" in failing(call(endpoint.url))


def rejecting(
    *fields: str, text: str = "Unsupported parameter: '{}'"
) -> Callable[[ReceivedRequest], ScriptedReply]:
    def handler(request: ReceivedRequest) -> ScriptedReply:
        for field in fields:
            if field in request.body:
                words = text.format(field)
                return ScriptedReply(status=400, json={"error": {"message": words}})
        return OK

    return handler


BODY: JsonValue = {"model": "m", "temperature": 0.7, "logprobs": True, "max_tokens": 9}
OPTIONAL = {"temperature": None, "logprobs": None, "max_tokens": "max_completion_tokens"}


def test_a_rejected_field_is_left_out_and_reported_and_the_next_call_knows() -> None:
    with ScriptedEndpoint(rejecting("temperature", "logprobs")) as endpoint:
        request = call(endpoint.url, BODY, optional=OPTIONAL)
        first, second = sending_in_turn(request, request)
    assert first.omitted == second.omitted == ("logprobs", "temperature")
    assert len(endpoint.requests) == 4
    assert endpoint.requests[-1].body == {"model": "m", "max_tokens": 9}


def test_what_one_model_rejects_is_still_sent_to_another() -> None:
    with ScriptedEndpoint(rejecting("temperature")) as endpoint:
        other: JsonValue = {"model": "other", "temperature": 0.7}
        sending_in_turn(
            call(endpoint.url, BODY, optional=OPTIONAL),
            call(endpoint.url, other, optional=OPTIONAL),
        )
    assert [r.body["model"] for r in endpoint.requests] == ["m", "m", "other", "other"]


def test_a_field_with_a_substitute_is_sent_under_its_other_name() -> None:
    words = "'{}' is not supported with this model. Use 'max_completion_tokens' instead."
    with ScriptedEndpoint(rejecting("max_tokens", text=words)) as endpoint:
        (reply,) = sending(call(endpoint.url, BODY, optional=OPTIONAL))
    assert endpoint.requests[-1].body["max_completion_tokens"] == 9
    assert "max_tokens" not in endpoint.requests[-1].body
    assert reply.omitted == ()


def test_a_field_that_is_not_optional_is_never_left_out() -> None:
    with ScriptedEndpoint(rejecting("model")) as endpoint:
        assert "'model'" in failing(call(endpoint.url, BODY, optional=OPTIONAL))
    assert len(endpoint.requests) == 1


def test_nothing_is_learnt_from_a_call_that_fails_all_the_same() -> None:
    def handler(request: ReceivedRequest) -> ScriptedReply:
        if request.body.get("prompt") == "too long":
            return ScriptedReply(status=400, text="temperature, prompt: too long")
        return OK

    async def send(url: str) -> CallReply:
        sender = HttpSender()
        with pytest.raises(CallError):
            await sender.send(call(url, {"prompt": "too long", **_fields()}, optional=OPTIONAL))
        reply = await sender.send(call(url, _fields(), optional=OPTIONAL))
        await sender.aclose()
        return reply

    with ScriptedEndpoint(handler) as endpoint:
        assert asyncio.run(send(endpoint.url)).omitted == ()


def _fields() -> dict[str, JsonValue]:
    return {"model": "m", "temperature": 0.7}
