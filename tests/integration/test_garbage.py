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


def test_collected_cases_count_as_old(project: Project) -> None:
    seen: list[bool] = []

    class Ages:
        def pytest_collection_finish(self, session: pytest.Session) -> None:
            old = gc.get_objects(generation=2)
            seen.append(any(each is session.items[0] for each in old))

    project.pytester.inline_run("--collect-only", plugins=[Ages()])
    assert seen == [True]
    assert gc.get_freeze_count() == 0


def test_what_others_froze_stays_frozen(project: Project) -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        project.pytester.inline_run("--collect-only")
        assert 0 < gc.get_freeze_count() <= frozen
    finally:
        gc.unfreeze()


LOOKS = """\
def pytest_collection_finish(session):
    global held, kept
    held, kept = session, session.items


def pytest_unconfigure():
    print("conftest:", [item.name for item in held.items])


def pytest_sessionfinish(session):
    session.config.add_cleanup(show)


def show():
    print("pytest:", *([item.name for item in items] for items in (held.items, kept)))
"""


def test_cases_are_let_go_of_at_the_end_after_conftests_and_other_tests_are_not(
    project: Project,
) -> None:
    project.write("test_other.py", "def test_other():\n    assert True\n")
    project.write("conftest.py", LOOKS)
    result = project.run()
    both = "['content_bias', 'test_other']"
    result.stdout.fnmatch_lines(
        [f"conftest: {both}", f"pytest: ['test_other'] {both}"], consecutive=False
    )
