"""What a failed call says."""

import pytest
from pydantic import JsonValue

from tests.scripted_endpoint import ScriptedEndpoint, ScriptedReply, in_turn
from tests.unit.models.sender_helpers import KEY, call, failing, sending


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


def test_a_stream_of_events_is_an_error_that_names_the_setting() -> None:
    stream = ScriptedReply(text="data: {}\n\n", headers={"content-type": "text/event-stream"})
    with ScriptedEndpoint(in_turn(stream)) as endpoint:
        assert "Remove `stream` from `parameters`" in failing(call(endpoint.url))


def test_a_reply_of_more_than_16_mb_is_an_error() -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(text="x" * (16 * 1024**2 + 1)))) as endpoint:
        assert "longer than 16 MB" in failing(call(endpoint.url))
