"""Commands that print what the package publishes."""

import json

import pytest

from pytest_content_bias.cli.printing import SCHEMAS, manifest, schema
from pytest_content_bias.vocabulary.manifest import manifest as published


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_printed_as_json(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert schema(name) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMAS[name]()


def test_the_manifest_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert manifest() == 0
    assert json.loads(capsys.readouterr().out) == published()
