"""Writing a report in the format that the path's ending names."""

from collections.abc import Callable
from pathlib import Path

from pytest_content_bias.reports.html import to_html
from pytest_content_bias.reports.json_report import to_json
from pytest_content_bias.reports.markdown import to_markdown
from pytest_content_bias.reports.text_files import write_text
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.run import RunReport

FORMATS: dict[str, Callable[[RunReport], str]] = {
    ".json": to_json,
    ".md": to_markdown,
    ".html": to_html,
}
"""Ending to what makes the text."""


def write_report(report: RunReport, path: Path) -> None:
    """Write a report, as a whole or not at all.

    Args:
        report: the run.
        path: where to; its ending chooses the format.

    Raises:
        SettingsError: no format has this ending, or the file cannot be written.
    """
    make = FORMATS.get(path.suffix.lower())
    if make is None:
        raise SettingsError(
            f"{path} names no report format: expected a path that ends in {', '.join(FORMATS)},"
            f" found {path.suffix or 'no ending'}"
        )
    write_text(path, make(report))
