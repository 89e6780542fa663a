"""JSON Schemas whose fields are described by the docstrings under them.

Read from the source when a schema is asked for: pydantic's own `use_attribute_docstrings` does so
whenever a class is made, which is a tenth of the time that a run takes to start.
"""

import ast
import inspect
from itertools import pairwise
from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema


class Described(GenerateJsonSchema):
    """Give it to `model_json_schema` as `schema_generator`."""

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        """The schema of a model."""
        return _described(super().model_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> dict[str, Any]:
        """The schema of a dataclass."""
        return _described(super().dataclass_schema(schema), schema["cls"])


def docstrings(kind: type) -> dict[str, str]:
    """The docstring under each field of a class, and of those that it inherits from.

    Args:
        kind: a class of this package.
    """
    inherited = [
        base for base in kind.__mro__ if base.__module__.startswith("pytest_content_bias.")
    ]
    found: dict[str, str] = {}
    for base in reversed(inherited):
        found |= _own(base)
    return found


def _described(schema: dict[str, Any], kind: type) -> dict[str, Any]:
    for name, text in docstrings(kind).items():
        if name in schema.get("properties", {}):
            schema["properties"][name].setdefault("description", text)
    return schema


def _own(kind: type) -> dict[str, str]:
    (definition,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for field, text in pairwise(definition.body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(docstring))),
            ):
                found[name] = inspect.cleandoc(docstring)
    return found
