"""A cassette file: its calls by slot, read with one split and without parsing YAML.

Nothing that a call holds stands in the first column, so that `- slot: ` at the start of a line
begins a call and nothing else does. What is not exactly as this package writes it is a fault.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import yaml
from pydantic import JsonValue

from pytest_content_bias.cassettes.canonical import canonical, key_of
from pytest_content_bias.cassettes.recorded_call import LOADER, START, RecordedCall
from pytest_content_bias.cassettes.tape_fault import TapeFault, fault_of
from pytest_content_bias.cassettes.yaml_text import yaml_scalar, yaml_text
from pytest_content_bias.vocabulary.errors import CassetteError
from pytest_content_bias.vocabulary.names import PLAIN, BiasKind, Role

FORMAT = 1

_COMMENT = "# Recorded by pytest-content-bias. Do not edit: re-record instead (see README)."
_HEAD = re.compile(
    rb"#[^\n]*\nversion: 1\nformat: pytest-content-bias/1\n"
    rb"case: (?P<case>[^\n]+)\ncalls: (?P<calls>\d+)\n"
    rb"(?:system:\n(?P<system>(?:  [^\n]+\n)+)(?:sealed: (?P<seal>[0-9a-f]{64})\n)?)?interactions:"
)
EDITED = {"its fingerprint in the cassette was edited by hand, or merged from two branches": ""}
"""The fingerprint of no system: that of answers which nobody knows the system of."""
_CONFLICT = b"\n<<<<<<< "
_ROLES = tuple(Role)
_KINDS = (*BiasKind, PLAIN)


@dataclass(slots=True)
class Tape:
    """The recorded calls of one case.

    Attributes:
        case_id: the case they belong to.
        calls: slot to call, in the order of the file.
        system: the fingerprint of the system whose answers are recorded; empty: none was taken.
    """

    case_id: str
    calls: dict[str, RecordedCall] = field(default_factory=dict)
    system: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, case_id: str) -> Self | None:
        """Read a cassette; None when there is no such file.

        Args:
            path: the file.
            case_id: the case that it must belong to.

        Raises:
            TapeFault: it cannot be used.
        """
        data = read_content(path)
        if data is None:
            return None
        head, calls = _scan(data)
        found = head["case"].decode(errors="replace")
        if found != yaml_scalar(case_id):
            raise _another_case(found, case_id)
        return cls(case_id, calls, _fingerprint(head, calls))

    @classmethod
    def salvage(cls, path: Path, case_id: str) -> Self:
        """Keep what is intact in a damaged cassette.

        Args:
            path: the file.
            case_id: the case that it belongs to.
        """
        return cls(case_id, {call.slot: call for call in intact_calls(read_content(path) or b"")})

    @property
    def answers(self) -> tuple[str, ...]:
        """The slots of the system's calls."""
        return tuple(slot for slot in self.calls if is_systems(slot))

    def take(self, call: RecordedCall, system: Mapping[str, str]) -> None:
        """Take up a call; what its slot held before is gone.

        Args:
            call: the call.
            system: the fingerprint of the system that now answers; what another one answered is
                gone with the first answer of this one.
        """
        if is_systems(call.slot) and self.system != system:
            self.calls = {slot: old for slot, old in self.calls.items() if not is_systems(slot)}
            self.system = system
        self.calls[call.slot] = call

    def data(self) -> bytes:
        """The content of the file; calls in the order of slots, whatever order they came in."""
        calls = sorted(self.calls.values(), key=lambda call: slot_order(call.slot))
        return self._head() + b"".join(call.chunk for call in calls)

    def _head(self) -> bytes:
        system = [yaml_text({"system": dict(self.system)})[:-1]] if self.system else []
        seal = [f"sealed: {_seal(self.system, self.calls)}"] if self.system else []
        lines = [
            _COMMENT,
            "version: 1",
            f"format: pytest-content-bias/{FORMAT}",
            f"case: {yaml_scalar(self.case_id)}",
            f"calls: {len(self.calls)}",
            *system,
            *seal,
            "interactions:",
        ]
        return "".join(f"{line}\n" for line in lines).encode()

    def line_of(self, slot: str) -> int:
        """The 1-based line on which a call starts."""
        line = 1 + self._head().count(b"\n")
        for other, call in self.calls.items():
            if other == slot:
                break
            line += call.chunk.count(b"\n")
        return line


def _another_case(found: str, case_id: str) -> TapeFault:
    return TapeFault(
        4,
        f"it belongs to {found}, not to {case_id}. If it was moved by hand, or the case file's "
        f"ending was changed: `python -m pytest_content_bias rename {found} {case_id}`. If two "
        "cases differ only in upper and lower case: rename one.",
        replaceable=False,
    )


def is_systems(slot: str) -> bool:
    """Whether a call is one of the system.

    Args:
        slot: such as `system/one_sided`.
    """
    return slot.partition("/")[0] == Role.SYSTEM


def slot_order(slot: str) -> tuple[int, int, str]:
    """Where a slot stands: by role, then by kind of question, then by name.

    Args:
        slot: such as `judge/one_sided`.
    """
    role, kind, *_ = [*slot.split("/"), ""]
    return _rank(role, _ROLES), _rank(kind, _KINDS), slot


def _rank(word: str, words: tuple[str, ...]) -> int:
    return words.index(word) if word in words else len(words)


def case_of(path: Path) -> str | None:
    """The case that a cassette names; None when it is not one of ours.

    Args:
        path: the file.

    Raises:
        TapeFault: it cannot be read.
    """
    head = _HEAD.match(read_content(path) or b"")
    return str(yaml.load(head["case"], Loader=LOADER)) if head else None


def calls_of(data: bytes) -> list[RecordedCall]:
    """Every call of a cassette, each checked.

    Args:
        data: the content of the file.

    Raises:
        TapeFault: it is not a cassette of ours, or not as it was written.
    """
    head, calls = _scan(data)
    if not all(call.intact for call in calls.values()):
        raise fault_of(data)
    if _fingerprint(head, calls) == EDITED:
        raise TapeFault(
            6, "the fingerprint of the system was edited by hand, or merged from two branches."
        )
    return list(calls.values())


def intact_calls(data: bytes) -> list[RecordedCall]:
    """The calls in a text that are as they were written, whatever else it holds.

    Args:
        data: the text.
    """
    found = (RecordedCall.read(part) for part in _parts(data)[1:])
    return [call for call in found if call is not None and call.intact]


def read_content(path: Path) -> bytes | None:
    """The bytes of a file, with the line ends that it was written with; None: no such file.

    Args:
        path: the file.

    Raises:
        TapeFault: it cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise TapeFault(None, f"it cannot be read: {error.strerror}.", replaceable=False) from None
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def _scan(data: bytes) -> tuple[re.Match[bytes], dict[str, RecordedCall]]:
    """The head, and the calls by slot; nothing is parsed as YAML."""
    text, *parts = _parts(data)
    head, calls = _HEAD.fullmatch(text), _by_slot(parts)
    if head is None or calls is None or len(calls) != int(head["calls"]):
        raise fault_of(data)
    if _CONFLICT in data:
        raise fault_of(data)
    return head, calls


def _fingerprint(head: re.Match[bytes], calls: Mapping[str, RecordedCall]) -> Mapping[str, str]:
    """What the head says of the system, if it says it of the answers that are recorded."""
    if head["system"] is None:
        return {}
    try:
        found: dict[str, str] = yaml.load(head["system"], Loader=LOADER)
        seal = _seal(found, calls)
    except (yaml.YAMLError, CassetteError):
        return EDITED
    return found if head["seal"] == seal.encode() else EDITED


def _seal(system: Mapping[str, str], calls: Mapping[str, RecordedCall]) -> str:
    """Ties a fingerprint to answers.

    Where two branches change different files of the system, git merges the two fingerprints into
    that of a system that never answered. Seals conflict.
    """
    answers: JsonValue = {slot: call.checksum for slot, call in calls.items() if is_systems(slot)}
    return key_of(canonical([dict(system), answers]))


def _parts(data: bytes) -> list[bytes]:
    """The head, without its last line feed, and the text of each call."""
    head, *rest = data.removesuffix(b"\n").split(b"\n" + START)
    return [head, *(START + part + b"\n" for part in rest)]


def _by_slot(parts: Iterable[bytes]) -> dict[str, RecordedCall] | None:
    """The calls by slot; None when a head is irregular or a slot stands twice."""
    calls: dict[str, RecordedCall] = {}
    for part in parts:
        call = RecordedCall.read(part)
        if call is None or call.slot in calls:
            return None
        calls[call.slot] = call
    return calls
