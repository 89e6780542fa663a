"""JSON values as YAML that people can review; the same text on every machine.

PyYAML's emitters do not give this text: libyaml's escapes every emoji, and the whole text around
it, and both put a text with one trailing space on one long line. What stands here is the part of
YAML that JSON values need. No line ends in white space and no text ends in empty lines, since
tools that tidy up commits would change those.
"""

import functools
import json
import re

from pydantic import JsonValue

_STEP = "  "
_LONGEST_KEY = 200
"""In characters; YAML takes keys of up to 1024 without a question mark."""
_LONGEST_WORD = 24
"""In characters: what may well come again."""
_LONGEST_REMEMBERED = 10_000
"""In characters: longer texts come but once."""

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]"
)
"""What YAML does not take literally, and what would make a reviewer see another text than the
judge did: controls, breaks other than the line feed, byte order marks, bidirectional marks."""

_WORDS = {None: "null", True: "true", False: "false"}
_PLAIN = re.compile(r"(?:[^\W\d_]|/)(?:[^\t\n:#]|:(?=[^\s])|(?<=[^\s])#)*(?<![\s:])")
_READ_AS_OTHER_TYPES = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def yaml_text(value: JsonValue, pad: str = "") -> str:
    """Write a mapping or a list that is not empty as lines of YAML.

    Args:
        value: the mapping or list; keys keep their order.
        pad: the white space in front of every line.
    """
    lines: list[str] = []
    _add_entries(lines, value, pad, pad)
    lines.append("")
    return "\n".join(lines)


def yaml_scalar(text: str) -> str:
    """Write a text on one line.

    Args:
        text: any text.
    """
    if _UNPRINTABLE.search(text) or "\n" in text or "\t" in text:
        return _double_quoted(text)
    if _PLAIN.fullmatch(text) and text.lower() not in _READ_AS_OTHER_TYPES:
        return text
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


_remembered_scalar = functools.lru_cache(maxsize=1024)(yaml_scalar)
"""Keys and words such as the roles in a chat are the same in every call."""


def _add_entries(lines: list[str], value: JsonValue, lead: str, pad: str) -> None:
    """Add what a mapping or a list holds; `lead` stands in front of its first line."""
    if isinstance(value, dict):
        for key, item in value.items():
            _add_value(lines, _name(key, lead, pad), item, pad)
            lead = pad
    elif isinstance(value, list):
        for item in value:
            if item and isinstance(item, (dict, list)):
                _add_entries(lines, item, f"{lead}- ", pad + _STEP)
            else:
                _add_value(lines, f"{lead}-", item, pad)
            lead = pad


def _name(key: str, lead: str, pad: str) -> str:
    scalar = _remembered_scalar(key)
    if len(scalar) <= _LONGEST_KEY:
        return f"{lead}{scalar}:"
    return f"{lead}? {scalar}\n{pad}:"


def _add_value(lines: list[str], lead: str, value: JsonValue, pad: str) -> None:
    """Add a value that follows `lead`; lists start at the column of their key."""
    if isinstance(value, str):
        if "\n" in value:
            block = _remembered_block if len(value) <= _LONGEST_REMEMBERED else _block
            lines.append(f"{lead} {block(value, pad + _STEP)}")
        else:
            scalar = _remembered_scalar if len(value) <= _LONGEST_WORD else yaml_scalar
            lines.append(f"{lead} {scalar(value)}")
    elif value and isinstance(value, (dict, list)):
        lines.append(lead)
        inside = pad + _STEP if isinstance(value, dict) else pad
        _add_entries(lines, value, inside, inside)
    elif isinstance(value, float):
        lines.append(f"{lead} {_float(value)}")
    elif value is None or isinstance(value, bool):
        lines.append(f"{lead} {_WORDS[value]}")
    elif isinstance(value, int):
        lines.append(f"{lead} {value}")
    else:
        lines.append(f"{lead} {json.dumps(value)}")


def _float(value: float) -> str:
    """YAML 1.1 reads `1e-07` as text: it wants a dot."""
    text = repr(value)
    return text.replace("e", ".0e") if "." not in text else text


def _block(text: str, pad: str) -> str:
    """A text of several lines."""
    if not _may_be_literal(text) or _UNPRINTABLE.search(text):
        return _quoted(text, pad)
    sign = "|" if text.endswith("\n") else "|-"
    lines = text.removesuffix("\n").split("\n")
    return "\n".join([sign, *(pad + line if line else "" for line in lines)])


_remembered_block = functools.lru_cache(maxsize=256)(_block)
"""The examples in a prompt are written for every call."""


def _may_be_literal(text: str) -> bool:
    """Whether no white space would be lost, or misread as indentation; quicker than a pattern."""
    return not (
        text.startswith((" ", "\t", "\n"))
        or text.endswith((" ", "\t", "\n\n"))
        or " \n" in text
        or "\t\n" in text
        or "\n\t" in text
    )


def _quoted(text: str, pad: str) -> str:
    r"""Each line of the text on its own, ended by `\n\`: an escaped break joins what follows."""
    first, *others = _double_quoted(text)[1:-1].replace("\\\\", "\0").split("\\n")
    pieces = [first, *(pad + re.sub(r"\A ", r"\\ ", other) for other in others)]
    return '"' + "\\n\\\n".join(pieces).replace("\0", "\\\\") + '"'


def _double_quoted(text: str) -> str:
    return _UNPRINTABLE.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
