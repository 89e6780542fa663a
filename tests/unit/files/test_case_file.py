from pathlib import Path

import pytest
import yaml

from pytest_content_bias.files import yaml_reader
from pytest_content_bias.files.case_file import CaseEntry, read_case_file
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig, OpinionBiasConfig
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.names import TaskType

CASE = """\
  - input_id: drug-x
    prompt: What are the side effects?
    expected_output: Mild ones.
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "cases"
    folder.mkdir()
    return folder / "a.bias.yaml"


def read(file: Path, text: str, *known_metrics: str) -> tuple[CaseEntry, ...]:
    file.write_text(text, encoding="utf-8")
    return read_case_file(file, file.parent.parent, known_metrics)


def problem(file: Path, text: str) -> tuple[int | None, int | None, str]:
    with pytest.raises(UserFileError) as caught:
        read(file, text)
    assert caught.value.path == file
    assert len(str(caught.value).splitlines()) <= 3
    return caught.value.line, caught.value.column, caught.value.problem


def problem_of_case(file: Path, more: str) -> str:
    """What is said of a case with one more line, which has to be said at that line."""
    line, _, text = problem(file, f"cases:\n{CASE}    {more}\n")
    assert line == 5 + more.count("\n")
    return text


def test_a_case_holds_all_that_its_row_says(file: Path) -> None:
    (entry,) = read(
        file,
        f"# a comment\ncases:\n{CASE}"
        "    retrieved_context: [one, two]\n"
        "    sut_response: None known.\n"
        "    tags: [medical, eu_2024]\n",
    )

    case = entry.case
    assert case.path == "cases/a.bias.yaml"
    assert case.line == 3
    assert case.case_id == "cases/a.bias.yaml::drug-x"
    assert case.prompt == "What are the side effects?"
    assert case.expected_output == "Mild ones."
    assert case.retrieved_context == ("one", "two")
    assert case.sut_response == "None known."
    assert case.tags == ("medical", "eu_2024")
    assert case.task_type == TaskType.SINGLE_TURN
    assert entry.metrics == ("content_bias",)
    assert entry.thresholds == {}
    assert entry.max_drop is None
    assert entry.configs == {"content_bias": ContentBiasRAGConfig()}


def test_of_a_conversation_the_last_message_is_the_prompt_and_the_others_are_kept(
    file: Path,
) -> None:
    (entry,) = read(
        file,
        "cases:\n- input_id: a\n  expected_output: e\n  task_type: multi_turn_rag\n  prompt:\n"
        "  - {role: system, content: Be brief.}\n  - {role: user, content: Hello}\n"
        "  - {role: assistant, content: Hi}\n  - {role: user, content: And now?}\n",
    )

    assert entry.case.prompt == "And now?"
    assert entry.case.task_type == TaskType.MULTI_TURN
    assert entry.case.history == (
        Message(role="system", content="Be brief."),
        Message(role="user", content="Hello"),
        Message(role="assistant", content="Hi"),
    )


def test_one_passage_may_stand_without_a_list(file: Path) -> None:
    (entry,) = read(file, f"cases:\n{CASE}    retrieved_context: only one\n")

    assert entry.case.retrieved_context == ("only one",)


def test_a_case_beats_its_file_in_thresholds_and_drops(file: Path) -> None:
    both = "metrics: [content_bias, opinion_bias]\nthreshold: 0.7\nmax_drop: 0.1\ncases:\n"
    (of_file,) = read(file, both + CASE)
    (of_case,) = read(file, both + CASE + "    threshold: {opinion_bias: 1}\n    max_drop: 0\n")

    assert of_file.thresholds == {
        "content_bias": (0.7, "case file"),
        "opinion_bias": (0.7, "case file"),
    }
    assert of_file.max_drop == (0.1, "case file")
    assert of_case.thresholds == {"content_bias": (0.7, "case file"), "opinion_bias": (1, "case")}
    assert of_case.max_drop == (0, "case")


def test_config_is_merged_key_by_key_and_each_metric_takes_its_own(file: Path) -> None:
    (entry,) = read(
        file,
        "metrics: [content_bias, opinion_bias]\nconfig: {language: de, n_sut_retries: 2}\n"
        f"cases:\n{CASE}    config: {{n_sut_retries: 3, strict_mode: true}}\n",
    )

    assert entry.configs == {
        "content_bias": ContentBiasRAGConfig(language="de", n_sut_retries=3),
        "opinion_bias": OpinionBiasConfig(language="de", n_sut_retries=3, strict_mode=True),
    }


def test_a_plugged_in_metric_takes_the_settings_that_all_metrics_share(file: Path) -> None:
    text = f"metrics: [toxicity]\ncases:\n{CASE}    config: {{language: fr}}\n"

    (entry,) = read(file, text, "toxicity")

    assert entry.configs == {
        "toxicity": ContentBiasRAGConfig(language="fr", metric_name="toxicity")
    }


def test_a_metric_that_nobody_plugged_in_is_refused(file: Path) -> None:
    text = problem_of_case(file, "metrics: [content_bais]")

    assert text == "unknown metric 'content_bais'; did you mean 'content_bias'?"


def test_opinion_bias_needs_no_reference_answer_but_content_bias_does(file: Path) -> None:
    row = "cases:\n- input_id: a\n  prompt: q\n"

    assert read(file, "metrics: [opinion_bias]\n" + row)
    assert read(file, row + "  config: {reference_answer: r}\n")
    line, column, text = problem(file, row)
    assert (line, column) == (2, 3)
    assert "give 'expected_output', or 'reference_answer' in 'config'" in text


def test_a_blank_reference_answer_in_the_configuration_is_none(file: Path) -> None:
    _, _, text = problem(file, f"config: {{reference_answer: ' '}}\ncases:\n{CASE}")

    assert "this case has none" in text


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("thresold: 0.8", "unknown key 'thresold'; did you mean 'threshold'?"),
        ("zzz: 1", "unknown key 'zzz'; known keys: config, expected_output, input_id, max_drop"),
        ('threshold: "0.8"', "expected a number or a mapping, found the text '0.8': remove the q"),
        ("threshold: 1.2", "'threshold': expected a number of at most 1, found the number 1.2"),
        ("threshold: true", "'threshold': expected a number or a mapping, found true"),
        ("threshold: .nan", "found .nan, which some YAML readers take for a number"),
        ("threshold: {content_bias: -1}", "'content_bias': expected a number of at least 0"),
        ("threshold: {opinion_bias: 1}", "no case here has the metric 'opinion_bias'"),
        ("max_drop: [1]", "'max_drop': expected a number, found a list"),
        ("task_type: multi_turn_rag", "expected task_type 'single_turn_rag'"),
        ("task_type: rag", "expected 'single_turn_rag' or 'multi_turn_rag', found the text 'rag'"),
        ("metrics: []", "'metrics': expected at least one entry"),
        ("metrics: content_bias", "'metrics': expected a list, found the text 'content_bias'"),
        ("metrics: [content_bias, content_bias]", "the metric 'content_bias' is given twice"),
        (
            "tags: [drug-x]",
            "expected letters, digits and '_', the first a letter, such as 'drug_x'",
        ),
        ("tags: [a, b, a]", "the tag 'a' is given twice"),
        ("tags: [xfail]", "'xfail' cannot be a tag: the word has a meaning of its own in pytest"),
        ("tags: [2024]", "'tags' 1: expected text, found the number 2024: put it in quotation m"),
        ("config: {languge: de}", "unknown key 'languge'; did you mean 'language'?"),
        ("config: {language: es}", "'language': expected 'en', 'de' or 'fr', found the text 'es'"),
        ("config: {strict_mode: true}", "'strict_mode' is a setting of opinion_bias, which is not"),
        ("config: {n_sut_retries: '1'}", "expected a whole number, found the text '1': remove"),
        ("config: {n_sut_retries: true}", "expected a whole number, found true"),
        ("config: {min: 2}", "'config': expected min below max, found min 2.0 and max 1.0"),
        ("config: {weight: -1}", "'weight': expected a finite number of 0 or more, found"),
        ("config: {timeout_seconds: 0}", "'timeout_seconds': expected a number above 0"),
        ("config: {inverted: 'true'}", "'inverted': expected true or false, found the text"),
        (
            "metrics: [opinion_bias]\n    config: {categories: {Ageism: a}}",
            "'Ageism': expected the form ^[a-z][a-z0-9_]*$, found the text 'Ageism'",
        ),
        ("sut_response: ' '", "'sut_response': expected some text, found the text ' '"),
        ("retrieved_context: [a, 2]", "'retrieved_context' 2: expected text, found the number 2"),
        ("retrieved_context: [a, '']", "'retrieved_context' 2: expected some text"),
        ("retrieved_context: [a, no]", 'write "no" in quotation marks'),
        ("expected_output: again", "the key 'expected_output' is given twice, first on line 4"),
        ('"a\\nb": 1', "unknown key 'a\\nb'"),
    ],
)
def test_a_mistake_in_a_case_is_named_with_what_was_expected(
    file: Path, more: str, expected: str
) -> None:
    assert expected in problem_of_case(file, more)


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("", (None, None), "the file is empty"),
        ("cases: []", (1, 8), "'cases': expected at least one entry"),
        ("cases:\n", (1, 7), "a value is missing here"),
        ("metrics: [content_bias]", (1, 1), "the key 'cases' is missing"),
        ("casess: [1]", (1, 1), "unknown key 'casess'; did you mean 'cases'?"),
        ("- a", (1, 1), "expected a mapping, found a list"),
        ("cases: {a: b}", (1, 8), "'cases': expected a list, found a mapping"),
        ("cases:\n- prompt: q", (2, 3), "the key 'input_id' is missing"),
        ("cases:\n- input_id: 7\n  prompt: q", (2, 13), "expected text, found the number 7: put"),
        ("cases:\n- input_id: null\n  prompt: q", (2, 13), "expected text, found null"),
        ("cases:\n- input_id: a\n  prompt: ' '", (3, 11), "'prompt': expected some text"),
        ("cases:\n- input_id: a\n  prompt: []", (3, 11), "'prompt': expected at least one entry"),
        (
            "cases:\n- input_id: a\n  prompt: 1",
            (3, 11),
            "expected text or a list, found the number",
        ),
        (
            "cases:\n- input_id: a\n  prompt: [{role: human, content: x}]",
            (3, 19),
            "'role': expected 'system', 'user' or 'assistant', found the text 'human'",
        ),
        (
            "cases:\n- input_id: a\n  prompt: [{role: user, contents: x}]",
            (3, 25),
            "unknown key 'contents'; did you mean 'content'?",
        ),
        (
            "metrics: [opinion_bias]\ncases: [{input_id: a, prompt: [{role: system, content: x}]}]",
            (2, 39),
            "expected the last message from the user, found 'system'",
        ),
        (
            f"config: {{n_sut_retries: 9}}\ncases:\n{CASE}",
            (1, 25),
            "'n_sut_retries': expected a number of at most 5, found the number 9",
        ),
        (f"threshold: {{x: 1}}\ncases:\n{CASE}", (1, 13), "no case here has the metric 'x'"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_place(
    file: Path, text: str, place: tuple[int | None, int | None], expected: str
) -> None:
    line, column, found = problem(file, text)

    assert expected in found
    assert (line, column) == place


def test_names_that_differ_in_letter_case_only_are_refused_with_both_lines(file: Path) -> None:
    line, _, text = problem(file, "cases:\n" + CASE + CASE.replace("drug-x", "Drug-X"))

    assert line == 5
    assert text == "the input_id 'Drug-X' is already used on line 2, and letter case does not count"


def test_a_name_given_twice_is_refused_with_both_lines(file: Path) -> None:
    _, _, text = problem(file, "cases:\n" + CASE + CASE)

    assert text == "the input_id 'drug-x' is already used on line 2"


def test_half_a_character_is_refused_where_the_parser_lets_it_through(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_reader, "_LOADER", yaml.SafeLoader)

    _, _, text = problem(file, f'cases:\n{CASE}    sut_response: "\\ud800"\n')

    assert "half a character" in text


def test_the_first_mistake_is_told_and_the_lines_of_the_others(file: Path) -> None:
    rows = "".join(CASE.replace("drug-x", f"c{n}") + "    tags: [skip]\n" for n in range(12))

    line, _, text = problem(file, "cases:\n" + rows)

    assert line == 5
    first, rest = text.splitlines()
    assert first.startswith("'tags' 1: 'skip' cannot be a tag")
    assert rest == "and 11 more problems in this file: lines 9, 13, 17, 21, 25, 29, 33, 37, …"


def test_one_wrong_setting_of_the_file_is_one_problem_however_many_cases_it_has(
    file: Path,
) -> None:
    rows = CASE + CASE.replace("drug-x", "drug-y")

    _, _, text = problem(file, f"config: {{language: xx}}\ncases:\n{rows}")

    assert len(text.splitlines()) == 1
