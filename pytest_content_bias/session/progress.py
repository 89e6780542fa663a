"""A live line while calls are paid."""

from __future__ import annotations

import time

import pytest

from pytest_content_bias.session.settings import Settings
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest

_SECONDS_BETWEEN_LINES = 30.0
"""Where lines cannot be rewritten, such as in a build log."""
_SECONDS_BETWEEN_REWRITES = 0.2


class Progress:
    """Counts calls, and shows them while recording.

    Args:
        config: pytest's configuration.
        settings: the run's settings.
    """

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._reporter: pytest.TerminalReporter | None = config.pluginmanager.get_plugin(
            "terminalreporter"
        )
        self._shows = settings.record.network and config.get_verbosity() >= 0
        self._started = self._shown = time.monotonic()
        self._paid = self._replayed = self._tokens = 0

    def called(self, request: CallRequest, reply: CallReply) -> None:
        """Count a call that was answered."""
        if reply.replayed:
            self._replayed += 1
        else:
            self._paid += 1
            self._tokens += _tokens(reply)
        if self._shows and self._reporter is not None and self._paid:
            self._show(self._reporter)

    def close(self) -> None:
        """Leave the last line standing."""

    def _show(self, reporter: pytest.TerminalReporter) -> None:
        now, rewrites = time.monotonic(), reporter.isatty
        pause = _SECONDS_BETWEEN_REWRITES if rewrites else _SECONDS_BETWEEN_LINES
        if now - self._shown < pause:
            return
        self._shown = now
        line = (
            f"content bias: {self._paid} calls paid, {self._replayed} replayed, "
            f"{self._tokens} tokens, {now - self._started:.0f} s"
        )
        if rewrites:
            reporter.rewrite(line, erase=True)
        else:
            reporter.ensure_newline()
            reporter.write_line(line)


def _tokens(reply: CallReply) -> int:
    usage = reply.body.get("usage") if isinstance(reply.body, dict) else None
    if not isinstance(usage, dict):
        return 0
    counts = (usage.get(key) for key in _USAGE_KEYS)
    return sum(count for count in counts if isinstance(count, int))


_USAGE_KEYS = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
