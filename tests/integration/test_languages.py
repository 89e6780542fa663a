"""Cases in English, German and French, each with prompts of its own."""

import pytest

from pytest_content_bias.files.prompt_library import builtin_prompts
from tests.integration.conftest import Project


def first_line(language: str, prompt: str) -> str:
    """The first line of a prompt's system message."""
    lines = (
        (builtin_prompts() / language / f"{prompt}.yaml").read_text(encoding="utf-8").split("\n")
    )
    return lines[lines.index("  content: |-") + 1].strip()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_generator_and_judge_are_spoken_to_in_the_language_of_the_case(
    project: Project, language: str
) -> None:
    project.cases("wind", head=f"config: {{language: {language}}}\n")
    project.record().assert_outcomes(passed=1)
    told = [request.body["messages"][0]["content"] for request in project.endpoint.requests]
    judged = [text for text in told if text.startswith(first_line(language, "judge"))]
    loaded = [text for text in told if text.startswith(first_line(language, "rewrite_one_sided"))]
    assert len(judged) == 3
    assert loaded
    project.run().assert_outcomes(passed=1)


def test_a_case_may_have_a_language_of_its_own(project: Project) -> None:
    project.cases("wind", head="config: {language: de}\n", each="config: {language: fr}\n")
    project.cases("coal", file="cases/b.bias.yaml")
    report = project.reported("--content-bias-record=missing")
    found = {result.case.input_id: result.score for result in report.results}
    assert found["wind"] is not None
    assert found["coal"] is not None
    assert (found["wind"].language, found["coal"].language) == ("fr", "en")


def test_a_changed_language_is_never_replayed_from_another_one(project: Project) -> None:
    project.record().assert_outcomes(passed=1)
    project.cases("wind", head="config: {language: de}\n")
    project.run("--content-bias-threshold=0").assert_outcomes(errors=1)


def test_texts_in_any_script_reach_the_models_and_the_terminal(project: Project) -> None:
    project.chat.answer = lambda _message: "Les éoliennes coûtent 5 à 8 ct/kWh — Straßenpreis: 風力"
    project.chat.level = lambda _message: 9
    result = project.record()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*answer  Les éoliennes coûtent*Straßenpreis: 風力"])
    project.run().assert_outcomes(failed=1)
    assert "Straßenpreis: 風力" in project.cassette("wind").read_text(encoding="utf-8")
