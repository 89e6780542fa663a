"""The recordings that a case left behind when it was renamed or moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_content_bias.cassettes.maintenance import orphans
from pytest_content_bias.cassettes.tape import Tape
from pytest_content_bias.cassettes.tape_fault import TapeFault
from pytest_content_bias.files.case_file import read_case_file
from pytest_content_bias.session.metrics import metrics_of
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.session.state import is_case
from pytest_content_bias.vocabulary.errors import ContentBiasError, MissingRecording, UserFileError

if TYPE_CHECKING:
    from pytest_content_bias.session.collection import CaseItem


class LeftBehind:
    """Finds cassettes of cases that are gone by the calls that they hold; reads each one once.

    Args:
        settings: where the cassettes are.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._calls: dict[tuple[str, str], str] | None = None

    def advice(self, item: CaseItem, error: ContentBiasError) -> str:
        """A line with the command that gives a case its recordings back; empty: there are none.

        Args:
            item: the case.
            error: what it ended with.
        """
        if not isinstance(error, MissingRecording) or error.sought is None:
            return ""
        if self._calls is None:
            self._calls = self._recorded(item)
        old = self._calls.get(error.sought)
        if old is None or self._exists(old, item):
            return ""
        return (
            "\n  or, if it is only called another name since it was recorded: "
            f'python -m pytest_content_bias rename "{old}" "{item.entry.case.case_id}"'
        )

    def _recorded(self, item: CaseItem) -> dict[tuple[str, str], str]:
        """Slot and key of every call of a case that was not collected, to that case."""
        directory = self._settings.cassette_dir
        known = {other.entry.case.case_id for other in item.session.items if is_case(other)}
        found: dict[tuple[str, str], str] = {}
        for path, case_id in orphans(directory, known).items():
            try:
                tape = Tape.read(path, case_id)
            except TapeFault:
                continue
            for call in tape.calls.values() if tape else ():
                found.setdefault((call.slot, call.key), case_id)
        return found

    def _exists(self, case_id: str, item: CaseItem) -> bool:
        """Whether a case stands in its file, as far as one can tell."""
        file = self._settings.root / case_id.rpartition("::")[0]
        if not file.exists():
            return False
        try:
            entries = read_case_file(file, self._settings.root, metrics_of(item))
        except UserFileError:
            return True
        return any(entry.case.case_id == case_id for entry in entries)
