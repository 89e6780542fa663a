"""What an unquoted YAML scalar means.

Numbers, `true`, `false` and `null` are those of YAML 1.2's JSON schema. What readers of YAML 1.1
and 1.2 take for different things (`no`, `2024-05-01`, `012`, `1_000`, `12:30`) is refused, since
either reading would surprise half of the authors.
"""

import math
import re

Scalar = None | bool | int | float | str

_WORDS: dict[str, bool | None] = {
    form: value
    for word, value in {"null": None, "true": True, "false": False}.items()
    for form in (word, word.title(), word.upper())
}
_WORDS["~"] = None
_BOOLEANS_OF_YAML_1_1 = frozenset(
    form for word in ("yes", "no", "on", "off") for form in (word, word.title(), word.upper())
)
_FIRST_OF_NUMBERS = frozenset("+-.0123456789")

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OTHER_NUMBER = re.compile(
    r"""[-+]?(?:
        0[xX][0-9a-fA-F_]+ | 0[oO]?[0-9_]+ | 0[bB][01_]+      # other bases, leading zeros
      | [0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?        # digits grouped by _
      | [1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?           # base 60
      | \.(?:inf|Inf|INF|nan|NaN|NAN)
    )""",
    re.VERBOSE,
)
_DATE = re.compile(
    r"""[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}
    (?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?
       (?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)?""",
    re.VERBOSE,
)
_LONGEST_NUMBER = 40


def plain_value(text: str) -> Scalar:
    """The value of an unquoted scalar.

    Args:
        text: the scalar, not empty.

    Raises:
        ValueError: YAML readers disagree about it, or it is not a finite number of usual length;
            the message says what to write instead.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text in _BOOLEANS_OF_YAML_1_1:
        raise _ambiguous(text, "true or false", "true or false")
    return _number_or_text(text) if text[0] in _FIRST_OF_NUMBERS else text


def is_number(text: str) -> bool:
    """Whether a text is written as a number."""
    return _DECIMAL.fullmatch(text) is not None


def _number_or_text(text: str) -> Scalar:
    usual = len(text) <= _LONGEST_NUMBER
    if usual and _INTEGER.fullmatch(text):
        return int(text)
    if usual and _DECIMAL.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    if _DATE.fullmatch(text):
        raise _ambiguous(text, "a date", None)
    if _DECIMAL.fullmatch(text) or _OTHER_NUMBER.fullmatch(text):
        raise _ambiguous(text, "a number", "a finite number in plain decimal digits")
    return text


def _ambiguous(text: str, taken_for: str, otherwise: str | None) -> ValueError:
    short = text if len(text) <= _LONGEST_NUMBER else text[:_LONGEST_NUMBER] + "…"
    advice = f'write "{short}" in quotation marks for the text'
    if otherwise:
        advice += f"; otherwise write {otherwise}"
    return ValueError(f"found {short}, which some YAML readers take for {taken_for}: {advice}")
