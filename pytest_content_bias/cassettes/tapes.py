"""The cassette of a case, and beside it the recording that will replace it."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from pytest_content_bias.cassettes.durable import write_whole
from pytest_content_bias.cassettes.journal import Journal, Room
from pytest_content_bias.cassettes.miss import Advice
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.paths import partial_path
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.tape import Tape, is_systems
from pytest_content_bias.cassettes.tape_fault import TapeFault
from pytest_content_bias.vocabulary.names import Role


class Tapes:
    """What is recorded of a case.

    Replies go into the cassette itself while it only grows, and into a partial one beside it while
    a recording replaces what would answer, or such a recording has yet to be completed.

    Args:
        path: the cassette.
        case_id: the case.
        mode: the recording mode; the partial cassette counts only where calls may be sent.
        record_command: the command that runs this case, for messages.
        check: raises if a call must not be written.
        system: the fingerprint of the system as it is now; empty: none was taken.
        clock: a time in seconds that never goes back.

    Attributes:
        echoed: after `merge`, the fingerprint of another system that had said all the same; or
            empty.

    Raises:
        CassetteError: a file cannot be used.
    """

    def __init__(
        self,
        path: Path,
        case_id: str,
        mode: RecordMode,
        record_command: str,
        check: Callable[[RecordedCall], None],
        system: Mapping[str, str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._case_id, self._mode, self._check = path, case_id, mode, check
        self._system, self._clock, self.echoed = system, clock, dict[str, str]()
        self._partial_path, self._command = partial_path(path), record_command
        self._checked: set[RecordedCall] = set()
        self._changing = threading.Lock()
        self._journal: Journal | None = None
        main = self._read(path)
        self.exists = main is not None
        self.main = main or Tape(case_id)
        self.partial = (self._read(self._partial_path) if mode.network else None) or Tape(case_id)

    def find(self, slot: str, key: str) -> RecordedCall | None:
        """The call with this slot and key; the partial cassette's goes first.

        Raises:
            CassetteError: it is not as it was written.
        """
        for tape, path in ((self.partial, self._partial_path), (self.main, self._path)):
            call = tape.calls.get(slot)
            if call is not None and call.key == key:
                self._trust(call, tape, path)
                return call
        return None

    def reserve(self, size: int) -> Room:
        """Take room on disk for a further call.

        Args:
            size: the bytes that it may need.

        Raises:
            CassetteError: there is none.
        """
        with self._changing:
            return self._open_journal().reserve(size)

    def add(self, call: RecordedCall) -> None:
        """Take up a call that has been checked; what its slot held before is gone.

        It is in the journal at once: from here on, this process may be killed.

        Args:
            call: the call.

        Raises:
            CassetteError: it could not be written; `bring_into_place` tries again.
        """
        with self._changing:
            journal, tape = self._open_journal(), self._target[1]
            tape.take(call, self._answering(tape))
            self._checked.add(call)
            journal.append(call)

    def bring_into_place(self) -> None:
        """Write the file, if anything was added, and remove the journal.

        Raises:
            CassetteError: it could not be done; the next recording of the case takes it up.
        """
        with self._changing:
            if self._journal is not None:
                journal, self._journal = self._journal, None
                journal.close()
                path, tape = self._target
                if journal.begun:
                    write_whole(path, self._data(tape))
                journal.remove()

    def merge(self, asked: Mapping[str, str]) -> None:
        """Complete the recording: the partial cassette's calls replace those of the cassette.

        A call that was answered as before keeps its earlier recording. Calls that this run did not
        ask for stay where they are.

        Args:
            asked: slot to key of every call of the run.

        Raises:
            CassetteError: the cassette could not be written.
        """
        before = replace(self.main)
        self._adopt_system(asked)
        merged = self.main.calls | {
            slot: call
            for slot, call in self.partial.calls.items()
            if asked.get(slot) == call.key and not _as_before(self.main.calls.get(slot), call)
        }
        self.main.calls = merged
        if self.main != before:
            write_whole(self._path, self._data(self.main))
        self.partial.calls = {
            slot: call for slot, call in self.partial.calls.items() if slot not in asked
        }
        if self.partial.calls:
            write_whole(self._partial_path, self._data(self.partial))
        else:
            self._partial_path.unlink(missing_ok=True)

    def line_of(self, slot: str) -> int:
        """The line of the cassette on which a call starts."""
        return self.main.line_of(slot)

    def trusted(self, slot: str) -> RecordedCall | None:
        """The cassette's call in a slot, whatever was asked.

        Raises:
            CassetteError: it is not as it was written.
        """
        call = self.main.calls.get(slot)
        if call is not None:
            self._trust(call, self.main, self._path)
        return call

    def _open_journal(self) -> Journal:
        if self._journal is None:
            path, tape = self._target
            data, system = self._data(tape), self._answering(tape)
            self._journal = Journal(path, tape, data, system, self._clock)
        return self._journal

    def _answering(self, tape: Tape) -> Mapping[str, str]:
        """The fingerprint that further answers are given under."""
        anew = self._mode.anew(Role.SYSTEM) or not tape.answers
        return self._system if anew else tape.system

    def _adopt_system(self, asked: Mapping[str, str]) -> None:
        """Once the system has answered everything anew, nothing that another one said is left."""
        answers = self.partial.answers
        if not answers or not all(slot in answers for slot in asked if is_systems(slot)):
            return
        if self.main.system != self.partial.system:
            if self._says_the_same(slot for slot in asked if is_systems(slot)):
                self.echoed = dict(self.main.system)
            self.main.system = self.partial.system
            self.main.calls = {
                slot: call
                for slot, call in self.main.calls.items()
                if slot in asked or not is_systems(slot)
            }

    def _says_the_same(self, slots: Iterable[str]) -> bool:
        old, new = self.main.calls, self.partial.calls
        same = [_as_before(old.get(slot), new[slot]) for slot in slots]
        return bool(same) and all(same)

    @property
    def _target(self) -> tuple[Path, Tape]:
        if self._mode.replaces or self.partial.calls:
            return self._partial_path, self.partial
        return self._path, self.main

    def _data(self, tape: Tape) -> bytes:
        """The content of the file; each call is checked once."""
        for call in tape.calls.values():
            if call not in self._checked:
                self._check(call)
                self._checked.add(call)
        return tape.data()

    def _read(self, path: Path) -> Tape | None:
        try:
            return Tape.read(path, self._case_id)
        except TapeFault as fault:
            if fault.replaceable and self._mode.name == "all":
                return Tape.salvage(path, self._case_id)
            raise self._advice(path).damaged(fault) from None

    def _trust(self, call: RecordedCall, tape: Tape, path: Path) -> None:
        if not call.intact:
            fault = TapeFault(tape.line_of(call.slot), f"{call.slot} was edited by hand.")
            raise self._advice(path).damaged(fault)

    def _advice(self, path: Path) -> Advice:
        return Advice(path, self._case_id, self._command)


def _as_before(old: RecordedCall | None, new: RecordedCall) -> bool:
    return old is not None and old.intact and old.same_answer(new)
