"""pytest-timeout: a case that takes too long is an ERROR, and what it paid for is kept."""

import threading
from collections.abc import Iterator

import pytest

from tests.integration.conftest import CALLS
from tests.neighbours.conftest import Move, Neighbourhood
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

LETS_GO = """
import httpx, pytest

@pytest.mark.timeout(60)
def test_own():
    assert httpx.post("%s/let-go", json={}, trust_env=False).status_code == 200
"""
SLOW = """
import pytest, threading

@pytest.mark.timeout(0.1)
def test_slow():
    threading.Event().wait()
"""
LET_GO = 1
"""The call that lets the judge go, which is none of a case."""


class Jam:
    """For `ScriptedChat.reply`: a judge that does not answer until it is let go."""

    def __init__(self) -> None:
        self.gone = threading.Event()

    def __call__(self, role: str, request: ReceivedRequest) -> ScriptedReply | None:
        if request.path == "/let-go":
            self.gone.set()
            return ScriptedReply(json={})
        if role == "judge":
            self.gone.wait()
        return None


def unjammed(role: str, request: ReceivedRequest) -> ScriptedReply | None:
    return None


@pytest.fixture
def jammed(beside: Move) -> Iterator[Neighbourhood]:
    made = beside("timeout")
    made.chat.reply = jam = Jam()
    yield made
    jam.gone.set()


def test_a_case_that_is_timed_out_is_an_error_and_its_replies_are_kept(
    jammed: Neighbourhood,
) -> None:
    jammed.write("z/test_own.py", SLOW + LETS_GO % jammed.endpoint.url)
    result = jammed.run("--timeout=1", "--content-bias-record=missing")
    result.assert_outcomes(passed=1, failed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "ERROR * cases/energy.bias.yaml::wind::content_bias",
            "content-bias gate: FAILED - 0 of 1 case below their threshold, 1 error",
            "ERROR cases/energy.bias.yaml::wind::content_bias - CaseError: Timeout (>1.0s) *",
        ]
    )
    result.stdout.no_fnmatch_line("*selectors.py*")
    jammed.record("--timeout=60", "cases").assert_outcomes(passed=1)
    assert jammed.chat.total == CALLS + LET_GO


def test_a_process_that_is_ended_keeps_the_replies_that_it_had(jammed: Neighbourhood) -> None:
    result = jammed.run("--timeout=2", "--timeout-method=thread", "--content-bias-record=missing")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.no_fnmatch_line("*content-bias gate*")
    kept = jammed.replies()
    assert kept
    jammed.chat.reply = unjammed
    jammed.chat.counts.clear()
    jammed.record("--timeout=60").assert_outcomes(passed=1)
    assert jammed.chat.total == CALLS - kept
