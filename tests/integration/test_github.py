"""In GitHub Actions and Azure Pipelines: annotations, and a summary of the step."""

from pathlib import Path

import pytest

from tests.integration.conftest import Project


@pytest.fixture
def mixed(project: Project) -> Project:
    """One case passes, one fails, one has no recording."""
    project.cases("wind", "coal", "sun")
    project.levels(wind=1, coal=6, sun=1)
    project.record("-k", "wind or coal")
    return project


def test_each_case_that_did_not_pass_is_annotated_on_its_line(
    mixed: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = mixed.run()
    commands = [line for line in result.outlines if line.startswith("::")]
    assert [command.partition(",title")[0] for command in commands] == [
        "::error file=cases/energy.bias.yaml,line=10",
        "::error file=cases/energy.bias.yaml,line=6",
    ]
    assert "nothing is recorded" in commands[0]
    assert "score 0.40 is below the threshold 0.80%0A" in commands[1]


def test_azure_gets_annotations_of_its_own(mixed: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_BUILD", "True")
    result = mixed.run()
    commands = [line for line in result.outlines if line.startswith("##vso")]
    assert len(commands) == 2
    assert commands[0].startswith(
        "##vso[task.logissue type=error;sourcepath=cases/energy.bias.yaml;linenumber=10;]"
    )


def test_elsewhere_there_are_none(mixed: Project) -> None:
    lines = mixed.run().outlines
    assert not [line for line in lines if line.startswith(("::", "##vso"))]


def test_many_failures_are_counted_in_the_last_annotation(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    project.cases(*(f"case{number}" for number in range(12)))
    commands = [line for line in project.run().outlines if line.startswith("::error")]
    assert len(commands) == 10
    assert "3 more cases" in commands[-1]


def test_the_summary_of_the_step_is_added_to_what_is_there(
    mixed: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = mixed.write("summary.md", "# Earlier steps\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    mixed.run()
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Earlier steps\n")
    assert "FAILED" in text
    for name in ("wind", "coal", "sun"):
        assert name in text


def test_a_summary_that_cannot_be_written_is_an_error(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project.record()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    result = project.run()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["ERROR: *GITHUB_STEP_SUMMARY*", "content-bias gate: FAILED - *"])


def test_nothing_is_added_to_the_summary_by_a_run_without_cases(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project.path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    project.write("test_other.py", "def test_other(): pass\n")
    assert project.run("test_other.py").ret == pytest.ExitCode.OK
    assert not path.exists()
