import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from pytest_content_bias.reports.json_report import (
    read_report,
    report_schema,
    to_json,
    write_json,
)
from pytest_content_bias.vocabulary.errors import SettingsError, UserFileError
from tests.report_factory import HOSTILE, make_mixed_report


@pytest.mark.parametrize("text", [None, HOSTILE])
def test_a_report_is_read_as_it_was_written(tmp_path: Path, text: str | None) -> None:
    report = make_mixed_report(text)
    path = tmp_path / "new" / "folder" / "report.json"
    write_json(path, report)
    assert read_report(path) == report
    assert [file.name for file in path.parent.iterdir()] == ["report.json"]


def test_a_report_satisfies_its_schema() -> None:
    schema = report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(to_json(make_mixed_report(HOSTILE))), schema)


def test_a_missing_report_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(UserFileError, match="cannot be read"):
        read_report(tmp_path / "none.json")


def test_damaged_json_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(to_json(make_mixed_report())[:500], encoding="utf-8")
    with pytest.raises(UserFileError, match=r"damaged JSON.*--content-bias-report") as caught:
        read_report(path)
    assert caught.value.line is not None
    assert caught.value.line > 5


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    text = to_json(make_mixed_report()).replace("bias-report/1", "bias-report/9")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserFileError, match=r"found format .*report/9.*expected.*report/1"):
        read_report(path)


def test_a_place_that_cannot_be_written_to_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match="cannot be written"):
        write_json(tmp_path / "file" / "report.json", make_mixed_report())
