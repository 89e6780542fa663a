"""A request of the system's own code, as vcrpy saw it: what it is found by."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import JsonValue

from pytest_content_bias.cassettes.user_bodies import (
    NotDecoded,
    as_base64,
    as_json_value,
    decoded,
    first_values,
)
from pytest_content_bias.cassettes.user_credentials import (
    form_without_credentials,
    json_without_credentials,
    url_without_credentials,
)
from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.errors import CallError

_BOUNDARY = re.compile(r"multipart/[\w-]+;.*boundary=\"?([^\";]+)", re.IGNORECASE)
_SAME_BOUNDARY = b"boundary"


def user_request(request: Any, prefix: str) -> CallRequest:
    """Read a request.

    It is found by method, URL and body. What differs each time or is secret is replaced first:
    user and password in the URL, parameters and fields that are named like credentials, the
    boundary of a multipart body.

    Args:
        request: vcrpy's request.
        prefix: the start of its slot.

    Raises:
        CallError: its body cannot be read twice.
    """
    url = url_without_credentials(str(request.uri))
    parts = urlsplit(url)
    body = _body(request, first_values(request.headers))
    identity: dict[str, JsonValue] = {
        "method": str(request.method),
        "host": f"{parts.scheme}://{parts.netloc}" if parts.netloc else "",
        "path": urlunsplit(parts._replace(scheme="", netloc="", path=parts.path or "/")),
        "body": body,
    }
    return CallRequest(
        slot=prefix,
        method=str(request.method),
        url=url,
        identity=identity,
        body=body,
    )


def _body(request: Any, headers: Mapping[str, str]) -> JsonValue:
    content = request.body
    if hasattr(content, "read"):
        content = content.read()
    elif hasattr(content, "__next__"):
        content = b"".join(content)
    if content is None or isinstance(content, bytes | bytearray):
        return _read(bytes(content or b""), headers)
    if isinstance(content, dict | list):
        return json_without_credentials(_plain(content, request))
    raise _unreadable(content, request)


def _read(content: bytes, headers: Mapping[str, str]) -> JsonValue:
    content_type = headers.get("content-type", "")
    try:
        content = decoded(content, headers.get("content-encoding", ""))
    except NotDecoded:
        return {"base64": as_base64(content)}
    if boundary := _BOUNDARY.search(content_type):
        content = content.replace(boundary[1].encode(), _SAME_BOUNDARY)
    body = as_json_value(content, content_type)
    if body is None and content:
        return {"base64": as_base64(content)}
    if isinstance(body, str) and "x-www-form-urlencoded" in content_type:
        return form_without_credentials(body)
    return json_without_credentials(body)


def _plain(content: Any, request: Any) -> JsonValue:
    """What aiohttp was given for its `json` or `data`: it is not yet written as text."""
    if isinstance(content, dict):
        return {str(key): _plain(value, request) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_plain(item, request) for item in content]
    if isinstance(content, bytes):
        return content.decode("latin-1")
    if content is None or isinstance(content, str | bool | int | float):
        return content
    raise _unreadable(content, request)


def _unreadable(content: object, request: Any) -> CallError:
    return CallError(
        f"{request.method} {urlsplit(str(request.uri)).path}: a body of type "
        f"{type(content).__name__} cannot be recorded; send bytes, text or JSON"
    )
