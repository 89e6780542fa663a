"""Which keys a mapping may have, looked up in the JSON Schema of its model."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, JsonValue

Schema = Mapping[str, Any]


def known_keys(
    model: type[BaseModel], value: JsonValue, location: Sequence[str | int]
) -> frozenset[str]:
    """The keys that a model accepts at a place of a value.

    Args:
        model: the model of the whole value.
        value: the whole value; where it may be of several kinds, its constants, such as
            `type: http`, choose the kind.
        location: the keys and indices that lead to the mapping.
    """
    root = model.model_json_schema()
    kinds = list(_kinds(root, root, value))
    for part in location:
        value = value[part]  # type: ignore[index]
        inner = [schema for kind in kinds for schema in _inner(kind, part)]
        kinds = [kind for schema in inner for kind in _kinds(schema, root, value)]
    return frozenset(key for kind in kinds for key in kind.get("properties", ()))


def _kinds(schema: Schema, root: Schema, value: JsonValue) -> Iterator[Schema]:
    """The schema without references and alternatives that the value rules out."""
    if reference := schema.get("$ref"):
        schema = root["$defs"][reference.rpartition("/")[2]]
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        for alternative in alternatives:
            yield from _kinds(alternative, root, value)
    elif _agrees(schema, value):
        yield schema


def _agrees(schema: Schema, value: JsonValue) -> bool:
    constants = {
        key: inner["const"]
        for key, inner in schema.get("properties", {}).items()
        if "const" in inner
    }
    return not isinstance(value, dict) or all(
        value.get(key) == constant for key, constant in constants.items()
    )


def _inner(schema: Schema, part: str | int) -> Iterator[Schema]:
    if isinstance(part, int):
        found = schema.get("items")
    else:
        found = schema.get("properties", {}).get(part, schema.get("additionalProperties"))
    if isinstance(found, Mapping):
        yield found
