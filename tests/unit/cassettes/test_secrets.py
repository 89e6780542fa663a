"""Secrets: found in every form, replaced, never named."""

import base64
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from pytest_content_bias.cassettes.secrets import SecretScreen, secrets_of_environment
from pytest_content_bias.vocabulary.errors import CassetteError, SettingsError

KEY = 'p@ss\'word/with "quotes"+\\and\nlines-é'
SCREEN = SecretScreen({"MY_KEY": KEY})
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAbC=\n-----END RSA PRIVATE KEY-----"

KNOWN_SECRETS = [
    "sk-proj-abcdefghij0123456789",
    "sk-ant-api03-abcdefghij0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_" + "a1" * 18,
    "ghs_" + "a1" * 18,
    "github_pat_" + "a1" * 20,
    "glpat-" + "a1" * 10,
    "xoxb-123456789012-abc",
    "AIza" + "Sy" * 17 + "a",
    "hf_" + "aB3" * 11,
    "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
    "Bearer abcdefghijklmnop0123",
    "Authorization: Basic dXNlcjpwYXNz",
    '"authorization": "Bearer abcdefgh"',
    PEM,
    PEM.partition("\n-----END")[0],
]


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        json.dumps(KEY)[1:-1],
        json.dumps(KEY, ensure_ascii=False)[1:-1],
        KEY.replace("'", "''"),
        quote(KEY, safe=""),
        quote_plus(KEY),
        quote(KEY, safe="").lower(),
        base64.b64encode(KEY.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(KEY.encode()).decode().rstrip("="),
    ],
)
def test_a_value_is_found_and_replaced_in_every_form(form: str) -> None:
    text = f"before {form} after"

    assert SCREEN.find(text) == "the value of MY_KEY"
    assert SCREEN.touches(text)
    assert SCREEN.redact(text).startswith("before <secret:MY_KEY>")
    assert SCREEN.find(SCREEN.redact(text)) is None


@given(before=st.binary(max_size=8), after=st.binary(max_size=8))
def test_a_value_is_found_wherever_it_stands_in_encoded_text(before: bytes, after: bytes) -> None:
    text = base64.b64encode(before + b"super-secret-value-0" + after).decode()

    assert SecretScreen({"KEY": "super-secret-value-0"}).find(text) == "the value of KEY"


@pytest.mark.parametrize("secret", KNOWN_SECRETS)
def test_secrets_of_known_forms_are_found_and_replaced(secret: str) -> None:
    screen = SecretScreen({})
    text = f"The key is {secret}"

    assert screen.touches(text)
    assert screen.find(text) is not None
    redacted = screen.redact(text)
    assert redacted.startswith("The key is ")
    assert "<secret>" in redacted
    assert screen.find(redacted) is None


@pytest.mark.parametrize(
    "text",
    [
        "A task-oriented, risk-averse and desk-bound-but-otherwise-healthy person",
        "The bearer of bad news; Bearer responsibilities-and-characteristics",
        "Mail to someone@example.org, see https://example.org/a:b and http://[::1]:8080/x@y",
        "AKIA is a Japanese word, and so is ASIAN-PACIFIC",
        "The authorization of nuclear plants takes years",
        "-----BEGIN CERTIFICATE-----",
        "eyJ is how encoded JSON begins",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    screen = SecretScreen({})

    assert screen.redact(text) == text
    assert screen.find(text) is None


def test_the_password_of_a_url_is_replaced_and_its_host_is_kept() -> None:
    redacted = SecretScreen({}).redact("postgres://user:hunter2@db.example:5432/x")

    assert redacted == "postgres://<secret>@db.example:5432/x"


@pytest.mark.parametrize("value", ["", "short", "not-needed", "PLACEHOLDER", "  none  "])
def test_short_values_and_placeholders_are_no_secrets(value: str) -> None:
    screen = SecretScreen({"KEY": value})

    assert screen.redact(f"It was {value} yesterday") == f"It was {value} yesterday"


def test_a_value_inside_a_longer_one_does_not_hide_it() -> None:
    screen = SecretScreen({"SHORT": "secret-01", "LONG": "secret-01-and-more"})

    assert screen.redact("secret-01-and-more, secret-01") == "<secret:LONG>, <secret:SHORT>"


def test_json_nested_beyond_all_bounds_is_an_error() -> None:
    value: JsonValue = KEY
    for _ in range(20_000):
        value = [value]

    with pytest.raises(CassetteError, match="nested too deeply"):
        SCREEN.redact_json(value)


@pytest.mark.parametrize("longer", ["", "and a long text " * 1000])
def test_whatever_its_length_a_text_is_looked_through(longer: str) -> None:
    assert SCREEN.touches_json({"text": [longer + KEY]})
    assert SCREEN.touches_json({longer + KEY: 1})
    assert not SCREEN.touches_json({"text": [longer, 1, None, True, 0.5]})


def test_a_secret_may_be_a_whole_number() -> None:
    assert SecretScreen({"PIN": "1234567890"}).touches_json({"pin": 1234567890})


def test_strings_and_keys_of_json_are_redacted_at_every_depth() -> None:
    value: JsonValue = {"a": ["x super-secret", {"super-secret": 1}], "n": None, "f": 1.5}

    redacted = SecretScreen({"KEY": "super-secret"}).redact_json(value)

    assert redacted == {
        "a": ["x <secret:KEY>", {"<secret:KEY>": 1}],
        "n": None,
        "f": 1.5,
    }


@pytest.mark.parametrize("form", [KEY, quote(KEY), json.dumps(KEY)[1:-1]])
def test_the_start_of_a_secret_is_not_shown_where_a_message_was_cut_off(form: str) -> None:
    shown = SCREEN.redact_shown({"message": f"wrong key {form[:-4]}…. Check it", "n": 1})

    assert shown == {"message": "wrong key <secret:MY_KEY>…. Check it", "n": 1}


@pytest.mark.parametrize("text", ["cut off…", "p@ss…", "p@ss'word", "…", f"{KEY[1:-4]}…"])
def test_what_is_not_the_start_of_a_secret_is_shown(text: str) -> None:
    assert SCREEN.redact_shown([text]) == [text]


@pytest.mark.parametrize(
    "header",
    [
        f"Authorization: Bearer {KEY}",
        f"Authorization: Basic {base64.b64encode(f'user:{KEY}'.encode()).decode()}",
        "Authorization: Bearer abcdefghijklmnop0123",
    ],
)
def test_an_authorization_header_without_its_secret_holds_none(header: str) -> None:
    redacted = SCREEN.redact(header)

    assert "<secret" in redacted
    assert SCREEN.find(redacted) is None


@pytest.mark.parametrize("scheme", ["Basic dXNlcjpwYXNz", "Bearer abcdefgh", "Token abcdefgh"])
@pytest.mark.parametrize("name", ["Authorization", "proxy-authorization"])
def test_what_json_says_under_the_name_of_an_authorization_header_is_replaced(
    name: str, scheme: str
) -> None:
    screen = SecretScreen({})
    echoed: JsonValue = {"headers": {name: scheme}}

    redacted = screen.redact_json(echoed)

    assert redacted == {"headers": {name: "<secret>"}}
    assert screen.find(json.dumps(redacted)) is None


def test_a_pattern_of_the_user_may_be_bound_to_the_ends_of_a_string() -> None:
    value: JsonValue = {"id": "ACME-1234", "text": "as ACME-1234"}

    redacted = SecretScreen({}, [r"^ACME-\d{4}$"]).redact_json(value)

    assert redacted == {"id": "<secret>", "text": "as ACME-1234"}


def test_a_pattern_of_the_user_is_found_and_replaced() -> None:
    screen = SecretScreen({}, [r"ACME-\d{4}"])

    assert screen.touches("ACME-1234")
    assert screen.redact("It is ACME-1234.") == "It is <secret>."
    assert screen.find("ACME-1234") == r"text that matches the secret pattern ACME-\d{4}"


@pytest.mark.parametrize(
    ("pattern", "words"), [("(", "secret pattern '\\('"), ("x*", "matches the empty text")]
)
def test_a_pattern_that_cannot_be_used_is_named(pattern: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        SecretScreen({}, [pattern])


visible = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=8)


@given(text=st.text(), secret=visible)
def test_no_value_is_left_in_redacted_text(text: str, secret: str) -> None:
    value = f"0{secret}"

    redacted = SecretScreen({"KEY": value}).redact(f"{text}{value}{text}")

    assert value not in redacted


def test_variables_that_look_like_secrets_are_taken_from_the_environment() -> None:
    environment = {
        "OPENAI_API_KEY": "sk-abc123def456",
        "github_token": "gh-abc123def456",
        "DB_PASSWORD": "development-word",
        "SHORT_TOKEN": "abc123",
        "PATH": "/usr/local/bin1",
        "TOKENIZERS_PARALLELISM": "false1234567890",
    }

    assert list(secrets_of_environment(environment)) == ["OPENAI_API_KEY", "github_token"]
