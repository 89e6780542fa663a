"""The way out of a case: every call is replayed from its cassette, or recorded into it."""

import asyncio
import datetime
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from pytest_content_bias.cassettes.identity import Identity, described, identify
from pytest_content_bias.cassettes.journal import Room, take_up
from pytest_content_bias.cassettes.lock import RecordingLock
from pytest_content_bias.cassettes.miss import Advice
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.paths import journal_path, partial_path
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.scribe import Scribe
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cassettes.tapes import Tapes
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CassetteError, MissingRecording
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.protocols import Sender

_ROOM_FOR_REPLY = 64 * 1024
_THIS_PROCESS = secrets.token_hex(8)


class CaseCassette:
    """The cassette of one case; an `Exchange`.

    Every metric of the case works inside `working()` and calls `finish()` when it has all that it
    needs. Calls of several metrics at once are welcome: an equal call is sent once.

    Args:
        path: the cassette, from `cassette_path`.
        case_id: the case, as `Case.case_id` gives it.
        mode: what is replayed and what is sent.
        sender: sends calls; never used in mode `none`.
        record_command: the command that runs this case, without the recording option.
        secrets: replaces secrets, and refuses to write them.
        today: gives the date of a recording.
        on_call: told of every answered call.
        run: the name of the whole run, the same in all its worker processes.
        patience: the longest wait for another process that records the case, in seconds.
        system: the fingerprint of the system as it is now, noted with what it answers.

    Attributes:
        system: that fingerprint, without secrets.
        echoed: once the system was asked anew, the fingerprint of another one that had given the
            very same answers; or empty.
    """

    def __init__(
        self,
        path: Path,
        case_id: str,
        mode: RecordMode,
        sender: Sender | None,
        *,
        record_command: str,
        secrets: SecretScreen,
        today: Callable[[], datetime.date] = datetime.date.today,
        on_call: Callable[[CallRequest, CallReply], None] | None = None,
        run: str = _THIS_PROCESS,
        patience: float = 900.0,
        system: Mapping[str, str] | None = None,
    ) -> None:
        self._path, self._case_id, self._mode = path, case_id, mode
        self._sender = sender if mode.network else None
        self._command, self._secrets = record_command, secrets
        self._on_call, self._run, self._patience = on_call, run, patience
        self.system = {secrets.redact(n): secrets.redact(v) for n, v in (system or {}).items()}
        self.echoed: Mapping[str, str] = {}
        self._advice = Advice(path, case_id, record_command)
        self._scribe = Scribe(case_id, secrets, today, self._advice)
        self._opened: Tapes | None = None
        self._lock: RecordingLock | None = None
        self._opening, self._settling = asyncio.Lock(), asyncio.Lock()
        self._flights: dict[tuple[str, str], asyncio.Lock] = {}
        self._asked: dict[str, str] = {}
        self._anew: set[tuple[str, str]] = set()
        self._held: tuple[str, ...] = ()
        self._working = self._unfinished = 0

    async def call(self, request: CallRequest) -> CallReply:
        """Answer a call.

        Raises:
            MissingRecording: no recording answers it and the network may not be used.
            CassetteError: the cassette cannot be trusted or written.
            SecretFound: the call holds a secret that cannot be replaced.
            CallError: it was sent and failed for good.
        """
        identity = identify(request, self._secrets)
        recorded = self._find(request, identity)
        if recorded is not None:
            reply = recorded.reply()
        elif self._sender is None:
            raise self._miss(request, identity)
        else:
            reply = await self._once(self._sender, request, identity)
        if self._on_call is not None:
            self._on_call(request, reply)
        return reply

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """The work of one metric; when the last one leaves, others may record the case.

        Raises:
            CassetteError: a completed recording could not replace the earlier one.
        """
        async with self._settling:
            self._working += 1
            self._unfinished += 1
        try:
            await self._take_up_what_a_killed_run_left()
            yield
        finally:
            self._working -= 1
            async with self._settling:
                if not self._working:
                    await self._settle()

    def finish(self) -> None:
        """Say that a metric has got all that it needs: its recording is complete."""
        self._unfinished -= 1

    def unused(self) -> tuple[str, ...]:
        """The slots that are recorded but were not asked for."""
        return tuple(slot for slot in self._held if slot not in self._asked)

    def recorded_systems(self) -> list[Mapping[str, str]]:
        """The fingerprints of the systems whose answers would be replayed; empty ones among them.

        Raises:
            CassetteError: the cassette cannot be used.
        """
        if self._mode.anew(Role.SYSTEM):
            return []
        return [tape.system for tape in (self._tapes.partial, self._tapes.main) if tape.answers]

    @property
    def has_partial(self) -> bool:
        """Whether a recording was begun that did not end."""
        return partial_path(self._path).exists() or bool(self._journals)

    @property
    def _files(self) -> tuple[Path, Path]:
        return self._path, partial_path(self._path)

    @property
    def _journals(self) -> list[Path]:
        """What a killed process left."""
        return [journal for path in self._files if (journal := journal_path(path)).exists()]

    @property
    def _tapes(self) -> Tapes:
        if self._opened is None:
            self._opened = Tapes(
                self._path,
                self._case_id,
                self._mode,
                self._command,
                self._scribe.check,
                self.system,
            )
        return self._opened

    def _find(self, request: CallRequest, identity: Identity) -> RecordedCall | None:
        place = (identity.slot, identity.key)
        if self._mode.anew(request.role) and place not in self._anew:
            return None
        call = self._tapes.find(*place)
        if call is not None:
            self._asked[call.slot] = call.key
        return call

    async def _once(self, sender: Sender, request: CallRequest, identity: Identity) -> CallReply:
        """Send a call unless another task, or another process, has recorded it meanwhile."""
        flight = self._flights.setdefault((identity.slot, identity.key), asyncio.Lock())
        async with flight:
            if not self._working:
                raise RuntimeError("a case is recorded inside `async with cassette.working()`")
            await self._begin()
            call = self._find(request, identity)
            if call is not None:
                return call.reply()
            return await self._send(sender, request, identity)

    async def _begin(self) -> Tapes:
        """Take the lock, and read again what others recorded while we waited for it."""
        async with self._opening:
            if self._lock is None:
                lock = await RecordingLock.acquire(self._path, self._run, self._patience)
                try:
                    take_up(self._path, self._case_id)
                    anew = self._mode.name == "all"
                    take_up(partial_path(self._path), self._case_id, salvage=anew)
                except BaseException:
                    lock.release()
                    raise
                self._lock, self._opened = lock, None
                self._anew |= lock.anew
        return self._tapes

    async def _take_up_what_a_killed_run_left(self) -> None:
        """Beforehand, since a call that the cassette answers takes no lock."""
        if self._sender is not None and self._journals:
            await self._begin()

    async def _send(self, sender: Sender, request: CallRequest, identity: Identity) -> CallReply:
        with self._room(request, identity):
            reply = await sender.send(request)
            return self._keep(request, identity, reply)

    def _room(self, request: CallRequest, identity: Identity) -> Room:
        """See that a call can be written, and take room for it, before it is paid."""
        self._refuse_conflict(identity)
        if not self._mode.anew(request.role):
            self._tapes.trusted(identity.slot)
        written = self._scribe.request(request, identity)
        return self._tapes.reserve(len(written.text) + _ROOM_FOR_REPLY)

    def _keep(self, request: CallRequest, identity: Identity, reply: CallReply) -> CallReply:
        """Store a reply; from here on, this process may be killed."""
        kept = self._scribe.kept(request, reply)
        call = self._scribe.call(request, identity, kept)
        self._tapes.add(call)
        self._asked[call.slot] = call.key
        self._anew.add((call.slot, call.key))
        assert self._lock is not None
        self._lock.note(call.slot, call.key)
        return kept

    def _refuse_conflict(self, identity: Identity) -> None:
        if self._asked.get(identity.slot, identity.key) != identity.key:
            raise CassetteError(
                f"{identity.slot} of {self._case_id}: two different requests in one place of the "
                "case, of which only one could be replayed. Do two metrics of the case have "
                "different `config`? Give the case to each in a file of its own."
            )

    async def _settle(self) -> None:
        """The last metric left: complete the recording if each is complete, and hold nothing."""
        try:
            if self._opened is not None:
                self._opened.bring_into_place()
            if not self._unfinished and self._opened and self._opened.partial.calls:
                tapes = await self._begin()
                tapes.merge(self._asked)
                self.echoed = tapes.echoed
        finally:
            if self._lock is not None:
                self._lock.release()
            self._held = tuple(self._opened.main.calls) if self._opened else self._held
            self._unfinished, self._lock, self._opened = 0, None, None
            self._flights.clear()

    def _miss(self, request: CallRequest, identity: Identity) -> MissingRecording:
        tapes, slot = self._tapes, identity.slot
        if not tapes.exists:
            return self._advice.no_cassette(slot, identity.key, unfinished=self.has_partial)
        call = tapes.trusted(slot)
        if call is None:
            return self._advice.new_call(slot)
        asked, recorded = described(request, identity, self._secrets), call.request()
        for name in {"method", "path"} - set(identity.fields):
            asked[name] = recorded[name]
        return self._advice.changed_call(slot, tapes.line_of(slot), call.date, recorded, asked)
