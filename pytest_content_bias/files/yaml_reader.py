"""YAML text to plain values, with the place of each of them.

Values are built from parser events in one pass. Nothing of YAML is accepted that could surprise:
no duplicate keys, no keys other than text, no tags but `!!str`, no second document, no key
without a value. Aliases and merge keys work within bounds.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import yaml
from pydantic import JsonValue
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from pytest_content_bias.files.document import Document, Mark, Places
from pytest_content_bias.files.text_file import decode, read_bytes, shown
from pytest_content_bias.files.wording import quoted
from pytest_content_bias.files.yaml_scalars import Scalar, plain_value
from pytest_content_bias.files.yaml_syntax import syntax_error
from pytest_content_bias.vocabulary.errors import UserFileError

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str")
_MAX_DEPTH = 50
"""Levels of nesting; deeper files are mistakes or attacks."""
_MAX_ALIASED = 20_000_000
"""Characters that aliases may add; a file of nested aliases would fill the memory."""


def read_yaml(path: Path) -> Document:
    """Read a YAML file.

    Raises:
        UserFileError: it cannot be read, or is not YAML of the accepted kind.
    """
    return parse_yaml(decode(read_bytes(path), path), path)


def parse_yaml(text: str, path: Path) -> Document:
    """Read YAML text.

    Args:
        text: the text.
        path: the file that errors name.

    Raises:
        UserFileError: the text is not YAML of the accepted kind.
    """
    try:
        return _Builder(path, _LOADER(text).get_event).document()
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise syntax_error(error, text, shown(path)) from None


class _Builder:
    """Builds the value of one document from its parser events."""

    def __init__(self, path: Path, next_event: Callable[[], Any]) -> None:
        self._path = path
        self._next = next_event
        self._places = Places()
        self._anchors: dict[str, tuple[JsonValue, int, int]] = {}
        """Anchor to its value, the value's weight, and the levels inside it."""
        self._weight = 0
        """Characters so far, those behind aliases counted each time."""
        self._aliased = 0
        """Characters behind aliases so far."""
        self._reached = 0
        """The deepest level so far."""

    def document(self) -> Document:
        first = self._next()
        while type(first) in {StreamStartEvent, DocumentStartEvent}:
            first = self._next()
        if type(first) is StreamEndEvent:
            raise UserFileError(
                shown(self._path), None, None, "the file is empty or holds comments only"
            )
        value = self._value(first, 1)
        self._expect_end()
        return Document(self._path, value, first.start_mark, self._places)

    def _expect_end(self) -> None:
        event = self._next()
        while type(event) is DocumentEndEvent:
            event = self._next()
        if type(event) is not StreamEndEvent:
            self._fail(event.start_mark, "a second YAML document starts here: expected one only")

    def _value(self, event: Any, depth: int) -> JsonValue:
        kind = type(event)
        if kind is AliasEvent:
            return self._alias(event, depth)
        if event.anchor is not None:
            return self._anchored(event, depth)
        return self._scalar(event) if kind is ScalarEvent else self._collection(event, depth)

    def _anchored(self, event: Any, depth: int) -> JsonValue:
        name, event.anchor = event.anchor, None
        reached, weight = self._reached, self._weight
        self._reached = depth
        value = self._value(event, depth)
        self._anchors[name] = value, self._weight - weight, self._reached - depth
        self._reached = max(self._reached, reached)
        return value

    def _scalar(self, event: Any) -> Scalar:
        text: str = event.value
        self._weight += len(text) + 1
        if event.tag not in _TEXT_TAGS:
            self._refuse_tag(event)
        if event.tag is not None or not event.implicit[0]:
            return text
        if not text:
            self._fail(event.start_mark, "a value is missing here: give one, or delete the line")
        try:
            return plain_value(text)
        except ValueError as error:
            self._fail(event.start_mark, str(error))

    def _alias(self, event: Any, depth: int) -> JsonValue:
        if event.anchor not in self._anchors:
            name = quoted(event.anchor)
            self._fail(event.start_mark, f"the alias {name} names no value marked with & above it")
        value, weight, levels = self._anchors[event.anchor]
        self._descend(event, depth + levels)
        self._weight += weight
        self._aliased += weight
        if self._aliased > _MAX_ALIASED:
            self._fail(event.start_mark, "aliases multiply this file beyond all measure")
        return value

    def _collection(self, event: Any, depth: int) -> JsonValue:
        self._weight += 1
        if event.tag not in {None, "!"}:
            self._refuse_tag(event)
        self._descend(event, depth)
        is_mapping = type(event) is MappingStartEvent
        return self._mapping(depth) if is_mapping else self._list(depth)

    def _descend(self, event: Any, depth: int) -> None:
        self._reached = max(self._reached, depth)
        if depth > _MAX_DEPTH:
            self._fail(event.start_mark, f"nested more than {_MAX_DEPTH} levels deep")

    def _list(self, depth: int) -> list[JsonValue]:
        values: list[JsonValue] = []
        marks: list[Mark] = []
        while type(event := self._next()) is not SequenceEndEvent:
            marks.append(event.start_mark)
            values.append(self._value(event, depth + 1))
        self._places.of_list[id(values)] = marks
        return values

    def _mapping(self, depth: int) -> dict[str, JsonValue]:
        values: dict[str, JsonValue] = {}
        marks: dict[str, tuple[Mark, Mark]] = {}
        merged: list[tuple[JsonValue, Mark]] = []
        while type(event := self._next()) is not MappingEndEvent:
            is_merge = type(event) is ScalarEvent and event.value == "<<" and event.implicit[0]
            if is_merge and merged:
                self._fail(event.start_mark, "the key '<<' is given twice: give it a list")
            key = "<<" if is_merge else self._key(event, marks)
            value_event = self._next()
            value = self._value(value_event, depth + 1)
            if is_merge:
                merged.append((value, value_event.start_mark))
            else:
                values[key] = value
                marks[key] = event.start_mark, value_event.start_mark
        for value, mark in merged:
            self._merge(value, mark, values, marks)
        self._places.of_mapping[id(values)] = marks
        return values

    def _key(self, event: Any, marks: dict[str, tuple[Mark, Mark]]) -> str:
        here: Mark = event.start_mark
        if type(event) is not ScalarEvent:
            self._fail(here, "this key is no text: expected a word and a colon")
        key = self._value(event, 1)
        if not isinstance(key, str):
            self._fail(here, f"the key {event.value} is no text: put it in quotation marks")
        if key in marks:
            first = marks[key][0].line + 1
            self._fail(here, f"the key {quoted(key)} is given twice, first on line {first}")
        return key

    def _merge(
        self,
        value: JsonValue,
        mark: Mark,
        values: dict[str, JsonValue],
        marks: dict[str, tuple[Mark, Mark]],
    ) -> None:
        """Put the keys of a merge key's mappings in; keys that are there win."""
        for base in value if isinstance(value, list) else [value]:
            if not isinstance(base, dict):
                self._fail(mark, "'<<' merges mappings only: expected an alias of a mapping")
            for key in base:
                if key not in values:
                    values[key] = base[key]
                    marks[key] = self._places.of_mapping[id(base)][key]

    def _refuse_tag(self, event: Any) -> NoReturn:
        self._fail(event.start_mark, f"the tag {quoted(event.tag)} is not supported: leave it out")

    def _fail(self, mark: Mark, problem: str) -> NoReturn:
        raise UserFileError(shown(self._path), mark.line + 1, mark.column + 1, problem)
