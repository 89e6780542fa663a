"""What vcrpy's stubs take for their cassette: finds the answer that the calling code works on."""

import time
from collections.abc import Callable
from typing import Any, NoReturn
from urllib.parse import urlsplit

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts
from pytest_content_bias.cassettes.user_answer import Turn, UserAnswer, current_answer
from pytest_content_bias.cassettes.user_reply import is_kept, user_reply, vcr_response
from pytest_content_bias.cassettes.user_request import user_request
from pytest_content_bias.vocabulary.errors import CallError

_TURN = "content_bias_turn"
"""The attribute of vcrpy's request that holds its turn: the stubs may ask several times."""


class Router:
    """Has the methods and attributes of vcrpy's `Cassette` that its stubs use.

    Args:
        allowed: hosts whose calls go through, neither recorded nor replayed.
        stray: refuses a call that belongs to no answer; given words about it.
    """

    _path = "content-bias"
    custom_patches = ()
    skip_patchers = ()
    write_protected = False

    def __init__(self, allowed: AllowedHosts, stray: Callable[[str], NoReturn]) -> None:
        self._allowed, self._stray = allowed, stray

    def can_play_response_for(self, request: Any) -> bool:
        """Whether a recording answers a request.

        Raises:
            CallRefused: none does, and it may not be sent.
            CallError: it belongs to no answer.
        """
        turn = self._turn(request)
        return turn is not None and turn[1].reply is not None

    def play_response(self, request: Any) -> dict[str, Any]:
        """The recorded response."""
        turn = self._turn(request)
        assert turn is not None
        assert turn[1].reply is not None
        return vcr_response(turn[1].reply)

    def append(self, request: Any, response: dict[str, Any]) -> None:
        """Record a response that came over the network.

        Raises:
            CallRefused: it cannot be recorded.
        """
        found = self._turn(request)
        if found is None:
            return
        answer, turn = found
        if not is_kept(int(response["status"]["code"])):
            answer.give_up(turn)
            return
        latency_ms = round((time.monotonic() - turn.started) * 1000)
        answer.finish(turn, user_reply(turn.request, response, latency_ms))

    def filter_request(self, request: Any) -> Any:
        """The request: every one counts."""
        return request

    def find_requests_with_most_matches(self, request: Any) -> list[tuple[Any]]:
        """The request itself: the stub for aiohttp looks for the next hop of a redirection."""
        return [(request,)]

    def _turn(self, request: Any) -> tuple[UserAnswer, Turn] | None:
        if self._allowed.allow_url(request.uri):
            return None
        found: tuple[UserAnswer, Turn] | None = getattr(request, _TURN, None)
        if found is None:
            found = self._start(request)
            setattr(request, _TURN, found)
        return found

    def _start(self, request: Any) -> tuple[UserAnswer, Turn]:
        answer = current_answer()
        if answer is None or answer.ended:
            self._stray(_shown(request))
        try:
            asked = user_request(request, answer.prefix)
        except CallError as error:
            answer.refuse(error)
        return answer, answer.start(asked)


def _shown(request: Any) -> str:
    parts = urlsplit(str(request.uri))
    return f"{request.method} {parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
