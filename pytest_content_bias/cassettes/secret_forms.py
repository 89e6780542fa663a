"""The texts that one secret value may stand as."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

_ALIGNMENTS = 3


def forms_of(value: str) -> tuple[str, ...]:
    """The value itself, and what JSON, YAML, URLs and base64 make of it; longest first.

    Args:
        value: the secret.
    """
    return tuple(sorted({*_escaped(value), *_url_encoded(value), *_base64(value)}, key=_order))


def _order(form: str) -> tuple[int, str]:
    return -len(form), form


def _escaped(value: str) -> Iterator[str]:
    yield value
    yield value.replace("'", "''")
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]


def _url_encoded(value: str) -> Iterator[str]:
    for encoded in (quote(value, safe=""), quote(value), quote_plus(value)):
        yield encoded
        yield re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), encoded)


def _base64(value: str) -> Iterator[str]:
    """Where the value is part of a longer text, what stands before it shifts the encoding.

    Of each shift, the characters are kept that the value alone determines.
    """
    data = value.encode()
    for shift in range(_ALIGNMENTS):
        first = -(-8 * shift // 6)
        last = 8 * (shift + len(data)) // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(bytes(shift) + data).decode()[first:last]
