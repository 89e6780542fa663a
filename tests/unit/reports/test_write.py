from pathlib import Path

import pytest

from pytest_content_bias.reports.write import write_report
from pytest_content_bias.vocabulary.errors import SettingsError
from tests.report_factory import make_mixed_report


@pytest.mark.parametrize(
    ("name", "start"),
    [("r.json", "{\n"), ("r.md", "### "), ("r.html", "<!doctype html>"), ("R.HTML", "<!doctype")],
)
def test_the_ending_chooses_the_format(tmp_path: Path, name: str, start: str) -> None:
    write_report(make_mixed_report(), tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


@pytest.mark.parametrize("name", ["report.pdf", "report"])
def test_another_ending_is_refused_with_those_there_are(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match=r"\.json, \.md, \.html"):
        write_report(make_mixed_report(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_report_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text("old", encoding="utf-8")
    write_report(make_mixed_report(), path)
    assert "old" not in path.read_text(encoding="utf-8")[:3]
