"""The one JSON object that a reply holds, between whatever a model writes around it."""

import json
import math
import re

from pydantic import JsonValue

from pytest_content_bias.vocabulary.errors import ReplyFault

_START = re.compile(r'\{\s*["}]')
_THOUGHTS = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_HTML = re.compile(r"\s*<(!doctype|html|head|body)\b", re.IGNORECASE)
_INSIDE_LIST_OR_OBJECT = re.compile(r'(?:[\[{]|"\s*:)\s*\Z')


def parse_object(text: str) -> dict[str, JsonValue]:
    """The JSON object of a reply.

    Thoughts before it, prose around it and a Markdown fence are passed over. What could be read in
    two ways is a fault: several objects, a key that stands twice, an object inside of something
    broken.

    Raises:
        ReplyFault: the reply does not hold one JSON object.
    """
    text = _THOUGHTS.sub("", text, count=1)
    if not text.strip():
        raise ReplyFault("The reply is empty.")
    if _HTML.match(text):
        raise ReplyFault("The reply is an HTML page, not a JSON object.")
    start = _START.search(text)
    if start is None:
        raise ReplyFault("The reply holds no JSON object.")
    value, end = _decode(text, start.start())
    before, after = text[: start.start()], text[end:]
    if _START.search(after):
        raise ReplyFault("The reply holds more than one JSON object.")
    if _INSIDE_LIST_OR_OBJECT.search(before) or re.match(r"\s*[\]}]", after):
        raise ReplyFault("The reply is not one JSON object: the object is part of something else.")
    return value


def _decode(text: str, start: int) -> tuple[dict[str, JsonValue], int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise ReplyFault(f"The JSON object is broken: {error.msg} at {_near(error)}.") from None
    except UnicodeEncodeError:
        raise ReplyFault("The JSON object holds half of a surrogate pair.") from None
    except RecursionError:
        raise ReplyFault("The JSON object is nested too deeply.") from None
    return value, end


def _near(error: json.JSONDecodeError) -> str:
    rest = error.doc[error.pos : error.pos + 20]
    return f'"{rest}"' if rest.strip() else "its end"


def _without_duplicates(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    value: dict[str, JsonValue] = {}
    for key, item in pairs:
        if key in value:
            raise ReplyFault(f'The key "{key}" stands twice in the JSON object.')
        value[key] = item
    return value


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ReplyFault(f"{number} is not a finite number.")
    return value


def _integer(number: str) -> int:
    if len(number) > 100:
        raise ReplyFault("The JSON object holds a number of more than 100 digits.")
    return int(number)


# Not strict: small models write raw line breaks into texts, and mean line breaks.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_duplicates,
    parse_float=_finite,
    parse_int=_integer,
    parse_constant=_finite,
    strict=False,
)
