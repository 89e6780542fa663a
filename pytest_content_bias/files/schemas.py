"""JSON Schemas of the case file and the project file, for editors.

They are made of the models that the readers use, so that they cannot drift from them.
"""

from typing import Any

from pydantic import BaseModel

from pytest_content_bias.files.case_format import CaseFileFormat
from pytest_content_bias.vocabulary.config import (
    ContentBiasRAGConfig,
    OpinionBiasConfig,
)
from pytest_content_bias.vocabulary.described import Described, docstrings
from pytest_content_bias.vocabulary.project import ProjectConfig

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_VARIABLE = {"type": "string", "pattern": r"\$\{"}
"""A text with a variable of the environment, where the schema asks for something narrower."""
_ABOUT = ("title", "description", "default")


def case_file_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a case file, `*.bias.yaml`."""
    schema = _schema_of(CaseFileFormat, "pytest-content-bias case file")
    schema["$defs"]["Config"] = _config_schema()
    for level in (schema, schema["$defs"]["CaseFormat"]):
        description = level["properties"]["config"]["description"]
        level["properties"]["config"] = {"$ref": "#/$defs/Config", "description": description}
    return schema


def project_file_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a project file, `content_bias.yaml`."""
    schema: dict[str, Any] = _or_variables(_schema_of(ProjectConfig, "pytest-content-bias project"))
    return schema


def _schema_of(model: type[BaseModel], title: str) -> dict[str, Any]:
    return {
        "$schema": _DIALECT,
        **model.model_json_schema(schema_generator=Described),
        "title": title,
    }


def _config_schema() -> dict[str, Any]:
    """The fields of all metrics; which of them a case may use depends on its metrics."""
    fields = OpinionBiasConfig.model_json_schema()["properties"]
    described = docstrings(OpinionBiasConfig)
    described["metric_name"] = docstrings(ContentBiasRAGConfig)["metric_name"]
    del fields["metric_name"]["default"]
    properties = {name: {**field, "description": described[name]} for name, field in fields.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _or_variables(schema: Any) -> Any:
    """The schema with `${NAME}` accepted beside numbers, choices and patterns."""
    match schema:
        case list():
            return [_or_variables(item) for item in schema]
        case {"type": "number" | "integer"} | {"enum": _} | {"pattern": _}:
            about = {key: schema[key] for key in _ABOUT if key in schema}
            narrow = {key: value for key, value in schema.items() if key not in about}
            return {**about, "anyOf": [narrow, _VARIABLE]}
        case dict():
            return {key: _or_variables(value) for key, value in schema.items()}
    return schema
