"""Credentials in what the code of the system under test sends and gets, known by their names.

Secrets that the project file names, or that are known by their look, are replaced elsewhere; here
are the ones that a service hands out itself, or that stand in a URL.
"""

import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from pydantic import JsonValue

REPLACED = "<secret>"

_IN_BODIES = frozenset((
    "accesskey",
    "accesstoken",
    "apikey",
    "authtoken",
    "awsaccesskeyid",
    "clientsecret",
    "idtoken",
    "passwd",
    "password",
    "refreshtoken",
    "secretaccesskey",
    "secretkey",
    "securitytoken",
    "sessiontoken",
    "subscriptionkey",
))  # fmt: skip
_IN_QUERIES = _IN_BODIES | frozenset((
    "authorization",
    "credential",
    "key",
    "secret",
    "sig",
    "signature",
    "token",
    "xamzcredential",
    "xamzdate",
    "xamzsecuritytoken",
    "xamzsignature",
))  # fmt: skip
_SEPARATORS = re.compile(r"[^a-z0-9]")
_SHORTEST = 8
"""Characters of the shortest value in a query that is taken for a credential."""


def query_without_credentials(query: str) -> str:
    """Replace the values of a query's parameters that are named like credentials.

    Args:
        query: what stands after the question mark of a URL.
    """
    pairs = query.split("&")
    return "&".join(_pair(pair) if _is_credential(pair) else pair for pair in pairs)


def url_without_credentials(url: str) -> str:
    """Leave out user and password of a URL, and replace what its query says of credentials.

    Args:
        url: a URL, whole or relative.
    """
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=host, query=query_without_credentials(parts.query)))


def form_without_credentials(form: str) -> str:
    """Replace the values of a form's fields that are named like credentials.

    Args:
        form: a body of type `application/x-www-form-urlencoded`.
    """
    fields = parse_qsl(form, keep_blank_values=True)
    return urlencode(
        [(name, REPLACED if _named(name, _IN_BODIES) else value) for name, value in fields],
        safe="<>",
    )


def json_without_credentials(value: JsonValue) -> JsonValue:
    """Replace the texts in a JSON value that stand under names of credentials.

    Args:
        value: any JSON value.
    """
    if isinstance(value, list):
        return [json_without_credentials(item) for item in value]
    if isinstance(value, dict):
        return {
            name: REPLACED
            if isinstance(item, str) and item and _named(name, _IN_BODIES)
            else json_without_credentials(item)
            for name, item in value.items()
        }
    return value


def _is_credential(pair: str) -> bool:
    name, _, value = pair.partition("=")
    return _named(name, _IN_QUERIES) and len(value) >= _SHORTEST


def _pair(pair: str) -> str:
    return f"{pair.partition('=')[0]}={quote(REPLACED, safe='<>')}"


def _named(name: str, names: frozenset[str]) -> bool:
    return _SEPARATORS.sub("", name.lower()) in names
