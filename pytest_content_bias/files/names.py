"""Names that authors give: each is a file name, a part of a node id, or a pytest mark."""

import re
import unicodedata

from pytest_content_bias.files.wording import quoted

INPUT_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
TAG = r"^[A-Za-z\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*$"
"""Tags as the published schema describes them; `check_tag` is stricter on signs."""
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
)
"""Names that Windows keeps for devices, with any ending."""
_MARKS_WITH_EFFECT = frozenset(
    {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings"}
)
"""Marks of pytest itself: as a tag, `skip` or `xfail` would let a case pass unseen."""
_WORDS_OF_EXPRESSIONS = frozenset({"and", "or", "not", "True", "False", "None"})


def check_input_id(name: str) -> str:
    """Return a case's name, if it can be a file name on every system and part of a node id.

    Raises:
        ValueError: it cannot; the message says why.
    """
    if not re.fullmatch(INPUT_ID[1:-1], name):
        raise ValueError(
            f"{quoted(name)} cannot name a case: expected letters, digits, '.', '_' and '-',"
            f" the first a letter or a digit, such as '{_as_input_id(name)}'"
        )
    if name.partition(".")[0].lower() in _DEVICES:
        raise ValueError(f"'{name}' cannot name a case: Windows keeps this file name for a device")
    if name.endswith(".") or name.lower().endswith(".partial"):
        raise ValueError(f"'{name}' cannot name a case: expected no '.' or '.partial' at its end")
    return name


def check_tag(tag: str) -> str:
    """Return a tag, composed (NFC), if it can be a pytest mark: a word such as `medical`.

    Raises:
        ValueError: it cannot; the message says why.
    """
    tag = unicodedata.normalize("NFC", tag)
    if not tag.isidentifier() or tag.startswith("_"):
        raise ValueError(
            f"{quoted(tag)} cannot be a tag: expected letters, digits and '_', the first a"
            f" letter, such as '{_as_tag(tag)}'"
        )
    if tag in _MARKS_WITH_EFFECT | _WORDS_OF_EXPRESSIONS:
        raise ValueError(f"'{tag}' cannot be a tag: the word has a meaning of its own in pytest")
    return tag


def _as_input_id(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", _ascii(name))[:40].strip(".-_") or "case-1"


def _as_tag(tag: str) -> str:
    return re.sub(r"\W+", "_", tag)[:40].strip("_0123456789") or "topic"


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
