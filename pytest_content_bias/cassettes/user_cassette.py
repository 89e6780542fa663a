"""A cassette that the system's own code can use too: from any thread, and without waiting."""

from pydantic import JsonValue

from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.cassettes.identity import Identity, described, identify
from pytest_content_bias.cassettes.journal import Room
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import MissingRecording
from pytest_content_bias.vocabulary.names import Role


class UserCassette(CaseCassette):
    """A `CaseCassette` that also answers the calls which the system's own code makes."""

    @property
    def may_send(self) -> bool:
        """Whether a call that is not recorded may be sent."""
        return self._sender is not None

    async def ready(self) -> None:
        """Read the cassette, and take the right to record where calls may be sent.

        Raises:
            CassetteError: it cannot be used, or another process records it.
        """
        if self.may_send:
            await self._begin()
        else:
            _ = self._tapes

    def recorded_under(self, prefix: str) -> tuple[RecordedCall, ...]:
        """The recorded calls of an answer, in the order of their places.

        Args:
            prefix: what their slots start with, without the last part.
        """
        found = {
            (call.slot, call.key): call
            for tape in (self._tapes.main, self._tapes.partial)
            for call in tuple(tape.calls.values())
            if call.slot.rpartition("/")[0] == prefix
        }
        return tuple(sorted(found.values(), key=lambda call: place_of(call.slot)))

    def plays(self, call: RecordedCall) -> bool:
        """Whether a recorded call may answer, and need not be made anew."""
        return not self._mode.anew(Role.SYSTEM) or (call.slot, call.key) in self._anew

    def key(self, request: CallRequest) -> str:
        """What a call is found by.

        Raises:
            CassetteError: it is not JSON text.
        """
        return self._identity(request).key

    def described(self, request: CallRequest) -> dict[str, JsonValue]:
        """What the cassette keeps of a request."""
        return described(request, self._identity(request), self._secrets)

    def replay(self, request: CallRequest) -> CallReply:
        """The recorded reply to a call that `recorded_under` gave.

        Raises:
            CassetteError: it is not as it was written.
        """
        found = self._find(request, self._identity(request))
        assert found is not None, f"{request.slot} was recorded a moment ago"
        return found.reply()

    def reserve(self, request: CallRequest) -> Room:
        """See that the reply to a call can be written, and take room for it, before it is paid.

        Raises:
            CassetteError: it cannot.
            SecretFound: the request holds a secret that cannot be replaced.
        """
        return self._room(request, self._identity(request))

    def record(self, request: CallRequest, reply: CallReply) -> CallReply:
        """Store the reply to a call.

        Raises:
            CassetteError: it could not be written.
            SecretFound: it holds a secret that cannot be replaced.
        """
        return self._keep(request, self._identity(request), reply)

    def missing(self, request: CallRequest, times: int) -> MissingRecording:
        """Say that no recording answers a call.

        Args:
            request: the call, in the slot of the recorded call that it is most like.
            times: how often it is recorded; each of these recordings has been replayed.
        """
        if times:
            return self._advice.used_up(request.slot.rpartition("/")[0], times)
        return self._miss(request, self._identity(request))

    def tell(self, request: CallRequest, reply: CallReply) -> None:
        """Tell of an answered call; in the thread that the case is worked on in."""
        if self._on_call is not None:
            self._on_call(request, reply)

    def _identity(self, request: CallRequest) -> Identity:
        return identify(request, self._secrets)


def place_of(slot: str) -> int:
    """The number at the end of the slot of a call that the system's own code makes."""
    return int(slot.rpartition("/")[2])
