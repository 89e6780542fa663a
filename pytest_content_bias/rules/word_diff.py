"""Which words changed between two texts."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\w{1,24}\s*|[^\w\s]\s*|\s+")
_AROUND = 6
"""Tokens shown on both sides of a change; changes closer than this are shown as one."""
_LONGEST = 24
"""Tokens of a removed or an added passage that are shown."""


def changed_words(old: str, new: str) -> Iterator[str]:
    """Describe each change on one line, such as `never agree with [-it-]{+them+} and never`.

    Line breaks and other characters that do not print are shown escaped. Long passages are cut in
    the middle, so that the start of every change is visible.

    Args:
        old: the earlier text.
        new: the later text.
    """
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    old_part, new_part = before[start : len(before) - end], after[start : len(after) - end]
    matcher = SequenceMatcher(None, old_part, new_part)
    for group in matcher.get_grouped_opcodes(_AROUND // 2):
        changes = [code for code in group if code[0] != "equal"]
        first, last = start + changes[0][1], start + changes[-1][2]
        lead, tail = before[:first], before[last:]
        middle = "".join(_shown(code, old_part, new_part) for code in _between(group))
        yield f"{_end_of(lead)}{middle}{_start_of(tail)}"


_Opcode = tuple[str, int, int, int, int]


def _between(group: Sequence[_Opcode]) -> Sequence[_Opcode]:
    """A group without the equal tokens at its ends."""
    first = 1 if group[0][0] == "equal" else 0
    last = len(group) - 1 if group[-1][0] == "equal" else len(group)
    return group[first:last]


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    count = 0
    for left, right in zip(before, after, strict=False):
        if left != right:
            break
        count += 1
    return count


def _shown(code: _Opcode, before: Sequence[str], after: Sequence[str]) -> str:
    kind, old_start, old_end, new_start, new_end = code
    old, new = _text(before[old_start:old_end]), _text(after[new_start:new_end])
    if kind == "equal":
        return printable(old)
    blank = _shared_blank(old, new)
    old, new = old.removesuffix(blank), new.removesuffix(blank)
    removed = f"[-{printable(old)}-]" if old else ""
    added = f"{{+{printable(new)}+}}" if new else ""
    return removed + added + printable(blank)


def _shared_blank(old: str, new: str) -> str:
    """White space after a word is not part of the change unless it is the change."""
    blank = old[len(old.rstrip()) :]
    if not old.strip() or not new.strip() or old.rstrip() == new.rstrip():
        return ""
    return blank if new.endswith(blank) else ""


def _text(tokens: Sequence[str]) -> str:
    if len(tokens) <= _LONGEST:
        return "".join(tokens)
    head, tail = tokens[: _LONGEST - _AROUND], tokens[-_AROUND:]
    return f"{''.join(head)}… ({len(tokens) - _LONGEST} more) …{''.join(tail)}"


def _end_of(tokens: Sequence[str]) -> str:
    cut = "…" if len(tokens) > _AROUND else ""
    return cut + printable("".join(tokens[-_AROUND:]))


def _start_of(tokens: Sequence[str]) -> str:
    cut = "…" if len(tokens) > _AROUND else ""
    return printable("".join(tokens[:_AROUND]).rstrip()) + cut


def printable(text: str) -> str:
    """Text on one line, with everything that does not print escaped.

    Args:
        text: any text.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
