"""Stock vcrpy loads and replays every cassette."""

from pathlib import Path

import httpx
import pytest
import vcr  # type: ignore[import-untyped]  # vcrpy ships no types
from vcr.errors import (  # type: ignore[import-untyped]  # vcrpy ships no types
    CannotOverwriteExistingCassetteException,
)

from pytest_content_bias.cassettes import vcr_serializer
from pytest_content_bias.cassettes.tape import Tape
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import (
    CASE_ID,
    FakeSender,
    ask,
    chat_request,
    make_cassette,
    record,
    reply_of,
    service_request,
)


@pytest.fixture
def stock() -> vcr.VCR:
    """Vcrpy as anybody has it, with our serializer."""
    stock = vcr.VCR(
        serializer="content-bias",
        record_mode="none",
        match_on=("method", "scheme", "host", "port", "path", "body"),
    )
    stock.register_serializer("content-bias", vcr_serializer)
    return stock


def test_a_chat_is_replayed_to_httpx(tmp_path: Path, stock: vcr.VCR) -> None:
    request, other = chat_request(content="Fair 😀\nor not?"), chat_request("judge/plain")
    path = record(tmp_path, request, other)

    with stock.use_cassette(str(path)) as cassette, httpx.Client() as client:
        replies = [client.post(asked.url, json=asked.body) for asked in (other, request)]
        assert cassette.all_played

    assert [reply.json()["choices"][0]["message"]["content"] for reply in replies] == [
        "answer to judge/plain",
        "answer to judge/one_sided",
    ]
    assert replies[0].json()["usage"] == {"prompt_tokens": 12, "completion_tokens": 5}


def test_text_of_a_service_is_replayed_as_text(tmp_path: Path, stock: vcr.VCR) -> None:
    sender = FakeSender(lambda request, number: reply_of("Ja, größtenteils.", host="http://x.test"))
    ask(make_cassette(tmp_path, "missing", sender), service_request("Why?"))

    with stock.use_cassette(str(tmp_path / "wind-power.yaml")), httpx.Client() as client:
        reply = client.post("http://x.test/answer", json={"question": "Why?"})

    assert reply.text == "Ja, größtenteils."
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"


def test_an_unrecorded_call_is_not_sent(tmp_path: Path, stock: vcr.VCR) -> None:
    path = record(tmp_path, chat_request())

    with (
        stock.use_cassette(str(path)),
        httpx.Client() as client,
        pytest.raises(CannotOverwriteExistingCassetteException),
    ):
        client.post(chat_request().url, json={"another": "body"})


def test_a_damaged_cassette_is_not_replayed(tmp_path: Path, stock: vcr.VCR) -> None:
    path = record(tmp_path, chat_request())
    path.write_bytes(path.read_bytes().replace(b"answer to", b"better answer to"))

    with pytest.raises(CassetteError, match="line 7: this call was edited by hand"):
        stock.use_cassette(str(path)).__enter__()


def test_vcrpy_cannot_record_into_our_cassettes(tmp_path: Path) -> None:
    path = record(tmp_path, chat_request())
    before = path.read_bytes()

    with pytest.raises(CassetteError, match="recorded by --content-bias-record"):
        vcr_serializer.serialize({"version": 1, "interactions": []})

    assert path.read_bytes() == before
    assert Tape.read(path, CASE_ID) is not None
