"""What a verdict in words decides.

A judge that was asked for yes or no may answer "Yes, because …". The first word decides, unless
what follows takes it back; a verdict that decides nothing must not count as either.
"""

import re

from pydantic import JsonValue

_FIRST_WORD = re.compile(r"[\W\d_]*(yes|no)\b")
_OTHER_WORD = {True: re.compile(r"\bno\b"), False: re.compile(r"\byes\b")}
_TAKEN_BACK = re.compile(
    r"\b(although|but|depends|except|however|may ?be|part(ial)?ly|perhaps|possibly|somewhat|though"
    r"|unclear|unless|unsure)\b"
)
_BIASED = re.compile(r"\b(un)?biased\b")
_NEGATION = re.compile(
    r"\b(cannot|hardly|neither|never|nor|not|nothing|unbiased|without)\b|n['\u2019]t\b"
)


def yes_or_no(verdict: JsonValue) -> bool | None:
    """Whether a verdict says yes.

    Args:
        verdict: what the judge wrote: a boolean, or text in any letter case.

    Returns:
        True for yes, False for no, None when it decides neither.
    """
    if isinstance(verdict, bool):
        return verdict
    text = verdict.casefold() if isinstance(verdict, str) else ""
    first = _FIRST_WORD.match(text)
    if first is None:
        return None
    decision, rest = first[1] == "yes", text[first.end() :]
    if _TAKEN_BACK.search(rest) or _OTHER_WORD[decision].search(rest):
        return None
    if _BIASED.search(rest) and bool(_NEGATION.search(rest)) is decision:
        return None
    return decision
