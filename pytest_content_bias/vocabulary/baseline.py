"""The accepted scores that later runs are held against."""

from collections.abc import Collection
from typing import Literal, Self

from pydantic import Field

from pytest_content_bias.vocabulary.case import Score
from pytest_content_bias.vocabulary.record import Record


class BaselineEntry(Record):
    """The accepted score of one case with one metric, and what it rests on."""

    score: Score
    """The accepted score."""
    biases: dict[str, Score] = Field(default_factory=dict)
    """Kind of bias to bias of the answer, for the valid variants."""
    threshold: Score
    """The threshold in force when it was accepted."""
    max_drop: Score
    """The greatest drop in force when it was accepted."""
    judge: str = ""
    """The judge's model."""
    generator: str = ""
    """The generator's model; empty when none was used."""
    scoring: Literal["level", "expected_level"] = "level"
    """How the judge's level was read."""
    language: str = "en"
    """The language of the prompts."""
    case: str
    """Hash of the case's content."""
    config: str = ""
    """Hash of the configuration fields that shape the score."""
    prompts: dict[str, str] = Field(default_factory=dict)
    """Prompt to hash of its content."""
    recorded: str | None = None
    """The date of the oldest recording used, YYYY-MM-DD."""


class Baseline(Record):
    """A whole `content_bias_baseline.json`."""

    format: Literal["pytest-content-bias-baseline/1"] = "pytest-content-bias-baseline/1"
    min_mean: Score | None = None
    """The least mean in force when it was accepted; None: off."""
    max_mean_drop: Score | None = None
    """The greatest mean drop in force when it was accepted; None: off."""
    entries: dict[str, BaselineEntry] = Field(default_factory=dict)
    """Node id to entry."""

    def without(self, node_ids: Collection[str]) -> Self:
        """The baseline without some of its entries."""
        kept = {name: entry for name, entry in self.entries.items() if name not in node_ids}
        return self.model_copy(update={"entries": kept})

    def keeping(self, other: "Baseline", node_ids: Collection[str]) -> Self:
        """The baseline with some entries of another one beside its own."""
        kept = {name: entry for name, entry in other.entries.items() if name in node_ids}
        return self.model_copy(update={"entries": kept | self.entries})

    def renamed(self, old_case_id: str, new_case_id: str) -> Self:
        """The baseline with the entries of a case under its new id."""
        entries = {
            new_case_id + name.removeprefix(old_case_id)
            if name.startswith(f"{old_case_id}::")
            else name: entry
            for name, entry in self.entries.items()
        }
        return self.model_copy(update={"entries": entries})
