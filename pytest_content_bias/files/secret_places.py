"""Where secrets stand in a project file: in some fields, and elsewhere under names that say so."""

import re
from collections.abc import Iterator
from urllib.parse import SplitResult, parse_qsl, urlsplit

from pytest_content_bias.files.document import Location
from pytest_content_bias.files.environment import marked, marks_in

_URLS = frozenset({"url", "base_url"})
_SENSITIVE_NAME = re.compile(r"key|token|secret|pass|auth|sig|credential|cookie", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SENSITIVE_WORD = re.compile(
    r"(?:api|access|auth|id|refresh|secret|security|session|subscription|private)?(?:key|token)"
    r"|secret|pass|passwd|password|passphrase|auth|authorization|bearer|sig|signature"
    r"|credentials?|cookies?|clientsecret"
)
"""In a body `author`, `passages` and `keywords` are content; a parameter or header never is."""


def field_of(location: Location) -> str:
    """The field of a model or a system that a location lies in."""
    depth = 2 if location[:2] == ("system", "model") else 1
    return str(location[depth]) if len(location) > depth else ""


def secret_variables(text: str, location: Location) -> frozenset[str]:
    """The variables of a text that hold secrets.

    Args:
        text: a text of the project file, before its variables are replaced.
        location: where it stands.
    """
    field, whole = field_of(location), marked(text)
    if field in _URLS:
        return frozenset(name for _, part in _parts(whole) for name in marks_in(part))
    if field in {"api_key", "headers"} or _is_sensitive(field, location):
        return frozenset(marks_in(whole))
    return frozenset()


def unrecorded_variables(text: str, location: Location) -> frozenset[str]:
    """The variables of a text whose values no recording holds: secrets, and who logs in with them.

    Args:
        text: a text of the project file, before its variables are replaced.
        location: where it stands.
    """
    user = _split(marked(text)).username if field_of(location) in _URLS else None
    return secret_variables(text, location).union(marks_in(user or ""))


def unnamed_secrets(text: str, replaced: str, location: Location) -> Iterator[tuple[str, str]]:
    """The secrets that `secret_variables` does not name, each with its place.

    They stand in the text itself, or in a variable that holds more of a URL than the secret.

    Args:
        text: a text of the project file, before its variables are replaced.
        replaced: the text afterwards.
        location: where it stands.
    """
    field, place = field_of(location), ".".join(map(str, location))
    if field in _URLS:
        named = {name for name, part in _parts(marked(text)) if marks_in(part)}
        for name, part in _parts(replaced):
            if name not in named:
                yield f"{place} {name}", part
    elif _is_sensitive(field, _own_name(location)) and marked(text) == text and "{{" not in text:
        yield place, replaced.rpartition(" ")[2]


def _own_name(location: Location) -> Location:
    return tuple(name for name in location if isinstance(name, str))[-1:]


def _is_sensitive(field: str, location: Location) -> bool:
    """Whether names say that a text is secret: its own, and in a body also those around it."""
    names = [name for name in location if isinstance(name, str)]
    match field:
        case "api_key":
            return True
        case "headers" | "query":
            return bool(_SENSITIVE_NAME.search(names[-1]))
        case "body":
            words = [word.lower() for name in names for word in _WORDS.findall(name)]
            return any(_SENSITIVE_WORD.fullmatch(word) for word in words)
        case _:
            return False


def _parts(url: str) -> Iterator[tuple[str, str]]:
    """The parts of a URL that are secret; of its userinfo the password, if it has one."""
    parts = _split(url)
    if parts.username:
        yield "userinfo", parts.password or parts.username
    for name, value in parse_qsl(parts.query):
        if _SENSITIVE_NAME.search(name):
            yield name, value


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # said later, when addresses are checked
        return SplitResult("", "", "", "", "")
