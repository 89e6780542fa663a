"""From a call to its text in the cassette, free of secrets."""

import datetime
from collections.abc import Callable
from dataclasses import replace

from pytest_content_bias.cassettes.call_writer import WrittenRequest, write_request
from pytest_content_bias.cassettes.identity import Identity, described
from pytest_content_bias.cassettes.miss import Advice
from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.scrub import kept_of_reply
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import SecretFound


class Scribe:
    """Writes the calls of one case.

    Args:
        case_id: the case.
        secrets: replaces secrets, and finds those that cannot be replaced.
        today: gives the date of a recording.
        advice: words about the cassette.
    """

    def __init__(
        self,
        case_id: str,
        secrets: SecretScreen,
        today: Callable[[], datetime.date],
        advice: Advice,
    ) -> None:
        self._case_id, self._secrets, self._today, self._advice = case_id, secrets, today, advice
        self._written: dict[tuple[str, str], WrittenRequest] = {}

    def request(self, request: CallRequest, identity: Identity) -> WrittenRequest:
        """Write what is asked, before it is paid.

        Args:
            request: the call.
            identity: what it is found by.

        Raises:
            CassetteError: it cannot be written.
            SecretFound: it holds a secret that cannot be replaced.
        """
        place = (identity.slot, identity.key)
        if place not in self._written:
            asked = described(request, identity, self._secrets)
            written = write_request(*place, asked)
            if self._secrets.touches_json([self._case_id, asked]):
                self._refuse_secrets(written.slot, written.text)
            self._written[place] = written
        return self._written[place]

    def kept(self, request: CallRequest, reply: CallReply) -> CallReply:
        """What is kept of a live reply; a replay gives the same.

        Args:
            request: the call.
            reply: the live reply.

        Raises:
            CassetteError: it is nested too deeply.
        """
        return replace(
            reply,
            body=self._secrets.redact_json(kept_of_reply(request, reply.body)),
            headers={name: self._secrets.redact(value) for name, value in reply.headers.items()},
            host=self._secrets.redact(reply.host),
            recorded=self._today().isoformat(),
        )

    def call(self, request: CallRequest, identity: Identity, kept: CallReply) -> RecordedCall:
        """Write a call that was answered.

        Args:
            request: the call.
            identity: what it is found by.
            kept: what `kept` gave.

        Raises:
            CassetteError: it cannot be written.
            SecretFound: it holds a secret that cannot be replaced.
        """
        call = self.request(request, identity).answered(kept)
        self._refuse_secrets(call.slot, call.said)
        self._written.pop((identity.slot, identity.key), None)
        return call

    def check(self, call: RecordedCall) -> None:
        """See that a call, whoever recorded it, may be written.

        Args:
            call: the call.

        Raises:
            SecretFound: it holds a secret.
        """
        self._refuse_secrets(call.slot, call.chunk)

    def _refuse_secrets(self, slot: str, text: bytes) -> None:
        kind = self._secrets.find(f"{self._case_id}\n{text.decode(errors='replace')}")
        if kind is not None:
            raise SecretFound(
                f"{slot} of {self._case_id}: the recording would hold {kind}, in a form that "
                "cannot be replaced; nothing was written. Take it out of the case or the prompt; "
                f"if it was recorded earlier, record it anew: {self._advice.record('all')}"
            )
