"""`python -m pytest_content_bias`: commands that are not tests."""

import json
import sys
from typing import Any

import jsonschema  # type: ignore[import-untyped, unused-ignore]
import pytest

from pytest_content_bias.cli.main import main
from tests.integration.conftest import Run

PROPERTIES = {
    "inverted", "language", "max", "metric_name", "min", "n_sut_retries", "reference_answer",
    "sub_call_concurrency_limit", "sut_temperature", "synthesis_temperature", "timeout_seconds",
    "use_retrieved_context", "weight",
}  # fmt: skip
FIXED = {
    "accepts": [{"name": "gdi_text_v1", "task_types": ["multi_turn_rag", "single_turn_rag"]}],
    "dependencies": [],
    "direction": "higher_is_better",
    "display_name": "Content Bias",
    "execution": {
        "emits_metric_family": False,
        "function_name": None,
        "max_concurrency": 8,
        "processing_kind": "network",
        "stream_batch_size": None,
        "timeout_seconds": 900,
    },
    "kind": "metric",
    "manifest_version": "1",
    "max_prompt_slots": 0,
    "metric_type": "pointwise",
    "name": "rag.content_bias",
    "partition_types": [],
    "required_columns": [
        "input_id", "prompt", "expected_output", "sut_response", "retrieved_context"
    ],
    "required_kinds": [],
    "scorer_contract": "per_row",
    "target_kind": None,
    "unsupported_trace_shapes": [],
    "version": "1.0.0",
}  # fmt: skip
"""Fields of the published manifest whose values must be the same here."""
OWN = {"config_schema", "description", "entrypoint", "metric_metadata"}
"""Its fields whose values are our own."""


def test_the_module_can_be_run_and_lists_its_commands(pytester: pytest.Pytester) -> None:
    result = pytester.run(sys.executable, "-m", "pytest_content_bias", "--help")
    assert result.ret == 0
    for command in ("schema", "manifest", "verify", "prune", "rename", "report", "merge", "gate"):
        result.stdout.fnmatch_lines([f"    {command} *"])


@pytest.mark.parametrize("arguments", [[], ["shema"], ["schema", "case"], ["gate"]])
def test_a_command_that_cannot_be_read_says_what_is_expected(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 2
    assert "usage: python -m pytest_content_bias" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["case-file", "project-file", "report"])
def test_each_schema_is_a_json_schema(run: Run, name: str) -> None:
    status, printed = run("schema", name)
    assert status == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(printed))


def test_the_manifest_has_every_field_of_the_published_one(run: Run) -> None:
    status, printed = run("manifest")
    found: dict[str, Any] = json.loads(printed)
    assert status == 0
    assert found.keys() == FIXED.keys() | OWN
    assert {name: found[name] for name in FIXED} == FIXED
    assert found["entrypoint"] == "pytest_content_bias.score_case"
    assert found["config_schema"]["title"] == "ContentBiasRAGConfig"
    assert found["config_schema"]["properties"].keys() == PROPERTIES
    assert found["metric_metadata"].keys() == {
        "methodology", "score_semantics", "summary", "worked_example"
    }  # fmt: skip
    assert all(isinstance(step, str) for step in found["metric_metadata"]["methodology"])
