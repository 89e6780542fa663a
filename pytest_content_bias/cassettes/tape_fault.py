"""Why a cassette file cannot be used, with the line."""

import re
from itertools import pairwise

import yaml

from pytest_content_bias.cassettes.recorded_call import LOADER, START, RecordedCall

_MARKER = re.compile(rb"^(?:<{7}|={7}|>{7})(?: |$)", re.MULTILINE)
_FORMAT = re.compile(rb"^format: pytest-content-bias/(\d+)\s*$", re.MULTILINE)
_COUNT = re.compile(rb"^calls: (\d+)\s*$", re.MULTILINE)
_OURS = 1


class TapeFault(Exception):
    """A cassette file cannot be used.

    Args:
        line: the 1-based line, or None when the file as a whole is meant.
        problem: what was found, in one or two sentences.
        replaceable: whether recording everything anew may replace the file.
    """

    def __init__(self, line: int | None, problem: str, *, replaceable: bool = True) -> None:
        self.line, self.problem, self.replaceable = line, problem, replaceable
        super().__init__(problem)


def fault_of(data: bytes) -> TapeFault:
    """Find out what is wrong with a file that was not read.

    Args:
        data: its content.
    """
    if not data.strip():
        return TapeFault(None, "it is empty.")
    if marker := _MARKER.search(data):
        return TapeFault(_line(data, marker.start()), "an unresolved merge conflict.")
    version = _FORMAT.search(data)
    if version is None:
        return TapeFault(None, _foreign(data), replaceable=False)
    if int(version[1]) != _OURS:
        return TapeFault(
            _line(data, version.start()),
            f"format {int(version[1])} is newer than this version of pytest-content-bias reads "
            f"({_OURS}). Upgrade pytest-content-bias.",
            replaceable=False,
        )
    return _yaml_fault(data) or _damage(data)


def _foreign(data: bytes) -> str:
    other = " (it looks like one of vcrpy's)" if b"\ninteractions:" in data[:200] else ""
    return (
        f"it is no cassette of pytest-content-bias{other}. Move it away, or set "
        "content_bias_cassette_dir to a folder of its own."
    )


def _yaml_fault(data: bytes) -> TapeFault | None:
    try:
        yaml.load(data, Loader=LOADER)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else None
        return TapeFault(line, "it is no longer valid YAML: edited by hand, or cut off.")
    return None


def _damage(data: bytes) -> TapeFault:
    """The first call that is not as it was written, or calls that are missing."""
    starts = [match.start() + 1 for match in re.finditer(rb"\n" + START, data)]
    seen: set[str] = set()
    for start, end in pairwise([*starts, len(data)]):
        call = RecordedCall.read(data[start:end])
        if call is None or not call.intact:
            return TapeFault(_line(data, start), "this call was edited by hand, or cut off.")
        if call.slot in seen:
            return TapeFault(_line(data, start), f"{call.slot} stands in it twice.")
        seen.add(call.slot)
    count = _COUNT.search(data)
    if count and int(count[1]) != len(seen):
        said = int(count[1])
        problem = f"it says that it holds {said} calls, but holds {len(seen)}: cut off, or edited."
        return TapeFault(_line(data, count.start()), problem)
    return TapeFault(1, "its first lines were edited by hand.")


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
