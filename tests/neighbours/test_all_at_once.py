"""All neighbours in one run, on a worker of pytest-xdist."""

import pytest

from tests.integration.conftest import CALLS
from tests.neighbours.conftest import INSTALLED, PRESENT, SUITE, Move, Neighbourhood

ALL = sorted({*INSTALLED, *PRESENT} - {"vcr"})
"""All but pytest-vcr, beside which pytest-recording refuses to start."""
OWN_TEST = """
import asyncio
import pytest

@pytest.mark.asyncio
async def test_own():
    seen = []
    asyncio.get_running_loop().call_soon(seen.append, "turned")
    await asyncio.sleep(0)
    assert seen == ["turned"]
"""
OPTIONS = ("-n1", "--reruns=1", "--timeout=60", "--randomly-seed=3", "--cov=own", "--cov-report=")


@pytest.fixture
def together(beside: Move) -> Neighbourhood:
    made = beside(*ALL)
    made.suite()
    made.write("own/test_own.py", OWN_TEST)
    ini = "[pytest]\nasyncio_default_fixture_loop_scope = function\n"
    made.write("pytest.ini", ini)
    return made


def test_cases_are_recorded_once_and_replayed_alike(together: Neighbourhood) -> None:
    result = together.record(*OPTIONS)
    assert result.parseoutcomes() == {"passed": len(SUITE), "failed": 1, "rerun": 1}
    assert together.chat.total == CALLS * len(SUITE)
    alone = together.found_alone()
    assert together.found(*OPTIONS) == alone
    assert together.chat.total == CALLS * len(SUITE)


def test_what_forbids_the_network_is_named_once(together: Neighbourhood) -> None:
    together.record_alone("cases")
    forbidding = ("--disable-socket", "--allow-unix-socket", "--block-network")
    result = together.run(*OPTIONS, *forbidding, "--content-bias-record=all")
    assert result.parseoutcomes() == {"passed": len(SUITE), "failed": 1, "rerun": 1}
    said = [line for line in result.outlines if "recorded nothing" in line]
    assert said == [
        "warning: --block-network and --disable-socket forbid the network: cases were replayed, "
        "and --content-bias-record=all recorded nothing"
    ]
    assert together.chat.total == 0
