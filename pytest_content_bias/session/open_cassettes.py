"""The cassettes of the cases in work."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_content_bias.cassettes.modes import REPLAY
from pytest_content_bias.cassettes.paths import cassette_path
from pytest_content_bias.cassettes.user_cassette import UserCassette
from pytest_content_bias.session.cast import Cast
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.protocols import Sender

if TYPE_CHECKING:
    from pytest_content_bias.session.collection import CaseItem


class OpenCassettes:
    """One cassette object per case: the metrics of a case share what either recorded.

    Args:
        settings: where cassettes lie, and the recording mode.
        run: the name of the whole run, the same in all its worker processes.
        sender: who sends the calls of a case; None: they are replayed.
        on_call: told of every answered call.
    """

    def __init__(
        self,
        settings: Settings,
        run: str,
        sender: Callable[[Cast], Sender | None],
        on_call: Callable[[CallRequest, CallReply], None],
    ) -> None:
        self._settings, self._run, self._sender, self._on_call = settings, run, sender, on_call
        self._cassettes: dict[str, UserCassette] = {}
        self._scored: dict[str, set[str]] = {}

    def of(self, item: CaseItem, cast: Cast) -> UserCassette:
        """The cassette of a case.

        Args:
            item: the case.
            cast: who plays its roles.

        Raises:
            CassetteError: its name cannot be that of a file.
        """
        case_id = item.entry.case.case_id
        if case_id not in self._cassettes:
            self._cassettes[case_id] = self._made(item, cast)
        return self._cassettes[case_id]

    def scored(self, item: CaseItem) -> None:
        """Let go of a case's cassette once every metric of the case is scored.

        Args:
            item: the case with the metric that is.
        """
        case_id = item.entry.case.case_id
        scored = self._scored.setdefault(case_id, set())
        scored.add(item.metric)
        if scored.issuperset(item.entry.metrics):
            self._cassettes.pop(case_id, None)
            del self._scored[case_id]

    def _made(self, item: CaseItem, cast: Cast) -> UserCassette:
        case, sender = item.entry.case, self._sender(cast)
        return UserCassette(
            cassette_path(self._settings.cassette_dir, case.path, case.input_id),
            case.case_id,
            REPLAY if sender is None else self._settings.record,
            sender,
            record_command=command(case.case_id),
            secrets=cast.screen,
            on_call=self._on_call,
            run=self._run,
            system=cast.system_now,
        )


def command(case_id: str) -> str:
    """The command that runs a case, without the recording option.

    Args:
        case_id: the case.
    """
    return f'pytest "{case_id}"'
