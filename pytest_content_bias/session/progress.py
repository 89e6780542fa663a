"""A live line while calls are paid."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from pydantic import JsonValue

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest

_SECONDS_BETWEEN_LINES = 30.0
"""Where lines cannot be rewritten, such as in a build log."""
_SECONDS_BETWEEN_REWRITES = 0.2
_USAGE_KEYS = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")


class Progress:
    """Counts cases and calls, and shows them while calls are paid.

    Args:
        reporter: pytest's terminal; None: nothing is shown, as on workers of pytest-xdist.
        cases: how many cases the run has.
        clock: a time in seconds that never goes back.
    """

    def __init__(
        self,
        reporter: pytest.TerminalReporter | None,
        cases: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reporter, self._cases, self._clock = reporter, cases, clock
        self._started = self._shown = clock()
        self._done = self._paid = self._replayed = self._tokens = 0

    def called(self, request: CallRequest, reply: CallReply) -> None:
        """Count a call that was answered."""
        if reply.replayed:
            self._replayed += 1
            return
        self._paid += 1
        self._tokens += _tokens(reply.body)
        self._show()

    def case_done(self) -> None:
        """Count a case that was scored, or could not be."""
        self._done += 1

    def _show(self) -> None:
        if self._reporter is None:
            return
        now, rewrites = self._clock(), self._reporter.isatty
        pause = _SECONDS_BETWEEN_REWRITES if rewrites else _SECONDS_BETWEEN_LINES
        if now - self._shown < pause:
            return
        self._shown = now
        if rewrites:
            self._reporter.rewrite(self._line(now), erase=True)
        else:
            self._reporter.ensure_newline()
            self._reporter.write_line(self._line(now))

    def _line(self, now: float) -> str:
        elapsed = now - self._started
        left = self._cases - self._done
        remaining = f", about {elapsed / self._done * left:.0f} s left" if self._done else ""
        return (
            f"content bias: {self._done} of {self._cases} cases, {self._paid} calls paid, "
            f"{self._replayed} replayed, {self._tokens} tokens, {elapsed:.0f} s{remaining}"
        )


def _tokens(body: JsonValue) -> int:
    usage = body.get("usage") if isinstance(body, dict) else None
    counts = [usage.get(key) for key in _USAGE_KEYS] if isinstance(usage, dict) else []
    return sum(count for count in counts if isinstance(count, int))
