"""Recordings that nothing asks for any more."""

from pathlib import Path

import pytest

from pytest_content_bias.session.settings import Settings, read_settings
from pytest_content_bias.session.unused import (
    orphaned_cassettes,
    unused_recordings,
    unused_slots,
)
from pytest_content_bias.vocabulary.run import CaseResult
from tests.report_factory import make_case, make_error, make_opinion_score, make_result, make_score
from tests.unit.session.test_settings import Source

FILE = "cases/medicine.bias.yaml"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings(Source(rootpath=tmp_path))


def cassette(settings: Settings, case_id: str) -> Path:
    file, _, name = case_id.partition("::")
    path = settings.cassette_dir / file.removesuffix(".bias.yaml") / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    head = "# Recorded\nversion: 1\nformat: pytest-content-bias/1\n"
    path.write_text(f"{head}case: {case_id}\ncalls: 0\ninteractions: []\n", encoding="utf-8")
    return path


def results(*unused: str) -> list[CaseResult]:
    """Both metrics of a case; the first did not ask for some slots, the second for others."""
    case = make_case()
    return [
        make_result(make_score(case), unused=(*unused, "judge/opinions/plain")),
        make_result(make_opinion_score(case), unused=(*unused, "judge/one_sided")),
    ]


def test_a_slot_is_unused_when_no_metric_asked_for_it() -> None:
    found = unused_slots(results("judge/one_sided/2"))
    assert found == {make_case().case_id: {"judge/one_sided/2"}}
    assert unused_slots(results()) == {}


def test_a_case_that_was_not_scored_says_nothing_of_its_cassette() -> None:
    failed = make_error("drug-x")
    assert unused_slots([*results("judge/one_sided/2"), failed]) == {}
    unscored = make_result(make_score(value=None, error="no verdict"), unused=("judge/one_sided",))
    assert unused_slots([unscored]) == {}


def test_cassettes_of_cases_and_files_that_are_gone_are_orphans(settings: Settings) -> None:
    kept = cassette(settings, f"{FILE}::drug-x")
    gone = cassette(settings, f"{FILE}::removed")
    of_a_file = cassette(settings, "cases/removed.bias.yaml::drug-x")
    found = orphaned_cassettes(settings, {f"{FILE}::drug-x"})
    assert set(found) == {gone, of_a_file}
    assert kept not in found


def test_cassettes_of_a_file_that_was_not_collected_are_none(settings: Settings) -> None:
    cassette(settings, "elsewhere/more.bias.yaml::drug-x")
    path = settings.root / "elsewhere/more.bias.yaml"
    path.parent.mkdir()
    path.touch()
    assert orphaned_cassettes(settings, {f"{FILE}::drug-x"}) == []


def test_sentences_name_the_command_that_cleans_up(settings: Settings) -> None:
    cassette(settings, f"{FILE}::removed")
    found = list(unused_recordings(settings, results("judge/one_sided/2"), whole_project=True))
    assert len(found) == 2
    assert all("python -m pytest_content_bias prune" in line for line in found)
    assert list(unused_recordings(settings, results(), whole_project=False)) == []
