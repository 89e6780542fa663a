"""The live line while calls are paid."""

from typing import cast

import pytest
from pydantic import JsonValue

from pytest_content_bias.session.progress import Progress
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest

REQUEST = CallRequest(
    slot="judge/one_sided", method="POST", url="http://models.example/v1", identity={}, body=None
)


class Terminal:
    """A terminal that keeps what it is told."""

    def __init__(self, *, isatty: bool) -> None:
        self.isatty = isatty
        self.written: list[str] = []

    def rewrite(self, line: str, *, erase: bool) -> None:
        assert self.isatty
        assert erase
        self.written.append(line)

    def ensure_newline(self) -> None:
        self.written.append("newline")

    def write_line(self, line: str) -> None:
        self.written.append(line)


class Watch:
    """A time that tests set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def watched(terminal: Terminal | None, cases: int = 4) -> tuple[Progress, Watch]:
    watch = Watch()
    return Progress(cast(pytest.TerminalReporter, terminal), cases, watch), watch


def answered(replayed: bool = False, **usage: JsonValue) -> CallReply:
    return CallReply(status=200, body={"usage": usage}, host="", latency_ms=1, replayed=replayed)


def test_a_paid_call_shows_what_was_done_and_how_long_the_rest_may_take() -> None:
    terminal = Terminal(isatty=True)
    progress, watch = watched(terminal)
    progress.called(REQUEST, answered(replayed=True, prompt_tokens=1000))
    progress.case_done()
    watch.now += 10
    progress.called(REQUEST, answered(prompt_tokens=30, completion_tokens=5))
    assert terminal.written == [
        "content bias: 1 of 4 cases, 1 calls paid, 1 replayed, 35 tokens, 10 s, about 30 s left"
    ]


def test_before_the_first_case_is_done_nobody_knows_how_long_it_takes() -> None:
    terminal = Terminal(isatty=True)
    progress, watch = watched(terminal)
    watch.now += 10
    progress.called(REQUEST, answered(input_tokens=3, output_tokens=4))
    assert terminal.written == [
        "content bias: 0 of 4 cases, 1 calls paid, 0 replayed, 7 tokens, 10 s"
    ]


def test_a_line_that_can_be_rewritten_is_so_five_times_a_second_at_most() -> None:
    terminal = Terminal(isatty=True)
    progress, watch = watched(terminal)
    for _ in range(100):
        watch.now += 1 / 16
        progress.called(REQUEST, answered())
    assert len(terminal.written) == 25


def test_a_build_log_gets_a_line_every_half_minute() -> None:
    terminal = Terminal(isatty=False)
    progress, watch = watched(terminal)
    for _ in range(90):
        watch.now += 1
        progress.called(REQUEST, answered())
    assert terminal.written[::2] == ["newline"] * 3
    assert [line.split(", ")[1] for line in terminal.written[1::2]] == [
        "30 calls paid",
        "60 calls paid",
        "90 calls paid",
    ]


def test_a_replay_shows_nothing() -> None:
    terminal = Terminal(isatty=True)
    progress, watch = watched(terminal)
    watch.now += 1000
    progress.called(REQUEST, answered(replayed=True))
    assert terminal.written == []


@pytest.mark.parametrize(
    "body", [None, "text", {"usage": "many"}, {"usage": {"prompt_tokens": "x"}}]
)
def test_a_reply_that_counts_no_tokens_counts_none(body: JsonValue) -> None:
    terminal = Terminal(isatty=True)
    progress, watch = watched(terminal)
    watch.now += 10
    progress.called(REQUEST, CallReply(status=200, body=body, host="", latency_ms=1))
    assert ", 0 tokens, " in terminal.written[0]


def test_without_a_terminal_nothing_is_shown_and_nothing_breaks() -> None:
    progress, watch = watched(None)
    watch.now += 1000
    progress.called(REQUEST, answered())
    progress.case_done()
