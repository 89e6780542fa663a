"""The values of a project file, with variables replaced and secrets noted.

Three kinds of fields differ. What identifies a recorded request has to be known in every run.
What only matters for sending, such as a key, may be missing while replaying, since CI has no keys;
so may a secret in the URL or the body of a service, which the recording does not hold either.
What is secret must never be written anywhere.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import JsonValue

from pytest_content_bias.files.document import Document, Location
from pytest_content_bias.files.environment import Interpolated, interpolate
from pytest_content_bias.files.findings import Finding
from pytest_content_bias.files.secret_places import (
    field_of,
    secret_variables,
    unnamed_secrets,
    unrecorded_variables,
)
from pytest_content_bias.files.validation import label
from pytest_content_bias.files.yaml_scalars import plain_value
from pytest_content_bias.vocabulary.names import secret_placeholder

_FOR_SENDING = frozenset({"api_key", "headers", "base_url", "query", "price"})
_NUMBERS = frozenset({"max_tokens", "price"})
_SHORTEST_SECRET = 8
"""Shorter values, such as `none` or `EMPTY`, are stand-ins, and would be found everywhere."""


class _Unknown:
    """The value of a field whose variable is missing and not needed."""


_UNKNOWN: Final = _Unknown()


class ProjectValues:
    """Replaces the variables in a project file.

    Attributes:
        findings: what was wrong so far.
        secrets: name of a variable, or place of a literal, to a value that must not be written.
    """

    def __init__(self, document: Document, environ: Mapping[str, str], recording: bool) -> None:
        self.findings: list[Finding] = []
        self.secrets: dict[str, str] = {}
        self._document = document
        self._environ = environ
        self._recording = recording

    def resolved(self) -> JsonValue:
        """The document's value with its variables replaced, without what is not known."""
        value = self._resolve(self._document.value, ())
        return None if isinstance(value, _Unknown) else value

    def _resolve(self, value: JsonValue, location: Location) -> JsonValue | _Unknown:
        match value:
            case str():
                return self._text(value, location)
            case list():
                items = [self._resolve(item, (*location, at)) for at, item in enumerate(value)]
                return [item for item in items if not isinstance(item, _Unknown)]
            case dict():
                return self._mapping(value, location)
        return value

    def _mapping(
        self, value: dict[str, JsonValue], location: Location
    ) -> dict[str, JsonValue] | _Unknown:
        resolved = {key: self._resolve(item, (*location, key)) for key, item in value.items()}
        known = {key: item for key, item in resolved.items() if not isinstance(item, _Unknown)}
        half_a_price = field_of(location) == "price" and len(known) < len(resolved)
        return _UNKNOWN if half_a_price else known

    def _text(self, value: str, location: Location) -> JsonValue | _Unknown:
        field = field_of(location)
        try:
            result = interpolate(value, self._environ)
            self._note_secrets(value, location, result)
            if result.missing and not self._recording:
                if field in _FOR_SENDING:
                    return _UNKNOWN
                unrecorded = unrecorded_variables(value, location).intersection(result.missing)
                result = interpolate(value, {**self._environ, **_placeholders(unrecorded)})
            for name in dict.fromkeys(result.missing):
                self._add(location, _unset(name))
            is_number = result.changed and field in _NUMBERS and result.text
            return plain_value(result.text) if is_number else result.text
        except ValueError as error:
            self._add(location, str(error))
            return value

    def _note_secrets(self, value: str, location: Location, result: Interpolated) -> None:
        secret = secret_variables(value, location)
        found = {name: self._environ[name] for name in result.used if name in secret}
        found.update(unnamed_secrets(value, result.text, location))
        self.secrets |= {
            name: secret for name, secret in found.items() if len(secret) >= _SHORTEST_SECRET
        }

    def _add(self, location: Location, text: str) -> None:
        self.findings.append(Finding(location, label(location) + text))


def _placeholders(names: Iterable[str]) -> dict[str, str]:
    """What the recorded request holds in place of these variables."""
    return {name: secret_placeholder(name) for name in names}


def _unset(name: str) -> str:
    return f"the variable {name} is not set or empty: set it, or give a default, ${{{name}:-…}}"
