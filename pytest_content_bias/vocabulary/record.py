"""The base of every record."""

from pydantic import BaseModel, ConfigDict

CLOSED = ConfigDict(extra="forbid")
"""For records that a run holds many of: as frozen dataclasses with slots they take a tenth of the
memory of a model."""


class Record(BaseModel):
    """A frozen, closed value: unknown keys are errors, fields cannot be reassigned."""

    model_config = ConfigDict(frozen=True, **CLOSED)
