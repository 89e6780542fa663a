"""Thresholds and configurations of cases: the file's, and the case's in their place."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from pydantic import JsonValue, ValidationError
from pydantic_core import to_json

from pytest_content_bias.files.case_format import CaseFileFormat, CaseFormat
from pytest_content_bias.files.document import Document, Location
from pytest_content_bias.files.findings import Finding, suggestion
from pytest_content_bias.files.validation import findings
from pytest_content_bias.files.wording import quoted
from pytest_content_bias.vocabulary.config import (
    ContentBiasRAGConfig,
    MetricConfig,
    OpinionBiasConfig,
)
from pytest_content_bias.vocabulary.names import MetricName

Source = Literal["case", "case file"]
Bar = tuple[float, Source]
"""A number that gates, and where it comes from."""
Metrics = tuple[str, ...]

_CONFIGS: dict[str, type[MetricConfig]] = {
    MetricName.CONTENT_BIAS: ContentBiasRAGConfig,
    MetricName.OPINION_BIAS: OpinionBiasConfig,
}


def config_class(metric: str) -> type[MetricConfig]:
    """The configuration of a metric; a plugged-in one has the fields that all metrics share."""
    return _CONFIGS.get(metric, ContentBiasRAGConfig)


def thresholds(file: CaseFileFormat, row: CaseFormat, metrics: Metrics) -> dict[str, Bar]:
    """The thresholds of a case's metrics, where the file or the case gives one."""
    bars: dict[str, Bar] = {}
    levels: tuple[tuple[CaseFileFormat | CaseFormat, Source], ...] = (
        (file, "case file"),
        (row, "case"),
    )
    for level, source in levels:
        given = level.threshold
        per_metric = given if isinstance(given, dict) else dict.fromkeys(metrics, given)
        for metric in metrics:
            if (value := per_metric.get(metric)) is not None:
                bars[metric] = value, source
    return bars


def max_drop(file: CaseFileFormat, row: CaseFormat) -> Bar | None:
    """The greatest drop of a case, where the file or the case gives one."""
    if row.max_drop is not None:
        return row.max_drop, "case"
    return None if file.max_drop is None else (file.max_drop, "case file")


def unused_names(
    level: CaseFileFormat | CaseFormat, metrics: Metrics, base: Location
) -> list[Finding]:
    """Keys of `threshold` and `config` that mean nothing to any of the metrics.

    Args:
        level: the file or a case.
        metrics: the metrics that the level's cases use.
        base: where the level stands.
    """
    found: list[Finding] = []
    if isinstance(level.threshold, dict):
        for metric in level.threshold.keys() - set(metrics):
            hint = suggestion(metric, metrics, "metrics")
            text = f"no case here has the metric {quoted(metric)}; {hint}"
            found.append(Finding((*base, "threshold", metric), text, at_key=True))
    if level.config:
        fields = {name for metric in metrics for name in config_class(metric).model_fields}
        for key in level.config.keys() - fields:
            found.append(Finding((*base, "config", key), _unknown_field(key, fields), at_key=True))
    return found


def _unknown_field(key: str, fields: set[str]) -> str:
    owners = [metric for metric, config in _CONFIGS.items() if key in config.model_fields]
    if owners:
        return f"{quoted(key)} is a setting of {owners[0]}, which is not among the metrics here"
    return f"unknown key {quoted(key)}; {suggestion(key, fields, 'keys')}"


class Configs:
    """Makes the configurations of the cases of one file, each distinct one once.

    Attributes:
        findings: what was wrong in them so far.
    """

    def __init__(self, document: Document, file: CaseFileFormat) -> None:
        self.findings: list[Finding] = []
        self._document = document
        self._file = file
        self._shared: dict[Metrics, dict[str, MetricConfig]] = {}

    def of(self, row: CaseFormat, metrics: Metrics, base: Location) -> dict[str, MetricConfig]:
        """The configuration of each metric of a case; those that cannot be used are left out.

        Args:
            row: the case.
            metrics: its metrics.
            base: where it stands in the document.
        """
        if row.config:
            return self._make(row, metrics, base)
        if metrics not in self._shared:
            self._shared[metrics] = self._make(row, metrics, base)
        return self._shared[metrics]

    def _make(self, row: CaseFormat, metrics: Metrics, base: Location) -> dict[str, MetricConfig]:
        merged = self._file.config | row.config
        made = {}
        for metric in metrics:
            try:
                made[metric] = _config(metric, merged)
            except ValidationError as error:
                self.findings += self._explain(error, row, metric, base)
        return made

    def _explain(
        self, error: ValidationError, row: CaseFormat, metric: str, base: Location
    ) -> list[Finding]:
        def locate(location: Location) -> Location:
            in_row = location[0] in row.config if location else bool(row.config)
            return (*(base if in_row else ()), "config", *location)

        return findings(error, self._document, config_class(metric), locate)


def _config(metric: str, merged: Mapping[str, JsonValue]) -> MetricConfig:
    model = config_class(metric)
    own = {key: value for key, value in merged.items() if key in model.model_fields}
    if metric not in _CONFIGS:
        own.setdefault("metric_name", metric)
    return _shared(model, to_json(own))


@cache
def _shared(model: type[MetricConfig], text: bytes) -> MetricConfig:
    """The cases of many files have few configurations between them."""
    return model.model_validate_json(text, strict=True)
