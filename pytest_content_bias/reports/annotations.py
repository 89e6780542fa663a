"""Annotations on the cases' lines, for GitHub Actions and Azure Pipelines."""

from collections.abc import Mapping

from pytest_content_bias.reports import inert
from pytest_content_bias.reports.order import worst_first
from pytest_content_bias.vocabulary.run import CaseResult, Outcome, RunReport

_MOST = 10
"""GitHub shows ten annotations of each kind per step and drops the others unsaid."""
_LONGEST_MESSAGE = 2_000


def annotations(report: RunReport, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Lines to print so that each failing case is marked where it stands in its file.

    Args:
        report: the run.
        environment: the process's environment; nothing is returned outside GitHub Actions
            (`GITHUB_ACTIONS=true`) and Azure Pipelines (`TF_BUILD=True`).

    Returns:
        At most ten lines; when more cases fail, the last one counts the others.
    """
    if environment.get("GITHUB_ACTIONS") == "true":
        write = _github
    elif environment.get("TF_BUILD", "").lower() == "true":
        write = _azure
    else:
        return ()
    bad = [result for result in worst_first(report.results) if result.outcome is not Outcome.PASSED]
    named = bad if len(bad) <= _MOST else bad[: _MOST - 1]
    lines = [write(_place(result), _title(result), _message(result)) for result in named]
    if rest := len(bad) - len(named):
        lines.append(write({}, "content-bias gate", f"{rest} more cases; {report.verdict}"))
    return tuple(lines)


def _place(result: CaseResult) -> dict[str, str]:
    return {"file": result.case.path, "line": str(result.case.line)}


def _title(result: CaseResult) -> str:
    return f"{result.outcome} {result.case.input_id} {result.metric}"


def _message(result: CaseResult) -> str:
    return inert.shortened(result.message or "", _LONGEST_MESSAGE)


def _github(place: Mapping[str, str], title: str, message: str) -> str:
    named = {**place, "title": title}
    properties = ",".join(f"{name}={inert.github_property(text)}" for name, text in named.items())
    return f"::error {properties}::{inert.github_message(message)}"


def _azure(place: Mapping[str, str], title: str, message: str) -> str:
    names = {"file": "sourcepath", "line": "linenumber"}
    properties = "".join(
        f"{names[name]}={inert.azure_property(value)};" for name, value in place.items()
    )
    text = inert.azure_message(f"{title}: {message}")
    return f"##vso[task.logissue type=error;{properties}]{text}"
