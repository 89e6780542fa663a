"""The one text of a JSON value, and the key by which a recorded call is found."""

import hashlib
import json

from pydantic import JsonValue

from pytest_content_bias.vocabulary.errors import CassetteError


def canonical(value: JsonValue) -> str:
    """Write a JSON value so that equal values, and only these, give equal text.

    The order of keys does not count. Types do: 1, 1.0 and true differ. Text is taken as it is,
    without Unicode normalisation.

    Args:
        value: a JSON value.

    Raises:
        CassetteError: it has no such text: NaN, an infinity, half a surrogate pair, or something
            that is not JSON.
    """
    try:
        text = json.dumps(
            value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
        )
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise CassetteError(f"cannot be recorded, since it is not JSON text: {error}") from error
    return text


def key_of(text: str) -> str:
    """The key of a request: SHA-256 of its canonical text, hexadecimal.

    Args:
        text: what `canonical` returned.
    """
    return hashlib.sha256(text.encode()).hexdigest()
