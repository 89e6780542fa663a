"""pytest-randomly: in whatever order, and however seeded, cases get the same scores."""

from tests.integration.conftest import CALLS
from tests.neighbours.conftest import SUITE, Move, Neighbourhood

OWN_TEST = """
import random
from pathlib import Path

def test_seeded():
    Path("drawn.txt").write_text(str(random.random()))
"""
CONFTEST = """
from pathlib import Path

def pytest_collection_finish(session):
    Path("order.txt").write_text("\\n".join(item.nodeid for item in session.items))
"""


def drawn(made: Neighbourhood) -> tuple[str, str]:
    """The order of the last run, and the number that its own test drew."""
    order, number = (made.path / name for name in ("order.txt", "drawn.txt"))
    return order.read_text(encoding="utf-8"), number.read_text(encoding="utf-8")


def test_any_seed_records_once_and_gives_identical_scores(beside: Move) -> None:
    made = beside("randomly")
    made.suite()
    made.write("conftest.py", CONFTEST)
    made.write("test_own.py", OWN_TEST)
    made.record("--randomly-seed=1").assert_outcomes(passed=len(SUITE), failed=1)
    assert made.chat.total == CALLS * len(SUITE)
    first = drawn(made)
    alone = made.found_alone()
    assert made.found("--randomly-seed=1") == alone
    assert drawn(made) == first
    assert made.found("--randomly-seed=2") == alone
    order, number = drawn(made)
    assert order != first[0]
    assert number != first[1]
    assert made.chat.total == CALLS * len(SUITE)
