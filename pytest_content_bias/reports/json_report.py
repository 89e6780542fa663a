"""The JSON report: the whole run, from which every other report can be made later.

What is done with stored reports stands here too: `merge` and `regate`.
"""

from pathlib import Path
from typing import Any

from pytest_content_bias.reports.json_records import read_record
from pytest_content_bias.reports.merge import merge
from pytest_content_bias.reports.regate import regate
from pytest_content_bias.reports.text_files import write_text
from pytest_content_bias.vocabulary.described import Described
from pytest_content_bias.vocabulary.run import RunReport

__all__ = ["merge", "read_report", "regate", "report_schema", "to_json", "write_json"]


def to_json(report: RunReport) -> str:
    """The report as JSON text."""
    return report.model_dump_json(indent=1) + "\n"


def write_json(path: Path, report: RunReport) -> None:
    """Write a report, as a whole or not at all.

    Raises:
        SettingsError: it cannot be written.
    """
    write_text(path, to_json(report))


def read_report(path: Path) -> RunReport:
    """Read a report.

    Raises:
        UserFileError: it is missing, damaged, or of another version.
    """
    return read_record(path, RunReport, "a report", "write it with --content-bias-report=PATH.json")


def report_schema() -> dict[str, Any]:
    """The JSON schema of the report."""
    schema = RunReport.model_json_schema(mode="serialization", schema_generator=Described)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema
