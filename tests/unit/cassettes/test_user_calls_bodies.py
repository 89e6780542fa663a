"""What is kept of the requests and replies of the system's own code: readable, without secrets."""

import base64
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.cassettes.user_bodies import as_bytes, as_json_value
from pytest_content_bias.cassettes.user_credentials import (
    json_without_credentials,
    query_without_credentials,
)
from pytest_content_bias.vocabulary.errors import MissingRecording
from tests.scripted_endpoint import ScriptedEndpoint, ScriptedReply, in_turn
from tests.user_stage import App, UserStage, counting

SECRET = "planted-9f8e7d6c5b4a"
OTHER = "another-0a1b2c3d4e5f"
BINARY = bytes(range(256))


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(counting()) as endpoint:
        yield endpoint


def fetch(url: str, **options: Any) -> httpx.Response:
    with httpx.Client(verify=False) as client:
        return client.request(options.pop("method", "GET"), url, **options)


def recorded_and_replayed(folder: Path, reply: ScriptedReply) -> tuple[Any, Any, str]:
    """The response as it came, as it is replayed, and the cassette."""
    with ScriptedEndpoint(in_turn(reply)) as endpoint:

        def app(question: str) -> httpx.Response:
            return fetch(endpoint.url)

        (live,) = UserStage(folder, "missing").ask(app)
        (replayed,) = UserStage(folder).ask(app)
    return live, replayed, UserStage(folder).texts()["case.yaml"]


@pytest.mark.parametrize(
    "reply",
    [
        ScriptedReply(json={"a": [1, 2.5, None, True, "é"]}),
        ScriptedReply(json=[]),
        ScriptedReply(text="plain é text\r\nin lines\n"),
        ScriptedReply(text="<p>hello</p>", headers={"content-type": "text/html; charset=utf-8"}),
        ScriptedReply(
            text="data: {}\n\ndata: [DONE]\n\n", headers={"content-type": "text/event-stream"}
        ),
        ScriptedReply(text='{"a": 1, "a": 2}', headers={"content-type": "application/json"}),
        ScriptedReply(text='{"a": NaN}', headers={"content-type": "application/json"}),
        ScriptedReply(text='{"a": "\\ud83d"}', headers={"content-type": "application/json"}),
        ScriptedReply(text='{"broken', headers={"content-type": "application/json"}),
        ScriptedReply(text='{"a": 1}'),
        ScriptedReply(raw=BINARY),
        ScriptedReply(raw=BINARY, headers={"content-type": "text/plain; charset=utf-8"}),
        ScriptedReply(text="", status=204),
        ScriptedReply(text="not found", status=404),
        ScriptedReply(json={"error": {"message": "no"}}, status=400),
    ],
    ids=lambda reply: f"{reply.status} {reply.text or reply.json or 'raw'}"[:30],
)
def test_a_reply_of_any_kind_is_replayed_as_it_came(tmp_path: Path, reply: ScriptedReply) -> None:
    live, replayed, _ = recorded_and_replayed(tmp_path, reply)
    assert replayed.status_code == live.status_code
    if live.content:
        assert replayed.headers["content-type"] == live.headers["content-type"]
    assert replayed.content == live.content or replayed.json() == live.json()


@pytest.mark.parametrize(
    ("encoding", "content"),
    [
        ("gzip", gzip.compress(b'{"said": "hello"}', mtime=0)),
        ("deflate", zlib.compress(b'{"said": "hello"}')),
        ("gzip, gzip", gzip.compress(gzip.compress(b'{"said": "hello"}', mtime=0), mtime=0)),
    ],
)
def test_a_compressed_reply_is_stored_as_text_that_can_be_read(
    tmp_path: Path, encoding: str, content: bytes
) -> None:
    headers = {"content-type": "application/json", "content-encoding": encoding}
    live, replayed, text = recorded_and_replayed(
        tmp_path, ScriptedReply(raw=content, headers=headers)
    )
    assert live.json() == replayed.json() == {"said": "hello"}
    assert "said: hello" in text
    assert "content-encoding" not in text


def test_a_brotli_reply_is_stored_as_text_that_can_be_read(tmp_path: Path) -> None:
    brotli = pytest.importorskip("brotli", reason="brotli is not installed")
    headers = {"content-type": "application/json", "content-encoding": "br"}
    live, replayed, text = recorded_and_replayed(
        tmp_path, ScriptedReply(raw=brotli.compress(b'{"said": "hello"}'), headers=headers)
    )
    assert live.json() == replayed.json() == {"said": "hello"}
    assert "said: hello" in text


def test_an_encoding_that_nobody_here_can_undo_is_kept_with_its_bytes(tmp_path: Path) -> None:
    headers = {"content-type": "application/json", "content-encoding": "compress"}
    live, replayed, text = recorded_and_replayed(
        tmp_path, ScriptedReply(raw=BINARY, headers=headers)
    )
    assert replayed.content == live.content == BINARY
    assert replayed.headers["content-encoding"] == "compress"
    assert base64.b64encode(BINARY).decode()[:40] in text


def test_another_character_set_is_replayed_as_the_same_text(tmp_path: Path) -> None:
    headers = {"content-type": "text/plain; charset=iso-8859-1"}
    live, replayed, text = recorded_and_replayed(
        tmp_path, ScriptedReply(raw="Größe".encode("latin-1"), headers=headers)
    )
    assert live.text == replayed.text == "Größe"
    assert "Größe" in text


def test_cookies_dates_and_request_ids_of_a_reply_are_not_stored(tmp_path: Path) -> None:
    headers = {
        "set-cookie": f"session={SECRET}",
        "date": "Mon, 30 Nov 2026 10:00:00 GMT",
        "x-request-id": "req-77",
        "openai-organization": "org-88",
    }
    *_, text = recorded_and_replayed(tmp_path, ScriptedReply(text="x", headers=headers))
    for kept_out in (SECRET, "10:00:00", "req-77", "org-88", "headers"):
        assert kept_out not in text


REQUESTS: list[dict[str, Any]] = [
    {"method": "POST", "json": {"messages": [{"content": "one"}]}},
    {"method": "POST", "content": b"plain text"},
    {"method": "POST", "content": BINARY},
    {"method": "POST", "data": {"field": "value"}},
    {"method": "POST", "files": {"file": ("a.txt", b"content")}},
    {
        "method": "POST",
        "content": gzip.compress(b"x", mtime=0),
        "headers": {"content-encoding": "gzip"},
    },
    {"method": "PUT", "content": b"{}"},
    {"method": "GET", "params": {"q": "a b", "page": "2"}},
]


@pytest.mark.parametrize("options", REQUESTS, ids=lambda options: " ".join(map(str, options)))
def test_a_request_of_any_kind_is_found_again(
    tmp_path: Path, endpoint: ScriptedEndpoint, options: dict[str, Any]
) -> None:
    def app(question: str) -> str:
        return fetch(endpoint.url, **options).text

    assert UserStage(tmp_path, "missing").ask(app) == UserStage(tmp_path).ask(app) == ["1"]


@pytest.mark.parametrize(
    "changed",
    [
        {"method": "POST", "json": {"n": 1.0}},
        {"method": "POST", "json": {"n": True}},
        {"method": "POST", "json": {"n": "1"}},
        {"method": "PUT", "json": {"n": 1}},
        {"method": "POST", "json": {"n": 1}, "params": {"a": "b"}},
        {"method": "POST", "content": b"n"},
    ],
    ids=str,
)
def test_a_request_that_differs_in_anything_is_another_one(
    tmp_path: Path, endpoint: ScriptedEndpoint, changed: dict[str, Any]
) -> None:
    UserStage(tmp_path, "missing").ask(
        lambda _: fetch(endpoint.url, method="POST", json={"n": 1}).text
    )
    with pytest.raises(MissingRecording):
        UserStage(tmp_path).ask(lambda _: fetch(endpoint.url, **changed).text)


def test_the_order_of_keys_and_the_blanks_of_json_do_not_count(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    def app(content: bytes) -> App:
        headers = {"content-type": "application/json; charset=utf-8"}
        return lambda _: fetch(endpoint.url, method="POST", content=content, headers=headers).text

    recorded = UserStage(tmp_path, "missing").ask(app(b'{"a": 1, "b": [2]}'))
    assert UserStage(tmp_path).ask(app(b'{"b":[2],"a":1}')) == recorded


def places(secret: str, url: str) -> dict[str, dict[str, Any]]:
    """Requests with a secret in every place that the user's code may put it."""
    bearer = {"authorization": f"Bearer {secret}", "X-Custom": secret, "cookie": f"s={secret}"}
    encoded = base64.b64encode(f"user:{secret}".encode()).decode()
    return {
        "headers": {"url": url, "headers": bearer},
        "query": {"url": f"{url}/search?q=cats&key={secret}&api-version=2"},
        "odd query": {"url": f"{url}/?X-Amz-Signature={secret}&sig={secret}&Api_Key={secret}"},
        "userinfo": {"url": url.replace("://", f"://user:{secret}@")},
        "basic": {"url": url, "headers": {"authorization": f"Basic {encoded}"}},
        "json": {"url": url, "method": "POST", "json": {"auth": [{"client_secret": secret}]}},
        "form": {"url": url, "method": "POST", "data": {"grant": "x", "client_secret": secret}},
    }


@pytest.mark.parametrize("place", list(places("", "")))
def test_a_secret_of_a_request_is_not_stored_and_not_needed_to_replay(
    tmp_path: Path, endpoint: ScriptedEndpoint, place: str
) -> None:
    def app(secret: str) -> App:
        return lambda _: fetch(**places(secret, endpoint.url)[place]).text

    recorded = UserStage(tmp_path, "missing").ask(app(SECRET))
    assert UserStage(tmp_path).ask(app(OTHER)) == recorded
    text = UserStage(tmp_path).texts()["case.yaml"]
    for form in (SECRET, base64.b64encode(SECRET.encode()).decode()[4:-4]):
        assert form not in text


def test_a_known_secret_is_replaced_wherever_it_stands(
    tmp_path: Path, endpoint: ScriptedEndpoint
) -> None:
    def app(secret: str) -> App:
        return lambda _: (
            fetch(
                f"{endpoint.url}/{secret}?q={secret}", method="POST", content=f"say {secret}"
            ).text
        )

    recorded = UserStage(tmp_path, "missing", secrets={"APP_KEY": SECRET}).ask(app(SECRET))
    assert UserStage(tmp_path, secrets={"APP_KEY": OTHER}).ask(app(OTHER)) == recorded
    text = UserStage(tmp_path).texts()["case.yaml"]
    assert SECRET not in text
    assert "<secret:APP_KEY>" in text


@pytest.mark.parametrize(
    "reply",
    [
        ScriptedReply(json={"access_token": SECRET, "expires_in": 3600}),
        ScriptedReply(json=[{"nested": {"refreshToken": SECRET}}]),
        ScriptedReply(
            raw=gzip.compress(f'{{"apiKey": "{SECRET}"}}'.encode()),
            headers={"content-encoding": "gzip", "content-type": "application/json"},
        ),
        ScriptedReply(text="", status=302, headers={"location": f"/next?token={SECRET}"}),
    ],
    ids=["token", "nested", "gzip", "location"],
)
def test_credentials_that_a_service_hands_out_are_not_stored(
    tmp_path: Path, reply: ScriptedReply
) -> None:
    *_, text = recorded_and_replayed(tmp_path, reply)
    assert SECRET not in text
    assert "<secret>" in text


def test_tokens_of_a_text_are_no_credentials() -> None:
    body: Any = {"token": "Hello", "key": "title", "max_tokens": 5, "tokens": ["a"], "password": 3}
    assert json_without_credentials(body) == body


@pytest.mark.parametrize("query", ["q=key", "max_tokens=500000000", "key=de", "a", "", "=", "&&"])
def test_a_query_without_credentials_stays_as_it_is(query: str) -> None:
    assert query_without_credentials(query) == query


def test_a_stored_call_shows_what_was_asked_and_answered(tmp_path: Path) -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(json={"said": "line one\nline two"}))) as endpoint:
        UserStage(tmp_path, "missing").ask(
            lambda _: fetch(f"{endpoint.url}/a?b=c", method="POST", json={"p": "one\ntwo"}).text
        )
        lines = UserStage(tmp_path).texts()["case.yaml"].splitlines()
    assert lines[-14:] == [
        "  request:",
        "    method: POST",
        "    path: /a?b=c",
        f"    host: {endpoint.url}",
        "    body:",
        "      p: |-",
        "        one",
        "        two",
        "  response:",
        "    status: 200",
        "    body:",
        "      said: |-",
        "        line one",
        "        line two",
    ]


@given(st.binary(), st.sampled_from(["", "application/json", "text/plain", "text/x; charset=utf8"]))
def test_text_is_read_back_as_the_bytes_that_it_was(content: bytes, content_type: str) -> None:
    body = as_json_value(content, content_type)
    if isinstance(body, str):
        assert as_bytes(body) == content
    elif body is None:
        assert not content or not is_text(content) or content.strip() == b"null"


def is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
def test_json_is_read_back_as_the_value_that_it_was(value: Any) -> None:
    content = as_bytes(value)
    assert (
        value is None
        or isinstance(value, str)
        or as_json_value(content, "application/json") == value
    )
