"""The garbage collector pauses while cases are collected, and only then."""

import gc
from collections.abc import Iterator

import pytest

from tests.integration.conftest import Project

FILE = "cases/energy.bias.yaml"


class Watch:
    """Notes whether garbage is collected, and ends the collection as it is told to."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.seen: list[bool] = []

    def pytest_itemcollected(self) -> None:
        self.seen.append(gc.isenabled())
        if self.error is not None:
            raise self.error

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self) -> None:
        self.seen.append(gc.isenabled())


@pytest.fixture(autouse=True)
def _enabled() -> Iterator[None]:
    assert gc.isenabled()
    yield
    gc.enable()


def test_it_pauses_until_the_cases_are_collected(project: Project) -> None:
    watch = Watch()
    project.pytester.inline_run("--collect-only", plugins=[watch])
    assert watch.seen == [False, True]
    assert gc.isenabled()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError(), pytest.UsageError()])
def test_it_goes_on_when_an_error_ends_the_collection(
    project: Project, error: BaseException
) -> None:
    watch = Watch(error)
    project.pytester.inline_run(plugins=[watch], no_reraise_ctrlc=True)
    assert watch.seen == [False, True]
    assert gc.isenabled()


def test_it_goes_on_when_a_case_is_not_found_or_a_file_is_broken(project: Project) -> None:
    project.run(f"{FILE}::nothing")
    assert gc.isenabled()
    project.write(FILE, "cases: [")
    project.run()
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off(project: Project) -> None:
    gc.disable()
    project.run("--collect-only")
    assert not gc.isenabled()


def test_it_does_not_pause_without_cases(project: Project) -> None:
    project.write("test_other.py", "def test_other():\n    pass\n")
    watch = Watch()
    project.pytester.inline_run("test_other.py", plugins=[watch])
    assert watch.seen == [True, True]
