"""Commands that work on JSON reports."""

from pathlib import Path

import pytest

from pytest_content_bias.cli.stored_runs import convert, gated, merged
from pytest_content_bias.reports.json_report import read_report, write_json
from pytest_content_bias.vocabulary.errors import SettingsError, UserFileError
from tests.report_factory import make_case, make_mixed_report, make_report, make_result, make_score


def written(tmp_path: Path, name: str, *cases: str) -> Path:
    path = tmp_path / name
    write_json(path, make_report(make_result(make_score(make_case(case))) for case in cases))
    return path


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_report_is_converted_beside_itself_unless_told_otherwise(
    tmp_path: Path, ending: str
) -> None:
    path = written(tmp_path, "run.json", "a")
    assert convert(path, ending, None) == 0
    assert (tmp_path / f"run.{ending}").exists()
    assert convert(path, ending, tmp_path / f"deep/other.{ending}") == 0
    assert (tmp_path / f"deep/other.{ending}").exists()


def test_merged_reports_hold_the_cases_of_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [written(tmp_path, "1.json", "a"), written(tmp_path, "2.json", "b")]
    assert merged(paths, tmp_path / "whole.json") == 0
    whole = read_report(tmp_path / "whole.json")
    assert [result.case.input_id for result in whole.results] == ["a", "b"]
    assert capsys.readouterr().out.splitlines()[-1] == whole.verdict


def test_gating_anew_names_what_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "run.json", "a")
    assert gated(path, ["0.9"]) == 0
    capsys.readouterr()
    assert gated(path, ["0.91"]) == 1
    printed = capsys.readouterr().out
    assert "FAILED cases/medicine.bias.yaml::a::content_bias" in printed
    assert "score 0.90 is below the threshold 0.91" in printed


def test_a_stored_run_with_errors_never_passes(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    write_json(path, make_mixed_report())
    assert gated(path, ["0"]) == 1


def test_what_cannot_be_read_or_used_is_an_error_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(UserFileError):
        gated(tmp_path / "absent.json", [])
    with pytest.raises(SettingsError):
        gated(written(tmp_path, "run.json", "a"), ["2"])
    with pytest.raises(SettingsError):
        convert(written(tmp_path, "run.json", "a"), "md", tmp_path / "x.pdf")
