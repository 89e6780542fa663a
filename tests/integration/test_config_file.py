"""`content_bias.yaml`: which one counts, its variables, and mistakes in it."""

import pytest

from tests.integration.conftest import CALLS, Project


def models_asked(project: Project) -> set[str]:
    return {request.body["model"] for request in project.endpoint.requests}


def test_the_nearest_file_counts(project: Project) -> None:
    near = (project.path / "content_bias.yaml").read_text(encoding="utf-8")
    project.write("cases/content_bias.yaml", near.replace("scripted-model", "near-model"))
    project.cases("coal", file="other/coal.bias.yaml")
    project.record("cases").assert_outcomes(passed=1)
    assert models_asked(project) == {"near-model"}
    project.record("other").assert_outcomes(passed=1)
    assert models_asked(project) == {"near-model", "scripted-model"}


def test_files_above_the_root_directory_do_not_count(project: Project) -> None:
    inner = project.path / "inner"
    project.cases("wind", file="inner/cases/energy.bias.yaml")
    project.write("inner/pytest.ini", (project.path / "pytest.ini").read_text(encoding="utf-8"))
    result = project.record(f"--rootdir={inner}", f"-c{inner / 'pytest.ini'}", str(inner))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["no content_bias.yaml beside *inner/cases/energy.bias.yaml*"])
    assert project.chat.total == 0


def test_without_a_file_every_case_is_an_error_that_names_it(project: Project) -> None:
    (project.path / "content_bias.yaml").unlink()
    result = project.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["no content_bias.yaml beside *energy.bias.yaml *README*"])
    assert "Traceback" not in result.stdout.str()


def test_its_name_can_be_set(project: Project) -> None:
    (project.path / "content_bias.yaml").rename(project.path / "models.yaml")
    project.ini("content_bias_config = models.yaml")
    project.record().assert_outcomes(passed=1)


def with_variables(project: Project) -> None:
    text = (project.path / "content_bias.yaml").read_text(encoding="utf-8")
    text = text.replace("scripted-model", "'${BIAS_MODEL:-default-model}'")
    project.write("content_bias.yaml", text.replace("not-a-secret", "'${BIAS_KEY}'"))


def test_variables_of_the_environment_are_filled_in(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_variables(project)
    monkeypatch.setenv("BIAS_MODEL", "model-of-the-environment")
    monkeypatch.setenv("BIAS_KEY", "key-of-the-environment")
    project.record().assert_outcomes(passed=1)
    assert models_asked(project) == {"model-of-the-environment"}
    sent = {request.headers["authorization"] for request in project.endpoint.requests}
    assert sent == {"Bearer key-of-the-environment"}
    assert b"key-of-the-environment" not in project.cassette("wind").read_bytes()


def test_a_key_is_needed_for_recording_and_not_for_replaying(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_variables(project)
    monkeypatch.delenv("BIAS_KEY", raising=False)
    result = project.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*content_bias.yaml:1:*BIAS_KEY*"])
    assert project.chat.total == 0
    monkeypatch.setenv("BIAS_KEY", "a-key")
    project.record().assert_outcomes(passed=1)
    monkeypatch.delenv("BIAS_KEY")
    project.run().assert_outcomes(passed=1)
    assert project.chat.total == CALLS


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("judge:", "juge:", "*content_bias.yaml:2:1: *did you mean 'judge'*"),
        ("type: chat", "type: chatt", "*content_bias.yaml:3:*'chatt'*"),
        ("system:", "system: [", "*content_bias.yaml:*"),
        ("generator:", "# generator:", "*no `generator`*"),
        ("system:", "# system:", "*system*"),
    ],
)
def test_a_mistake_in_it_is_an_error_of_each_case_in_words(
    project: Project, old: str, new: str, expected: str
) -> None:
    text = (project.path / "content_bias.yaml").read_text(encoding="utf-8")
    project.write("content_bias.yaml", text.replace(old, new, 1))
    result = project.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([expected])
    assert "Traceback" not in result.stdout.str()


def test_the_cassettes_can_be_kept_elsewhere(project: Project) -> None:
    project.ini("content_bias_cassette_dir = tests/recordings")
    project.record().assert_outcomes(passed=1)
    assert (project.path / "tests/recordings/cases/energy/wind.yaml").exists()
    assert not (project.path / "cassettes").exists()
