"""Commands that print what the package publishes."""

import json
from collections.abc import Callable

from pydantic import JsonValue

from pytest_content_bias.files.schemas import case_file_schema, project_file_schema
from pytest_content_bias.reports.json_report import report_schema
from pytest_content_bias.vocabulary.manifest import manifest as published_manifest

SCHEMAS: dict[str, Callable[[], dict[str, JsonValue]]] = {
    "case-file": case_file_schema,
    "project-file": project_file_schema,
    "report": report_schema,
}
"""Name to JSON Schema."""


def schema(name: str) -> int:
    """Print a schema of SCHEMAS."""
    return _print(SCHEMAS[name]())


def manifest() -> int:
    """Print the manifest."""
    return _print(published_manifest())


def _print(value: JsonValue) -> int:
    print(json.dumps(value, indent=2))  # noqa: T201 - a command line tool
    return 0
