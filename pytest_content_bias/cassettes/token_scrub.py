"""What is kept of token probabilities: those that a level can be read from."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

_DECIMALS = 6
_NUMBER_OF_A_KEY = re.compile(r'"\s*:\s*"?\d+')
"""A number as the value of a JSON key, where a judge's level stands."""


def kept_tokens(tokens: list[JsonValue]) -> list[JsonValue]:
    """Keep alternatives where a number is the value of a key, and for the token that follows it.

    The tokens between are joined to one; its log probability is the sum of theirs. Log
    probabilities are rounded to 6 decimals. The tokens' texts still make up the whole reply.

    Args:
        tokens: `logprobs.content` of a reply; in another form than OpenAI's it is kept whole.
    """
    return list(_kept(tokens)) if _readable(tokens) else tokens


def _readable(tokens: Sequence[JsonValue]) -> bool:
    return all(
        isinstance(token, dict)
        and isinstance(token.get("token"), str)
        and isinstance(token.get("logprob"), int | float)
        for token in tokens
    )


def _kept(tokens: Sequence[Any]) -> Iterator[JsonValue]:
    telling = _telling([token["token"] for token in tokens])
    between: list[Any] = []
    for index, token in enumerate(tokens):
        if index not in telling:
            between.append(token)
            continue
        yield from _one(between)
        between = []
        yield {**_token(token), "top_logprobs": _alternatives(token)}
    yield from _one(between)


def _telling(texts: Sequence[str]) -> set[int]:
    """The tokens that hold a digit of such a number, and one more."""
    ends: list[int] = []
    for text in texts:
        ends.append(len(text) + (ends[-1] if ends else 0))
    telling: set[int] = set()
    for number in _NUMBER_OF_A_KEY.finditer("".join(texts)):
        digits = len(number[0]) - len(number[0].rstrip("0123456789"))
        first, last = number.end() - digits, number.end()
        inside = [i for i, end in enumerate(ends) if end > first and end - len(texts[i]) < last]
        telling.update(inside, [inside[-1] + 1])
    return telling


def _one(tokens: Sequence[Any]) -> Iterator[JsonValue]:
    if tokens:
        text = "".join(token["token"] for token in tokens)
        yield _token({"token": text, "logprob": math.fsum(token["logprob"] for token in tokens)})


def _token(token: Mapping[str, Any]) -> dict[str, JsonValue]:
    return {"token": token["token"], "logprob": round(float(token["logprob"]), _DECIMALS)}


def _alternatives(token: Mapping[str, Any]) -> JsonValue:
    alternatives = token.get("top_logprobs")
    if not isinstance(alternatives, list) or not _readable(alternatives):
        return alternatives
    return [_token(other) for other in alternatives]
