from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from pydantic import JsonValue

from pytest_content_bias.files.case_file import read_case_file
from pytest_content_bias.files.case_format import CaseFileFormat, CaseFormat, MessageFormat
from pytest_content_bias.files.project_file import read_project_file
from pytest_content_bias.files.schemas import case_file_schema, project_file_schema
from pytest_content_bias.files.yaml_reader import parse_yaml
from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig, OpinionBiasConfig
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.project import ModelConfig, ProjectConfig

CASE_FILE = """\
metrics: [content_bias, opinion_bias]
threshold: {content_bias: 0.8}
max_drop: 0.1
config: {language: de}
cases:
- input_id: one
  prompt: What is it?
  expected_output: It is that.
  retrieved_context: one passage
  sut_response: That.
  tags: [a_b]
  task_type: single_turn_rag
  metrics: [content_bias, opinion_bias]
  threshold: 1
  max_drop: 0
  config: {strict_mode: true, n_sut_retries: 5, metric_name: x, max_severity: 1}
- input_id: two
  prompt: [{role: user, content: Hello}]
  expected_output: Hi.
  retrieved_context: [a, b]
"""
PROJECT = """\
generator: &m
  provider: anthropic
  model: ${MODEL:-m}
  base_url: ${URL:-https://h/v1}
  api_key: ${KEY:-none}
  headers: {a: b}
  query: {a: b}
  max_tokens: ${MAX:-9}
  parameters: {seed: 1, stop: [a]}
  price: {input: '${IN:-1}', output: 2}
judge:
  <<: *m
  scoring: expected_level
system:
  type: http
  url: https://h/ask
  method: PUT
  headers: {a: b}
  body: {q: '{{ question }}'}
  answer: a.b
  contexts: c[].d
  fingerprint: {url: https://h/version}
  fingerprint_mismatch: warn
secret_patterns: [sk-.+]
"""
CHAT = """\
judge: {model: m}
system: {type: chat, model: {model: m}, system_prompt: Hi, template: '{{ question }}'}
"""
PYTHON = "judge: {model: m}\nsystem: {type: python, target: 'a.b:c', fingerprint: [a]}\n"


def value_of(text: str) -> JsonValue:
    return parse_yaml(text, Path("a.yaml")).value


def is_valid(value: JsonValue, schema: Mapping[str, Any]) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


@pytest.mark.parametrize("schema", [case_file_schema(), project_file_schema()])
def test_the_schemas_are_of_the_draft_they_name_and_explain_themselves(
    schema: dict[str, Any],
) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)

    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["description"]


def test_what_the_readers_accept_fits_the_schemas(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(CASE_FILE, encoding="utf-8")
    assert len(read_case_file(file, tmp_path)) == 2
    assert is_valid(value_of(CASE_FILE), case_file_schema())

    for project in (PROJECT, CHAT, PYTHON):
        file.write_text(project, encoding="utf-8")
        assert read_project_file(file, {}, recording=True).config.system
        assert is_valid(value_of(project), project_file_schema())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("max_drop: 0.1", "max_dorp: 0.1"),
        ("max_drop: 0.1", "max_drop: '0.1'"),
        ("input_id: one", "input_id: o ne"),
        ("input_id: one", f"input_id: {'x' * 121}"),
        ("prompt: What is it?", "prompt: ' '"),
        ("prompt: What is it?", "promt: What is it?"),
        ("role: user", "role: human"),
        ("tags: [a_b]", "tags: [a-b]"),
        ("threshold: 1", "threshold: 2"),
        ("strict_mode: true", "strict_mode: 'true'"),
        ("strict_mode: true", "strict_mod: true"),
        ("n_sut_retries: 5", "n_sut_retries: 6"),
        ("language: de", "language: es"),
        ("metrics: [content_bias, opinion_bias]", "metrics: []"),
    ],
)
def test_what_does_not_fit_the_schema_is_refused_by_the_reader(
    tmp_path: Path, old: str, new: str
) -> None:
    assert old in CASE_FILE
    text = CASE_FILE.replace(old, new)
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")

    assert not is_valid(value_of(text), case_file_schema())
    with pytest.raises(UserFileError):
        read_case_file(tmp_path / "a.yaml", tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("type: http", "type: grpc"),
        ("method: PUT", "method: DELETE"),
        ("scoring:", "scorin:"),
        ("answer: a.b", "answr: a.b"),
        ("max_tokens: ${MAX:-9}", "max_tokens: '9'"),
        ("output: 2", "output: '2'"),
        ("provider: anthropic", "provider: azure"),
        ("fingerprint: {url: https://h/version}", "fingerprint: {ulr: a}"),
    ],
)
def test_what_does_not_fit_the_project_schema_is_refused_by_the_reader(
    tmp_path: Path, old: str, new: str
) -> None:
    assert old in PROJECT
    text = PROJECT.replace(old, new)
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")

    assert not is_valid(value_of(text), project_file_schema())
    with pytest.raises(UserFileError):
        read_project_file(tmp_path / "a.yaml", {}, recording=True)


def test_every_key_that_the_readers_accept_is_in_the_schema_with_a_description() -> None:
    case_file, project = case_file_schema(), project_file_schema()
    config = {*ContentBiasRAGConfig.model_fields, *OpinionBiasConfig.model_fields}

    for schema, accepted in (
        (case_file, set(CaseFileFormat.model_fields)),
        (case_file["$defs"]["CaseFormat"], set(CaseFormat.model_fields)),
        (case_file["$defs"]["MessageFormat"], set(MessageFormat.model_fields)),
        (case_file["$defs"]["Config"], config),
        (project, set(ProjectConfig.model_fields)),
        (project["$defs"]["ModelConfig"], set(ModelConfig.model_fields)),
    ):
        assert set(schema["properties"]) == accepted
        assert all(field.get("description") for field in schema["properties"].values())
        assert schema["additionalProperties"] is False


def test_the_shipped_examples_are_usable_and_fit_the_schema() -> None:
    root = Path(__file__).parents[3]
    files = sorted(root.glob("examples/cases/*.bias.yaml"))

    entries = [entry for path in files for entry in read_case_file(path, root)]

    languages = {config.language for entry in entries for config in entry.configs.values()}
    assert languages == {"en", "de", "fr"}
    texts = [path.read_text(encoding="utf-8") for path in files]
    assert all(is_valid(value_of(text), case_file_schema()) for text in texts)
