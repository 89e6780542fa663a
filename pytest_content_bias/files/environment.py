"""Variables of the environment in texts: `${NAME}`, `${NAME:-default}`, and `$$` for a dollar."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_VARIABLE = re.compile(
    r"\$(?:(?P<dollar>\$)|\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^{}]*))?\}|(?P<bad>\{))"
)

_MARK = re.compile("⟨([A-Za-z_][A-Za-z0-9_]*)⟩")


@dataclass(frozen=True, slots=True)
class Interpolated:
    """A text with its variables replaced.

    Attributes:
        text: the text; of a variable without a value nothing is left.
        used: the variables whose value came from the environment.
        missing: the variables that have neither a value nor a default.
        changed: whether the text held any variable.
    """

    text: str
    used: tuple[str, ...]
    missing: tuple[str, ...]
    changed: bool


def interpolate(text: str, environ: Mapping[str, str]) -> Interpolated:
    """Replace the variables of a text.

    An empty variable counts as unset, since CI services hand on absent secrets as empty ones.

    Args:
        text: the text.
        environ: the variables.

    Raises:
        ValueError: a `${` does not begin a variable.
    """
    used: list[str] = []
    missing: list[str] = []

    def value_of(match: re.Match[str]) -> str:
        if match["dollar"]:
            return "$"
        if match["bad"]:
            raise ValueError(_malformed(text[match.start() :]))
        name, default = match["name"], match["default"]
        if value := environ.get(name):
            used.append(name)
            return value
        if default is None:
            missing.append(name)
        return default or ""

    replaced = _VARIABLE.sub(value_of, text)
    return Interpolated(replaced, tuple(used), tuple(missing), _names_a_variable(text))


def marked(text: str) -> str:
    """A text with a mark in place of each variable, for `marks_in`.

    Args:
        text: the text.
    """
    return _VARIABLE.sub(lambda match: f"⟨{match['name']}⟩" if match["name"] else match[0], text)


def marks_in(text: str) -> list[str]:
    """The names of the variables whose marks a text holds.

    Args:
        text: what `marked` gave, or a part of it.
    """
    return _MARK.findall(text)


def _names_a_variable(text: str) -> bool:
    return any(match["name"] for match in _VARIABLE.finditer(text))


def _malformed(rest: str) -> str:
    return (
        f"{rest[:20]!r} begins no variable: expected ${{NAME}} or ${{NAME:-default}} without braces"
        " in the default; write '$${' for the text '${'"
    )
