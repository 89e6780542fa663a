"""What a user reads when no recording answers a call, or when one cannot be trusted."""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical
from pytest_content_bias.cassettes.paths import PARTIAL_ENDING, shown
from pytest_content_bias.cassettes.tape_fault import TapeFault
from pytest_content_bias.rules.word_diff import changed_words, printable
from pytest_content_bias.vocabulary.errors import CassetteError, MissingRecording

_MOST_CHANGES = 6
_LONGEST_VALUE = 60


class Advice:
    """Words about one cassette.

    Args:
        path: the cassette.
        case_id: the case it belongs to.
        record_command: the command that runs this case, without the recording option.
    """

    def __init__(self, path: Path, case_id: str, record_command: str) -> None:
        self._path, self._case_id, self._command = path, case_id, record_command

    def no_cassette(self, slot: str, key: str, *, unfinished: bool) -> MissingRecording:
        """There is no cassette.

        Args:
            slot: the place of the call in its case.
            key: what the call is found by.
            unfinished: whether a recording was begun and did not end.
        """
        begun = (
            "  a recording was begun and did not end; it is taken up again\n" if unfinished else ""
        )
        return MissingRecording(
            f"{slot} of {self._case_id}: nothing is recorded (no cassette)\n"
            f"  cassette: {shown(self._path)}, which does not exist\n{begun}"
            f"  record it: {self.record('missing')}",
            (slot, key),
        )

    def new_call(self, slot: str) -> MissingRecording:
        """The cassette has no call in this slot.

        Args:
            slot: the place of the call in its case.
        """
        return MissingRecording(
            f"{slot} of {self._case_id}: this call is not recorded (new call)\n"
            f"  cassette: {shown(self._path)}\n"
            f"  record it: {self.record('missing')}"
        )

    def used_up(self, slot: str, times: int) -> MissingRecording:
        """The system's own code made a call once more than it is recorded.

        Args:
            slot: the start of the call's slot.
            times: how often it is recorded.
        """
        often = "once" if times == 1 else f"{times} times"
        return MissingRecording(
            f"{slot} of {self._case_id}: this call is recorded {often}, and was made once more "
            "(call used up)\n"
            f"  cassette: {shown(self._path)}\n"
            f"  record it: {self.record('missing')}"
        )

    def changed_call(
        self,
        slot: str,
        line: int,
        date: str,
        recorded: Mapping[str, JsonValue],
        asked: Mapping[str, JsonValue],
    ) -> MissingRecording:
        """The cassette has another request in this slot.

        Args:
            slot: the place of the call in its case.
            line: where it stands in the cassette.
            date: when it was recorded.
            recorded: what was asked then.
            asked: what is asked now.
        """
        found = list(itertools.islice(_changes(recorded, asked), 1000))
        more = len(found) - _MOST_CHANGES
        if not found:
            found = ["(nothing that the cassette shows)"]
        lines = [*found[:_MOST_CHANGES], *([f"and {more} more"] if more > 0 else [])]
        return MissingRecording(
            f"{slot} of {self._case_id}: the recording answers another request (changed call)\n"
            f"  cassette: {shown(self._path)}:{line}, recorded {date}\n"
            "  changed since, [-recorded-]{+now+}:\n"
            + "".join(f"    {text}\n" for text in lines)
            + f"  record it: {self.record('missing')}"
        )

    def damaged(self, fault: TapeFault) -> CassetteError:
        """The cassette cannot be trusted.

        Args:
            fault: what is wrong with it.
        """
        line = f":{fault.line}" if fault.line else ""
        cure = f"\n  {self._cure}\n  or record it anew: {self.record('all')}"
        return CassetteError(
            f"{shown(self._path)}{line}: the cassette of {self._case_id} cannot be used: "
            f"{fault.problem}{cure if fault.replaceable else ''}"
        )

    @property
    def _cure(self) -> str:
        if self._path.name.endswith(PARTIAL_ENDING):
            return f"remove it, which loses the replies that it holds: {shown(self._path)}"
        return f"restore it: git checkout -- {shown(self._path)}"

    def record(self, mode: str) -> str:
        """The command that records the case.

        Args:
            mode: the value of the recording option.
        """
        return f"{self._command} --content-bias-record={mode}"


def _changes(recorded: Mapping[str, JsonValue], asked: Mapping[str, JsonValue]) -> Iterator[str]:
    """Method and path count only where they identify a call; the body's fields come unprefixed."""
    old, new = dict(recorded), dict(asked)
    old_body, new_body = old.pop("body", None), new.pop("body", None)
    yield from _differences(old, new, "")
    yield from _differences(old_body, new_body, "")


def _differences(old: JsonValue, new: JsonValue, path: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _member(old, new, key, _joined(path, key))
    elif isinstance(old, list) and isinstance(new, list):
        left, right = dict(enumerate(old)), dict(enumerate(new))
        for index in range(max(len(old), len(new))):
            yield from _member(left, right, index, f"{path}[{index}]")
    elif isinstance(old, str) and isinstance(new, str):
        yield from (f"{path or 'body'}: {change}" for change in changed_words(old, new))
    elif canonical(old) != canonical(new):
        yield f"{path or 'body'}: {_value(old)} -> {_value(new)}"


def _member(
    old: Mapping[Any, JsonValue], new: Mapping[Any, JsonValue], key: object, path: str
) -> Iterator[str]:
    if key not in new:
        yield f"{path}: {_value(old[key])} -> (absent)"
    elif key not in old:
        yield f"{path}: (absent) -> {_value(new[key])}"
    else:
        yield from _differences(old[key], new[key], path)


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _value(value: JsonValue) -> str:
    text = printable(canonical(value))
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
