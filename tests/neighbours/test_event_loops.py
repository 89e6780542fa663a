"""pytest-asyncio and anyio: their event loops and that of the cases do not meet."""

import pytest

from tests.neighbours.conftest import Move

ASYNCIO = """
import asyncio
import pytest_asyncio

@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared():
    opened = asyncio.get_running_loop()
    yield opened
    assert asyncio.get_running_loop() is opened

@pytest_asyncio.fixture
async def own():
    await asyncio.sleep(0)
    yield "own"
"""
IN_ASYNCIO = """
import asyncio, pytest

@pytest.mark.asyncio(loop_scope="session")
async def test_shared(shared):
    assert asyncio.get_running_loop() is shared

@pytest.mark.asyncio
async def test_own(own):
    assert own == "own"
"""
ANYIO = """
import anyio, pytest

@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"

@pytest.fixture(scope="session")
async def shared(anyio_backend):
    async with anyio.create_task_group() as group:
        yield anyio.Event()
"""
IN_ANYIO = """
import anyio, pytest

@pytest.mark.anyio
async def test_shared(shared):
    shared.set()
    await shared.wait()
"""
CURRENT_LOOP = """
import asyncio, pytest

@pytest.fixture(scope="session", autouse=True)
def current():
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()
"""
IN_CURRENT_LOOP = """
import asyncio

def test_current(current):
    assert asyncio.get_event_loop() is current
"""
FIXTURES = "asyncio_default_fixture_loop_scope = function"
TESTS = ("a", "b", "d")
"""Folders with tests of the neighbour; cases stand between them, in `c` and `cases`."""
CASES = 2
ASYNC_APP = """
import asyncio

async def answer(question):
    await asyncio.sleep(0)
    return "The sources name both costs and benefits."
"""


@pytest.mark.parametrize(
    ("neighbour", "conftest", "source", "ini"),
    [
        ("asyncio", ASYNCIO, IN_ASYNCIO, ["asyncio_mode = strict", FIXTURES]),
        ("asyncio", ASYNCIO, IN_ASYNCIO, ["asyncio_mode = auto", FIXTURES]),
        ("anyio", ANYIO, IN_ANYIO, []),
        ("", CURRENT_LOOP, IN_CURRENT_LOOP, []),
    ],
    ids=["asyncio-strict", "asyncio-auto", "anyio", "current-loop"],
)
def test_async_tests_and_cases_take_turns(
    beside: Move, neighbour: str, conftest: str, source: str, ini: list[str]
) -> None:
    made = beside(neighbour)
    made.write("pytest.ini", "\n".join(["[pytest]", "addopts = -p no:cacheprovider", *ini]))
    made.write("conftest.py", conftest)
    for place in TESTS:
        made.write(f"{place}/test_{place}.py", source)
    made.cases("coal", file="c/coal.bias.yaml")
    made.write("app.py", ASYNC_APP)
    made.configure(system="{type: python, target: 'app:answer'}")
    passing = CASES + len(TESTS) * source.count("def test_")
    made.run("--content-bias-record=missing").assert_outcomes(passed=passing)
    made.run().assert_outcomes(passed=passing)
    assert made.chat.counts == {"generator": 3 * CASES, "judge": 3 * CASES}
