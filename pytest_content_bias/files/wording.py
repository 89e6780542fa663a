"""How values and expectations are named in errors."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from pytest_content_bias.files.document import Location
from pytest_content_bias.files.yaml_scalars import is_number

_LONGEST_SHOWN = 40
_SECRET_KEYS = frozenset({"api_key", "headers"})
_BLANK = r"\S"

WRONG_TYPE = {
    "string_type": "text",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
"""Kind of pydantic error to what was expected, where a value is of the wrong type."""


def found(value: JsonValue, location: Location) -> str:
    """What stands in the file, in a few words; never a secret."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case dict():
            return "a mapping"
        case list():
            return "a list"
    kind = "the text" if isinstance(value, str) else "the number"
    if _SECRET_KEYS.intersection(location):
        return f"{kind} that stands here"
    return f"{kind} {shortened(value)!r}"


def quoted(text: str) -> str:
    """A text in quotation marks, on one line, with the end of a long one cut off."""
    return repr(shortened(text))


def shortened(value: str | float) -> str | float:
    """A value with the end of a long text cut off."""
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        return value[:_LONGEST_SHOWN] + "…"
    return value


def advice(kinds: set[str], value: JsonValue) -> str:
    """The remedy for a value of the wrong type, where there is a usual one.

    Args:
        kinds: the kinds of pydantic errors.
        value: what stands in the file.
    """
    if "string_type" in kinds and isinstance(value, bool | int | float):
        return ": put it in quotation marks"
    if kinds & {"float_type", "int_type"} and isinstance(value, str) and is_number(value):
        return ": remove the quotation marks"
    return ""


def expectation(kind: str, context: Mapping[str, Any], message: str) -> str:
    """What a value of the right type should have been.

    Args:
        kind: the kind of pydantic error.
        context: pydantic's details.
        message: pydantic's own sentence, for kinds without one here.
    """
    match kind, context:
        case "value_error", {"error": error}:
            return str(error)
        case (("literal_error" | "enum"), {"expected": choices}):
            return f"expected {choices}"
        case "union_tag_not_found", {"discriminator": key}:
            return f"the key {key} is missing"
        case "string_pattern_mismatch", {"pattern": pattern}:
            return _form(pattern)
        case "string_too_short" | "string_too_long" | "too_short", _:
            return _length(kind, context)
        case _, {"ge": bound}:
            return f"expected a number of at least {bound:g}"
        case _, {"le": bound}:
            return f"expected a number of at most {bound:g}"
        case _, {"gt": bound}:
            return f"expected a number above {bound:g}"
    return message


def _form(pattern: str) -> str:
    return "expected some text" if pattern == _BLANK else f"expected the form {pattern}"


def _length(kind: str, context: Mapping[str, Any]) -> str:
    match kind:
        case "too_short":
            return "expected at least one entry"
        case "string_too_short":
            return "expected some text"
    return f"expected at most {context['max_length']} characters"
