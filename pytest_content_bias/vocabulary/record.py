"""The base of every record."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen, closed value: unknown keys are errors, fields cannot be reassigned."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
