"""Secrets in text: found in every form they may have, replaced, and never written.

A secret in a request or a reply is replaced by a placeholder before the key of the call is
computed and before anything is stored, so that a machine without the secret replays the call.
What is not found: a secret that is encrypted, compressed, or split over several strings.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from pytest_content_bias.cassettes.secret_forms import forms_of
from pytest_content_bias.cassettes.secret_patterns import AUTHORIZATION, KNOWN
from pytest_content_bias.vocabulary.errors import CassetteError, SettingsError
from pytest_content_bias.vocabulary.names import secret_placeholder

_SHORTEST = 8
_PLACEHOLDERS = frozenset((
    "changeme",
    "dummy-key",
    "fake-key",
    "no-key-required",
    "not-needed",
    "not-required",
    "password",
    "placeholder",
    "sk-no-key-required",
    "test-key",
    "undefined",
    "your-api-key",
    "your_api_key",
))  # fmt: skip
"""Words of 8 or more characters that stand where no secret is needed."""
_PATTERN_PLACEHOLDER = "<secret>"
_TEXTS_REMEMBERED = 256
"""The examples in a prompt go out with every call, and need not be looked through each time."""
CUT_OFF = "…"
"""Stands where a message was shortened."""


@dataclass(frozen=True, slots=True)
class _Value:
    name: str
    forms: tuple[str, ...]

    @property
    def placeholder(self) -> str:
        return secret_placeholder(self.name)


class SecretScreen:
    """Finds and replaces secrets.

    Args:
        values: secret values in use, by a name that may be shown; those shorter than 8 characters
            and words such as `changeme` are no secrets.
        patterns: regular expressions of further secrets.

    Raises:
        SettingsError: a pattern is no regular expression, or matches the empty text.
    """

    def __init__(self, values: Mapping[str, str], patterns: Sequence[str] = ()) -> None:
        secret = {name: value.strip() for name, value in values.items() if _is_secret(value)}
        longest_first = sorted(secret, key=lambda name: -len(secret[name]))
        self._values = tuple(_Value(name, forms_of(secret[name])) for name in longest_first)
        self._own = tuple(_compiled(pattern) for pattern in patterns)
        needles = [form for value in self._values for form in value.forms]
        self._needles = (*needles, *(needle for known in KNOWN for needle in known.needles))
        self._clean = set[int]()

    def touches(self, text: str) -> bool:
        """Whether text may hold a secret; quick, and never wrong when it says no.

        Args:
            text: any text, JSON text among it.
        """
        return bool(self._own) or any(map(text.__contains__, self._needles))

    def touches_json(self, value: JsonValue) -> bool:
        """Whether a string, key or whole number of a JSON value may hold a secret; see `touches`.

        Args:
            value: any JSON value.
        """
        rest = [value]
        while rest:
            value = rest.pop()
            if isinstance(value, str):
                if hash(value) not in self._clean and self._touches_anew(value):
                    return True
            elif isinstance(value, dict):
                rest += value
                rest += value.values()
            elif isinstance(value, list):
                rest += value
            elif isinstance(value, int):
                rest.append(str(value))
        return False

    def _touches_anew(self, text: str) -> bool:
        """Hashes are kept, not texts; Python's are keyed, so that no text can be made to match."""
        if self.touches(text):
            return True
        if len(self._clean) == _TEXTS_REMEMBERED:
            self._clean.clear()
        self._clean.add(hash(text))
        return False

    def redact(self, text: str) -> str:
        """Replace every secret by `<secret:NAME>`, or `<secret>` where only its form is known.

        Args:
            text: any text.
        """
        for value in self._values:
            for form in value.forms:
                text = text.replace(form, value.placeholder)
        for pattern in self._patterns(text):
            text = pattern.sub(_PATTERN_PLACEHOLDER, text)
        return text

    def redact_json(self, value: JsonValue) -> JsonValue:
        """Replace every secret in the strings and keys of a JSON value.

        Args:
            value: any JSON value.

        Raises:
            CassetteError: it is nested too deeply.
        """
        try:
            return self._redacted(value, self.redact) if self.touches_json(value) else value
        except RecursionError:
            raise CassetteError("cannot be recorded, since it is nested too deeply") from None

    def redact_shown(self, value: JsonValue) -> JsonValue:
        """Redact what people are shown: of a secret that was cut off (`…`), the start, too.

        Args:
            value: any JSON value.
        """
        return self._redacted(value, self._redact_shown)

    def _redact_shown(self, text: str) -> str:
        *cut_off, rest = self.redact(text).split(CUT_OFF)
        return CUT_OFF.join([*map(self._without_start, cut_off), rest])

    def _without_start(self, text: str) -> str:
        """Replace the first characters of a secret at the end of a text."""
        end = text[-_SHORTEST:]
        for value in self._values:
            for form in (form for form in value.forms if end in form):
                for length in range(len(form) - 1, _SHORTEST - 1, -1):
                    if text.endswith(form[:length]):
                        return text[:-length] + value.placeholder
        return text

    def _redacted(self, value: JsonValue, redact: Callable[[str], str]) -> JsonValue:
        if isinstance(value, str):
            return redact(value)
        if isinstance(value, list):
            return [self._redacted(item, redact) for item in value]
        if isinstance(value, dict):
            return {redact(name): self._field(name, item, redact) for name, item in value.items()}
        return value

    def _field(self, name: str, value: JsonValue, redact: Callable[[str], str]) -> JsonValue:
        """A header that a service echoes: its name tells that its value is secret."""
        if isinstance(value, str) and AUTHORIZATION.regex.search(f"{name}: {value}"):
            return _PATTERN_PLACEHOLDER
        return self._redacted(value, redact)

    def find(self, text: str) -> str | None:
        """Say which kind of secret text holds, never the secret; None: none.

        Args:
            text: any text.
        """
        if not self.touches(text):
            return None
        for value in self._values:
            if any(form in text for form in value.forms):
                return f"the value of {value.name}"
        for known in KNOWN:
            if known.touches(text) and known.regex.search(text):
                return known.name
        for own in self._own:
            if own.search(text):
                return f"text that matches the secret pattern {own.pattern}"
        return None

    def _patterns(self, text: str) -> Iterable[re.Pattern[str]]:
        yield from (known.regex for known in KNOWN if known.touches(text))
        yield from self._own


def secrets_of_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The values of environment variables that look like secrets.

    Their names end like those of secrets, and their values have 12 or more characters with letters
    and digits: a word that also occurs in a question would otherwise be taken for a secret on
    one machine and not on the other.

    Args:
        environment: the environment variables.
    """
    return {
        name: value
        for name, value in environment.items()
        if _SECRET_NAME.search(name) and len(value) >= 12 and _MIXED.search(value)
    }


_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|ACCESS_?KEY|SECRET_?KEY|PRIVATE_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PAT"
    r"|CREDENTIALS?|KEY)$",
    re.IGNORECASE,
)
_MIXED = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9])", re.DOTALL)


def _is_secret(value: str) -> bool:
    return len(value.strip()) >= _SHORTEST and value.strip().lower() not in _PLACEHOLDERS


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise SettingsError(f"secret pattern {pattern!r}: {error}") from None
    if compiled.search(""):
        raise SettingsError(f"secret pattern {pattern!r} matches the empty text")
    return compiled
