"""Secrets in what is recorded: replaced, or refused before anything is paid."""

from pathlib import Path

import pytest

from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.vocabulary.errors import SecretFound
from tests.unit.cassettes.cassette_helpers import (
    ONE,
    TWO,
    FakeSender,
    ask,
    chat_body,
    chat_request,
    files,
    make_cassette,
    record,
    reply_of,
    text_of,
)


def test_a_secret_in_a_request_is_replaced_so_that_other_machines_replay_it(
    tmp_path: Path,
) -> None:
    screen = SecretScreen({"TOKEN": "s3cret-token-value"})
    sender = FakeSender()
    with_secret = chat_request(content="My token is s3cret-token-value, is it safe?")
    without = chat_request(content="My token is <secret:TOKEN>, is it safe?")

    ask(make_cassette(tmp_path, "missing", sender, screen=screen), with_secret)

    assert "s3cret-token-value" in str(sender.sent[0].body)
    assert "s3cret-token-value" not in (tmp_path / "wind-power.yaml").read_text(encoding="utf-8")
    assert ask(make_cassette(tmp_path, screen=screen), with_secret)
    assert ask(make_cassette(tmp_path), without)


def test_a_secret_in_a_reply_is_replaced_in_the_live_reply_too(tmp_path: Path) -> None:
    body = chat_body("The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789.")
    sender = FakeSender(lambda request, number: reply_of(body, host="http://u:hunter2@x.example"))

    (live,) = ask(make_cassette(tmp_path, "missing", sender), ONE)

    assert text_of(live) == "The key is <secret>."
    assert live.host == "http://<secret>@x.example"
    assert ask(make_cassette(tmp_path), ONE)[0].body == live.body


def test_a_secret_that_cannot_be_replaced_is_refused_before_anything_is_paid(
    tmp_path: Path,
) -> None:
    screen = SecretScreen({"TEAM": "wind-power"})
    sender = FakeSender()

    with pytest.raises(SecretFound) as error:
        ask(make_cassette(tmp_path, "missing", sender, screen=screen), ONE)

    assert sender.sent == []
    assert files(tmp_path) == []
    assert "the value of TEAM" in str(error.value)


def test_a_secret_that_is_a_number_is_refused_before_anything_is_paid(tmp_path: Path) -> None:
    screen, sender = SecretScreen({"PIN": "1234567890"}), FakeSender()

    with pytest.raises(SecretFound, match="the value of PIN"):
        ask(
            make_cassette(tmp_path, "missing", sender, screen=screen), chat_request(user=1234567890)
        )

    assert sender.sent == []


def test_a_secret_that_an_earlier_recording_holds_stops_the_next_one(tmp_path: Path) -> None:
    record(tmp_path, ONE, answers={ONE.slot: "It is s3cret-token-value."})
    screen, sender = SecretScreen({"TOKEN": "s3cret-token-value"}), FakeSender()

    with pytest.raises(SecretFound, match="record it anew"):
        ask(make_cassette(tmp_path, "missing", sender, screen=screen), TWO)
    assert sender.sent == []

    ask(make_cassette(tmp_path, "all", sender, screen=screen), ONE, TWO)
    assert "s3cret-token-value" not in (tmp_path / "wind-power.yaml").read_text(encoding="utf-8")
