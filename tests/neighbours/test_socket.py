"""pytest-socket: sockets that are disabled keep no case from being replayed, and force replay."""

import pytest

from tests.integration.conftest import CALLS
from tests.neighbours.conftest import Move, Neighbourhood

OWN_TEST = """
import pytest, pytest_socket, socket

@pytest.mark.filterwarnings("ignore:A test tried")
def test_sockets_are_disabled():
    with pytest.raises(pytest_socket.SocketBlockedError):
        socket.socket()
"""
EVERYWHERE = """
from pytest_socket import disable_socket

def pytest_runtest_setup():
    disable_socket()
"""
"""How pytest-socket's own documentation disables sockets for a whole project."""


@pytest.fixture
def recorded(beside: Move) -> Neighbourhood:
    project = beside("socket")
    project.write("test_own.py", OWN_TEST)
    project.record_alone("cases")
    return project


def test_cases_are_replayed_beside_tests_whose_sockets_are_disabled(
    recorded: Neighbourhood,
) -> None:
    recorded.run("--disable-socket").assert_outcomes(passed=2)
    assert recorded.chat.total == 0


def test_disabled_sockets_force_replay_whatever_is_to_be_recorded(recorded: Neighbourhood) -> None:
    before = recorded.cassette("wind").read_bytes()
    result = recorded.run("--disable-socket", "--content-bias-record=all")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "warning: --disable-socket forbids the network: *--content-bias-record=all *",
            "content-bias gate: PASSED - 1 of 1 case*",
        ]
    )
    assert recorded.chat.total == 0
    assert recorded.cassette("wind").read_bytes() == before


def test_what_is_missing_stays_missing_where_sockets_are_disabled(recorded: Neighbourhood) -> None:
    recorded.cases("wind", "coal")
    result = recorded.run("--disable-socket", "--content-bias-record=missing")
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*--disable-socket forbids the network*", "*gate: FAILED*"])
    assert recorded.chat.total == 0


def test_sockets_that_are_enabled_after_all_let_cases_be_recorded(recorded: Neighbourhood) -> None:
    recorded.write("pytest.ini", "[pytest]\naddopts = -p no:cacheprovider --disable-socket\n")
    result = recorded.run("cases", "--force-enable-socket", "--content-bias-record=all")
    result.assert_outcomes(passed=1)
    assert recorded.chat.total == CALLS


def test_cases_are_replayed_where_a_conftest_disables_sockets_for_every_item(
    recorded: Neighbourhood,
) -> None:
    recorded.write("conftest.py", EVERYWHERE)
    recorded.run().assert_outcomes(passed=2)


def test_a_recording_that_a_conftest_keeps_from_the_network_says_so(
    recorded: Neighbourhood,
) -> None:
    recorded.write("conftest.py", EVERYWHERE)
    result = recorded.run("-Wdefault", "--content-bias-record=all")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        ["*A test tried to use socket.socket*keeps this run from the network*"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    assert recorded.chat.total == 0
