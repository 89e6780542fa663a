"""What is written of a call is free of secrets, wherever they stand."""

import datetime
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue

from pytest_content_bias.cassettes.identity import identify
from pytest_content_bias.cassettes.miss import Advice
from pytest_content_bias.cassettes.scribe import Scribe
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.vocabulary.calls import CallRequest
from tests.unit.cassettes.cassette_helpers import CASE_ID, COMMAND, chat_request, reply_of

SECRET = "planted-0123456789"


def test_a_secret_in_a_header_that_is_kept_is_replaced_and_the_reply_is_not_lost() -> None:
    screen = SecretScreen({"KEY": SECRET})
    advice = Advice(Path("x.yaml"), CASE_ID, COMMAND)
    scribe = Scribe(CASE_ID, screen, lambda: datetime.date(2026, 11, 30), advice)
    request = chat_request()
    headers = {"location": f"https://a.example/{SECRET}/next"}

    call = scribe.call(
        request,
        identify(request, screen),
        scribe.kept(request, replace(reply_of("Hi"), headers=headers)),
    )

    assert call.reply().headers == {"location": "https://a.example/<secret:KEY>/next"}


def ask_service(key: str) -> CallRequest:
    """A call of a service that takes its key in the body."""
    body: JsonValue = {"question": "Why?", "auth": {"api_key": key}}
    return CallRequest(
        slot="system/plain",
        method="POST",
        url="http://127.0.0.1:9000/ask",
        identity={"method": "POST", "path": "/ask", "body": body},
        body=body,
    )


def test_what_is_named_like_a_credential_in_the_bodies_of_a_service_is_replaced() -> None:
    screen = SecretScreen({})
    advice = Advice(Path("x.yaml"), CASE_ID, COMMAND)
    scribe = Scribe(CASE_ID, screen, lambda: datetime.date(2026, 11, 30), advice)
    request = ask_service("planted-key")
    reply = reply_of({"answer": "So.", "session_token": "planted-session"})

    call = scribe.call(request, identify(request, screen), scribe.kept(request, reply))

    assert b"planted" not in call.chunk
    assert call.reply().body == {"answer": "So.", "session_token": "<secret>"}


def test_a_service_is_replayed_with_another_key_in_the_body() -> None:
    screen = SecretScreen({})

    assert identify(ask_service("one key"), screen) == identify(ask_service("another"), screen)
