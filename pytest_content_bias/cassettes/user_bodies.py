"""Bodies of any kind as JSON values, and back: parsed JSON, text, or base64."""

import base64
import gzip
import importlib
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical
from pytest_content_bias.vocabulary.errors import CassetteError

_CHARSET = re.compile(r"charset=[\"']?([\w.:-]+)", re.IGNORECASE)
_JSON_STARTS = ("{", "[")


class NotDecoded(Exception):
    """Content has an encoding that this machine cannot undo."""


def decoded(content: bytes, encoding: str) -> bytes:
    """Undo a `content-encoding`; content that was undone already is left as it is.

    Args:
        content: the body.
        encoding: the header's value, such as `gzip` or `gzip, br`; empty: none.

    Raises:
        NotDecoded: it cannot be undone.
    """
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        content = _undone(content, name)
    return content


def as_json_value(content: bytes, content_type: str) -> JsonValue:
    """Make a readable JSON value of a body: parsed JSON, or text; None: empty or neither.

    Args:
        content: the body, without content encoding.
        content_type: the header's value.
    """
    text = _text(content, content_type)
    if not text:
        return None
    if "json" in content_type.lower() or text.lstrip().startswith(_JSON_STARTS):
        return _parsed(text)
    return text


def as_base64(content: bytes) -> str:
    """Write bytes as base64.

    Args:
        content: the bytes.
    """
    return base64.b64encode(content).decode()


def from_base64(text: str) -> bytes:
    """Read what `as_base64` wrote.

    Args:
        text: base64.
    """
    return base64.b64decode(text)


def as_bytes(body: JsonValue) -> bytes:
    """Write a recorded body as the bytes of a body; text as UTF-8, None as nothing.

    Args:
        body: what `as_json_value` returned.
    """
    if body is None:
        return b""
    return (body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)).encode()


def first_values(headers: Mapping[str, Any]) -> dict[str, str]:
    """Headers by lower-case name; of several values, all joined by commas.

    Args:
        headers: name to value, or to a list of values.
    """
    return {str(name).lower(): _joined(value) for name, value in headers.items()}


def _joined(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_joined, value))
    return str(value)


def _undone(content: bytes, encoding: str) -> bytes:
    try:
        if encoding in {"", "identity"}:
            return content
        if encoding in {"gzip", "x-gzip"}:
            return gzip.decompress(content)
        if encoding == "deflate":
            return zlib.decompress(content)
    except (OSError, EOFError, zlib.error):
        return content
    if encoding == "br":
        return _without_brotli(content)
    raise NotDecoded(encoding)


def _without_brotli(content: bytes) -> bytes:
    """Whoever gets such a body has a package that undoes it."""
    for name in ("brotli", "brotlicffi"):
        try:
            brotli = importlib.import_module(name)
        except ImportError:
            continue
        try:
            return bytes(brotli.decompress(content))
        except brotli.error:
            return content
    raise NotDecoded("br")


def _text(content: bytes, content_type: str) -> str | None:
    charset = _CHARSET.search(content_type)
    try:
        return content.decode(charset[1] if charset else "utf-8")
    except (UnicodeDecodeError, LookupError):
        return None


def _parsed(text: str) -> JsonValue:
    """JSON that cannot be written again so that it means the same stays text."""
    try:
        value: JsonValue = json.loads(text, object_pairs_hook=_once_each, parse_constant=_refused)
        canonical(value)
    except (ValueError, RecursionError, CassetteError):
        return text
    return value


def _once_each(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value


def _refused(constant: str) -> JsonValue:
    raise ValueError(constant)
