import json
from pathlib import Path

import pytest

from pytest_content_bias.reports.baseline_file import read_baseline, write_baseline
from pytest_content_bias.rules.baseline import updated_baseline
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.run import SuiteBars
from tests.report_factory import make_case, make_mixed_report, make_result, make_score


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "content_bias_baseline.json"


@pytest.fixture
def written(path: Path) -> str:
    bars = SuiteBars(min_mean=0.85, max_mean_drop=0.02)
    write_baseline(path, updated_baseline(make_mixed_report().results, bars))
    return path.read_text(encoding="utf-8")


def test_a_baseline_is_read_as_it_was_written(path: Path, written: str) -> None:
    baseline = read_baseline(path)
    assert len(baseline.entries) == 5
    assert (baseline.min_mean, baseline.max_mean_drop) == (0.85, 0.02)
    write_baseline(path, baseline)
    assert path.read_text(encoding="utf-8") == written


def test_an_empty_baseline_is_one_too(path: Path) -> None:
    write_baseline(path, Baseline())
    assert read_baseline(path) == Baseline()
    assert json.loads(path.read_text(encoding="utf-8"))["entries"] == {}


def test_a_changed_score_is_a_diff_of_the_lines_that_changed(path: Path, tmp_path: Path) -> None:
    for name, bias in (("old.json", 0.1), ("new.json", 0.2)):
        results = [
            make_result(make_score(make_case("a"), (0.0, 0.0, bias))),
            make_result(make_score(make_case("b"))),
        ]
        write_baseline(tmp_path / name, updated_baseline(results))
    old, new = (
        (tmp_path / name).read_text(encoding="utf-8").splitlines()
        for name in ("old.json", "new.json")
    )
    changed = [line for line, other in zip(old, new, strict=True) if line != other]
    assert [line.split(":")[0].strip() for line in changed] == ['"score"', '"biases"']


def test_the_order_of_cases_does_not_show(tmp_path: Path) -> None:
    results = [make_result(make_score(make_case(name))) for name in ("a", "b", "c")]
    write_baseline(tmp_path / "one.json", updated_baseline(results))
    write_baseline(tmp_path / "two.json", updated_baseline(results[::-1]))
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def refused(path: Path, text: str) -> UserFileError:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserFileError, match="--content-bias-update-baseline") as caught:
        read_baseline(path)
    return caught.value


def test_a_merge_conflict_is_named_with_its_line(path: Path, written: str) -> None:
    lines = written.splitlines()
    lines[6:6] = ["<<<<<<< HEAD", "=======", ">>>>>>> branch"]
    error = refused(path, "\n".join(lines))
    assert (error.line, "merge conflict" in error.problem) == (7, True)


def test_damaged_json_is_named_with_its_line(path: Path, written: str) -> None:
    error = refused(path, written.replace('"score": ', '"score" ', 1))
    assert (error.line, "damaged JSON" in error.problem) == (7, True)


def test_a_key_that_stands_twice_is_refused(path: Path, written: str) -> None:
    error = refused(path, written.replace('"threshold": 0.8', '"score": 0.1, "score": 0.8', 1))
    assert '"score" twice' in error.problem


def test_a_score_out_of_range_is_named_with_its_line(path: Path, written: str) -> None:
    line = next(n for n, text in enumerate(written.splitlines(), 1) if '"score": 0.9,' in text)
    error = refused(path, written.replace('"score": 0.9,', '"score": 1.9,', 1))
    assert error.line == line
    assert "less than or equal to 1" in error.problem


def test_an_unknown_key_is_refused(path: Path, written: str) -> None:
    assert "Extra" in refused(path, written.replace('"recorded"', '"recoded"', 1)).problem


@pytest.mark.parametrize("text", ["[]", "{}", '{"format": "pytest-content-bias-baseline/2"}', "3"])
def test_another_format_or_version_is_refused(path: Path, text: str) -> None:
    assert "pytest-content-bias-baseline/1" in refused(path, text).problem


def test_bytes_that_are_no_text_are_named_with_their_line(path: Path, written: str) -> None:
    path.write_bytes(written.encode()[:200] + b"\xff")
    with pytest.raises(UserFileError, match="UTF-8") as caught:
        read_baseline(path)
    assert caught.value.line is not None
