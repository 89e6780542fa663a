"""What is kept of a reply."""

import json
import math

import pytest
from pydantic import JsonValue

from pytest_content_bias.cassettes.scrub import kept_of_reply
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import chat_body, chat_request, service_request


def token(text: str, logprob: float = -0.1234567, *others: str) -> dict[str, JsonValue]:
    """One token as llama.cpp sends it."""
    return {
        "id": 7,
        "token": text,
        "bytes": list(text.encode()),
        "logprob": logprob,
        "top_logprobs": [
            {"id": 1, "token": other, "bytes": [], "logprob": -1.00000049} for other in others
        ],
    }


def with_tokens(*tokens: JsonValue) -> dict[str, JsonValue]:
    """A chat reply with token probabilities."""
    choice: dict[str, JsonValue] = {"index": 0, "logprobs": {"content": list(tokens)}}
    return {"choices": [choice]}


def kept_tokens_of(*tokens: JsonValue) -> JsonValue:
    kept = kept_of_reply(chat_request(), with_tokens(*tokens))
    assert isinstance(kept, dict)
    assert isinstance(kept["choices"], list)
    choice = kept["choices"][0]
    assert isinstance(choice, dict)
    assert isinstance(choice["logprobs"], dict)
    return choice["logprobs"]["content"]


def test_a_chat_reply_loses_ids_dates_timings_and_owners() -> None:
    noise: dict[str, JsonValue] = {
        "system_fingerprint": "fp_1",
        "service_tier": "default",
        "timings": {"predicted_ms": 3.4},
        "x_groq": {"id": "req_1"},
        "organization": "org-1",
        "request_id": "req-1",
    }

    kept = kept_of_reply(chat_request(), {**chat_body("Yes."), **noise})

    assert isinstance(kept, dict)
    assert list(kept) == ["choices", "usage"]
    assert kept["usage"] == {"prompt_tokens": 12, "completion_tokens": 5}


def test_a_reply_of_anthropic_keeps_what_is_read_from_it() -> None:
    body: dict[str, JsonValue] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "Yes."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 9, "output_tokens": 2, "cache_read_input_tokens": 0},
    }

    kept = kept_of_reply(chat_request(), body)

    assert isinstance(kept, dict)
    assert list(kept) == ["type", "role", "content", "stop_reason", "usage"]
    assert kept["usage"] == {"input_tokens": 9, "output_tokens": 2}


def test_the_reply_of_a_service_is_kept_whole() -> None:
    body: JsonValue = {"id": 1, "created": "today", "answer": "Yes.", "usage": {"x": 1}}

    assert kept_of_reply(service_request("Why?"), body) == body


@pytest.mark.parametrize("body", ["plain text", None, [1, 2], 3.5])
def test_a_chat_reply_of_another_shape_is_kept_whole(body: JsonValue) -> None:
    assert kept_of_reply(chat_request(), body) == body


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    body = json.loads(r'{"answer": "a\ud800b", "\udc00": ["\ud83d\ude00"]}')

    assert kept_of_reply(service_request("Why?"), body) == {"answer": "a\ufffdb", "\ufffd": ["😀"]}


def test_a_reply_nested_beyond_all_bounds_is_refused() -> None:
    body: JsonValue = []
    for _ in range(5000):
        body = [body]

    with pytest.raises(CassetteError, match="system/plain: the reply is nested too deeply"):
        kept_of_reply(service_request("Why?"), body)


def test_alternatives_are_kept_for_the_level_and_the_token_after_it() -> None:
    kept = kept_tokens_of(
        token('{"quote": "about '),
        token("12", -0.1, "13"),
        token(' g", "level":', -0.2),
        token(" 1", -0.3, " 1", " 2"),
        token("0", -0.4, "0", "}"),
        token("}", -0.5, "}"),
    )

    assert kept == [
        {"token": '{"quote": "about 12 g", "level":', "logprob": -0.423457},
        {
            "token": " 1",
            "logprob": -0.3,
            "top_logprobs": [{"token": " 1", "logprob": -1.0}, {"token": " 2", "logprob": -1.0}],
        },
        {
            "token": "0",
            "logprob": -0.4,
            "top_logprobs": [{"token": "0", "logprob": -1.0}, {"token": "}", "logprob": -1.0}],
        },
        {"token": "}", "logprob": -0.5, "top_logprobs": [{"token": "}", "logprob": -1.0}]},
    ]


@pytest.mark.parametrize("level", ['"level": "7"', '"level":7', '"level" : 7', '{"level":\n 7}'])
def test_a_level_is_found_however_the_json_is_written(level: str) -> None:
    kept = kept_tokens_of(*(token(character, -0.1, "9") for character in level))

    assert isinstance(kept, list)
    telling = [t["token"] for t in kept if isinstance(t, dict) and "top_logprobs" in t]
    assert telling[0] == "7"


def test_the_texts_of_the_kept_tokens_still_make_up_the_reply() -> None:
    text = '{"quote": "820 g, \\"x\\": 3", "level": 4}'

    kept = kept_tokens_of(*(token(character) for character in text))

    assert isinstance(kept, list)
    assert "".join(str(t["token"]) for t in kept if isinstance(t, dict)) == text
    assert math.isclose(
        math.fsum(float(str(t["logprob"])) for t in kept if isinstance(t, dict)),
        -0.1234567 * len(text),
        abs_tol=1e-4,
    )


@pytest.mark.parametrize("tokens", [[{"token": 3, "logprob": 0.0}], ["x"], [{"token": "x"}]])
def test_tokens_of_another_form_are_kept_whole(tokens: list[JsonValue]) -> None:
    assert kept_tokens_of(*tokens) == tokens


def test_a_level_without_alternatives_is_kept_as_it_is() -> None:
    level: JsonValue = {"token": '"level": 7', "logprob": 0, "top_logprobs": None}

    assert kept_tokens_of(level) == [{"token": '"level": 7', "logprob": 0.0, "top_logprobs": None}]
