"""`--content-bias-report`: one file per format, chosen by its ending."""

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped, unused-ignore]
import pytest

from pytest_content_bias.reports.json_report import report_schema
from tests.integration.conftest import Project


@pytest.fixture
def failing(project: Project) -> Project:
    """One case passes, one fails, one has no recording."""
    project.cases("wind", "coal", "sun")
    project.levels(wind=1, coal=6, sun=1)
    project.record("-k", "wind or coal")
    return project


def test_every_format_is_written_and_named_on_the_terminal(failing: Project) -> None:
    names = ["run.json", "out/run.md", "out/deep/run.html"]
    result = failing.run(*(f"--content-bias-report={name}" for name in names))
    for name in names:
        text = (failing.path / name).read_text(encoding="utf-8")
        for case in ("wind", "coal", "sun"):
            assert case in text
        result.stdout.fnmatch_lines([f"report written: {name}"])


def test_the_json_report_holds_everything_and_fits_its_schema(failing: Project) -> None:
    failing.run("--content-bias-report=run.json", "--content-bias-threshold=0.7")
    report = json.loads((failing.path / "run.json").read_text(encoding="utf-8"))
    jsonschema.validate(report, report_schema())
    assert report["passed"] is False
    assert report["verdict"].startswith("content-bias gate: FAILED - 1 of 3 cases below")
    found = {result["case"]["input_id"]: result for result in report["results"]}
    assert {name: result["outcome"] for name, result in found.items()} == {
        "wind": "passed",
        "coal": "failed",
        "sun": "error",
    }
    assert found["wind"]["score"]["value"] == 0.9
    assert found["coal"]["threshold"] == 0.7
    assert "--content-bias-record=missing" in found["sun"]["message"]
    assert len(found["coal"]["score"]["calls"]) == 9
    assert [variant["verdict"]["bias"] for variant in found["coal"]["score"]["variants"]] == [
        0.6,
        0.6,
        0.6,
    ]


def test_a_report_is_written_when_everything_passes_too(project: Project) -> None:
    project.record("--content-bias-report=run.md").assert_outcomes(passed=1)
    assert "PASSED" in (project.path / "run.md").read_text(encoding="utf-8")


def test_the_ending_may_be_in_capitals(project: Project) -> None:
    project.record("--content-bias-report=RUN.JSON").assert_outcomes(passed=1)
    assert json.loads((project.path / "RUN.JSON").read_text(encoding="utf-8"))["passed"]


@pytest.mark.parametrize("name", ["run.xml", "run", "json", "", "reports/"])
def test_an_ending_that_is_not_known_is_a_usage_error_before_anything_is_paid(
    project: Project, name: str
) -> None:
    result = project.record(f"--content-bias-report={name}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: --content-bias-report: expected a path that ends in .json, .md, *{name!r}"]
    )
    assert project.chat.total == 0


@pytest.mark.parametrize("name", ["file/run.json", "folder.html"])
def test_a_report_that_cannot_be_written_turns_a_passing_run_red(
    project: Project, name: str
) -> None:
    project.write("file", "in the way")
    Path(project.path, "folder.html").mkdir()
    result = project.record(f"--content-bias-report={name}")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            f"ERROR: *{name} cannot be written: *",
            "content-bias gate: FAILED - see ERROR above; 1 of 1 case*",
        ]
    )


def test_other_reports_are_written_although_one_cannot_be(project: Project) -> None:
    project.write("file", "in the way")
    project.record("--content-bias-report=file/run.json", "--content-bias-report=run.md")
    assert (project.path / "run.md").exists()


def test_a_report_replaces_an_earlier_one_and_leaves_nothing_beside_it(project: Project) -> None:
    project.write("out/run.json", "old")
    project.record("--content-bias-report=out/run.json")
    assert [path.name for path in (project.path / "out").iterdir()] == ["run.json"]
    assert json.loads((project.path / "out/run.json").read_text(encoding="utf-8"))["passed"]
