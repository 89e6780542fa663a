"""JSON values as YAML that people can review; the same text on every machine.

PyYAML's emitters do not give this text: libyaml's escapes every emoji, and the whole text around
it, and both put a text with one trailing space on one long line. What stands here is the part of
YAML that JSON values need. No line ends in white space and no text ends in empty lines, since
tools that tidy up commits would change those.
"""

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

_STEP = "  "
_LONGEST_KEY = 200
"""In characters; YAML takes keys of up to 1024 without a question mark."""

_UNPRINTABLE = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff"
    "\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""What YAML does not take literally, and what would make a reviewer see another text than the
judge did: controls, breaks other than the line feed, byte order marks, bidirectional marks."""

_PLAIN = re.compile(r"(?:[^\W\d_]|/)(?:[^\t\n:#]|:(?=[^\s])|(?<=[^\s])#)*(?<![\s:])")
_READ_AS_OTHER_TYPES = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_NOT_LITERAL = re.compile(r"\A[ \t\n]|[ \t]\n|\n\t|[ \t]\Z|\n\n\Z")


def yaml_lines(value: JsonValue, pad: str = "") -> list[str]:
    """Write a mapping or a list that is not empty as lines of YAML.

    Args:
        value: the mapping or list; keys keep their order.
        pad: the white space in front of every line.
    """
    if isinstance(value, dict):
        return [
            line for key, item in value.items() for line in _node(_lead(key, pad), item, pad, _STEP)
        ]
    assert isinstance(value, list)
    return [line for item in value for line in _item(item, pad)]


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


def _lead(key: str, pad: str) -> str:
    scalar = yaml_scalar(key)
    return f"{pad}{scalar}:" if len(scalar) <= _LONGEST_KEY else f"{pad}? {scalar}\n{pad}:"


def _node(lead: str, value: JsonValue, pad: str, step: str) -> Iterator[str]:
    """The lines of a value that follows `lead`; lists start at the column of their key."""
    if isinstance(value, dict) and value:
        yield lead
        yield from yaml_lines(value, pad + step)
    elif isinstance(value, list) and value:
        yield lead
        yield from yaml_lines(value, pad)
    elif isinstance(value, str) and "\n" in value:
        yield from _text_lines(lead, value, pad + step)
    else:
        yield f"{lead} {_inline(value)}"


def _item(value: JsonValue, pad: str) -> Iterator[str]:
    if isinstance(value, (dict, list)) and value:
        first, *others = yaml_lines(value, pad + _STEP)
        yield f"{pad}- {first.removeprefix(pad + _STEP)}"
        yield from others
    else:
        yield from _node(f"{pad}-", value, pad, _STEP)


def _inline(value: JsonValue) -> str:
    if isinstance(value, str):
        return yaml_scalar(value)
    if isinstance(value, float):
        return _float(value)
    return json.dumps(value)


def _float(value: float) -> str:
    """YAML 1.1 reads `1e-07` as text: it wants a dot."""
    text = repr(value)
    return text.replace("e", ".0e") if "." not in text else text


def _text_lines(lead: str, text: str, pad: str) -> Iterator[str]:
    if _NOT_LITERAL.search(text) or _UNPRINTABLE.search(text):
        yield from _quoted_lines(lead, text, pad)
        return
    yield f"{lead} |" if text.endswith("\n") else f"{lead} |-"
    for line in text.removesuffix("\n").split("\n"):
        yield pad + line if line else ""


def _quoted_lines(lead: str, text: str, pad: str) -> Iterator[str]:
    r"""Each line of the text on its own, ended by `\n\`: an escaped break joins what follows."""
    first, *others = _double_quoted(text)[1:-1].replace("\\\\", "\0").split("\\n")
    pieces = [first, *(re.sub(r"\A ", r"\\ ", other) for other in others)]
    lines = [piece.replace("\0", "\\\\") for piece in pieces]
    yield f'{lead} "{lines[0]}\\n\\'
    yield from (f"{pad}{line}\\n\\" for line in lines[1:-1])
    yield f'{pad}{lines[-1]}"'


def _double_quoted(text: str) -> str:
    return _UNPRINTABLE.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
