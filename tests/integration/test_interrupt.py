"""A recording that is interrupted: what had arrived is kept and never paid again."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from tests.integration.conftest import CALLS, Project
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
SECONDS = 60
"""The longest wait for a process; a test that gets there fails."""


class Pause:
    """Answers so many calls, and holds the next one back until it is released."""

    def __init__(self, answered: int) -> None:
        self.reached, self._released = threading.Event(), threading.Event()
        self._left, self._lock = answered, threading.Lock()

    def __call__(self, _role: str, _request: ReceivedRequest) -> ScriptedReply | None:
        with self._lock:
            self._left -= 1
            held = self._left < 0
        if held:
            self.reached.set()
            self._released.wait(SECONDS)
        return None

    def release(self) -> None:
        self._released.set()


IMPATIENCE = """
import signal, threading

def pytest_keyboard_interrupt():
    main = threading.main_thread().ident
    threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()
"""
"""A conftest that presses Ctrl-C once more while the call under way is awaited."""


@pytest.fixture
def one_by_one(project: Project) -> Iterator[Project]:
    """A project whose calls are made one after another, so that each has an earlier one stored."""
    project.cases("wind", head="config: {sub_call_concurrency_limit: 1}\n")
    yield project
    project.chat.reply = lambda _role, _request: None


def interrupted(
    project: Project, answered: int, by: signal.Signals, mode: str, *, for_good: bool = False
) -> tuple[int, str]:
    """Record in a process of its own, and interrupt it while one more call is under way."""
    pause = project.chat.reply = Pause(answered)
    command = [sys.executable, "-m", "pytest", f"--content-bias-record={mode}"]
    with subprocess.Popen(
        command, cwd=project.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert pause.reached.wait(SECONDS)
            process.send_signal(by)
            if by is signal.SIGKILL or for_good:
                process.wait(SECONDS)
        finally:
            pause.release()
        output, _ = process.communicate(timeout=SECONDS)
    project.chat.reply = lambda _role, _request: None
    return process.returncode, output


@unix
def test_a_recording_killed_at_every_moment_pays_only_what_was_under_way_again(
    one_by_one: Project,
) -> None:
    for stored in range(1, CALLS):
        status, _ = interrupted(one_by_one, 1, signal.SIGKILL, "missing")
        assert status == -signal.SIGKILL
        assert one_by_one.chat.total == 2 * stored
    one_by_one.record().assert_outcomes(passed=1)
    assert one_by_one.chat.total == 2 * (CALLS - 1) + 1
    one_by_one.run().assert_outcomes(passed=1)


@unix
def test_a_recording_killed_before_its_first_reply_leaves_nothing_in_the_way(
    one_by_one: Project,
) -> None:
    interrupted(one_by_one, 0, signal.SIGKILL, "missing")
    one_by_one.record().assert_outcomes(passed=1)
    assert one_by_one.chat.total == 1 + CALLS


@unix
def test_a_killed_recording_of_everything_leaves_the_earlier_one_and_is_taken_up(
    one_by_one: Project,
) -> None:
    one_by_one.record().assert_outcomes(passed=1)
    before = one_by_one.cassette("wind").read_bytes()
    one_by_one.chat.counts.clear()
    interrupted(one_by_one, 5, signal.SIGKILL, "all")
    assert one_by_one.cassette("wind").read_bytes() == before
    one_by_one.run().assert_outcomes(passed=1)
    one_by_one.record().assert_outcomes(passed=1)
    assert one_by_one.chat.total == 6 + CALLS - 5
    assert one_by_one.cassette("wind").read_bytes() != before


@unix
@pytest.mark.parametrize("answered", [0, 1, 4, 8])
def test_after_control_c_the_call_under_way_is_awaited_and_kept_and_no_other_is_made(
    one_by_one: Project, answered: int
) -> None:
    status, output = interrupted(one_by_one, answered, signal.SIGINT, "missing")
    assert status == pytest.ExitCode.INTERRUPTED
    assert "content-bias gate: PASSED" not in output
    assert one_by_one.chat.total in (answered + 1, answered + 2)
    one_by_one.record().assert_outcomes(passed=1)
    assert one_by_one.chat.total == CALLS


@unix
def test_a_second_control_c_gives_up_the_call_under_way_and_keeps_the_others(
    one_by_one: Project,
) -> None:
    one_by_one.write("conftest.py", IMPATIENCE)
    status, output = interrupted(one_by_one, 4, signal.SIGINT, "missing", for_good=True)
    assert status == pytest.ExitCode.INTERRUPTED
    assert "Traceback" not in output
    assert "content-bias gate: FAILED" in output
    one_by_one.record().assert_outcomes(passed=1)
    assert one_by_one.chat.total == CALLS + 1
