"""A YAML document once read: plain values, and where each of them stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from pytest_content_bias.files.text_file import shown
from pytest_content_bias.vocabulary.errors import UserFileError

Location = tuple[str | int, ...]
"""Where a value stands in its document: keys and 0-based indices from the root."""


class Mark(Protocol):
    """A place in a text, counted from 0."""

    line: int
    column: int


@dataclass(slots=True)
class Places:
    """The marks of everything inside mappings and lists, by the identity of the container."""

    of_mapping: dict[int, dict[str, tuple[Mark, Mark]]] = field(default_factory=dict)
    """Per key: where the key and where its value starts."""
    of_list: dict[int, list[Mark]] = field(default_factory=dict)
    """Per entry: where it starts."""

    def find(self, container: JsonValue, part: str | int, key: bool) -> Mark | None:
        """Where a part of a container starts; None: the container has no such part."""
        if isinstance(container, dict) and part in container:
            return self.of_mapping[id(container)][str(part)][0 if key else 1]
        if isinstance(container, list) and isinstance(part, int) and part < len(container):
            return self.of_list[id(container)][part]
        return None


@dataclass(frozen=True, slots=True)
class Document:
    """What a YAML file says.

    Attributes:
        path: the file.
        value: the plain value.
        start: where the value starts.
        places: where its parts start.
        is_file: whether a user can open it, so that places in it say something.
    """

    path: Path
    value: JsonValue
    start: Mark
    places: Places
    is_file: bool = True

    def place(self, location: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
        """The 1-based line and column of a value, or of the nearest one around it.

        Args:
            location: where the value stands.
            key: whether the key is meant and not its value.
        """
        mark, value = self.start, self.value
        for depth, part in enumerate(location, start=1):
            found = self.places.find(value, part, key and depth == len(location))
            if found is None:
                break
            mark, value = found, _part(value, part)
        return mark.line + 1, mark.column + 1

    def at(self, location: Sequence[str | int]) -> JsonValue:
        """The value at a location; of a location that does not exist, the nearest around it."""
        value = self.value
        for part in location:
            if self.places.find(value, part, False) is None:
                break
            value = _part(value, part)
        return value

    def resolve(self, location: Sequence[str | int]) -> Location:
        """The parts of a location that exist; others, such as the name of a type, are left out."""
        value, parts = self.value, []
        for part in location:
            if self.places.find(value, part, False) is not None:
                value = _part(value, part)
                parts.append(part)
        return tuple(parts)

    def error(self, location: Sequence[str | int], problem: str) -> UserFileError:
        """An error at the value of a location."""
        line, column = self.place(location) if self.is_file else (None, None)
        return UserFileError(shown(self.path), line, column, problem)


def _part(container: JsonValue, part: str | int) -> JsonValue:
    parts: Mapping[str | int, JsonValue] | Sequence[JsonValue] = container  # type: ignore[assignment]
    return parts[part]  # type: ignore[index]
