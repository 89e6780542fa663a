"""What the report of a test carries of a case: to the controller, to JUnit files, to plugins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from pytest_content_bias.reports.inert import terminal
from pytest_content_bias.session.gating import Gate
from pytest_content_bias.session.in_words import InWords
from pytest_content_bias.session.ledger import forget_calls, noted_calls
from pytest_content_bias.session.state import AT_HAND, REPORT_ATTRIBUTE, SETTINGS
from pytest_content_bias.vocabulary.run import CaseResult, Outcome

if TYPE_CHECKING:
    from pytest_content_bias.session.collection import CaseItem

RESULT: pytest.StashKey[CaseResult] = pytest.StashKey()
"""Where an item keeps its result."""


def properties(result: CaseResult) -> Iterator[tuple[str, object]]:
    """What JUnit files and other plugins are told: a few readable values."""
    yield "metric", result.metric
    yield "threshold", result.threshold
    if result.value is not None:
        yield "score", result.value
    for variant in result.score.variants if result.score else ():
        yield f"bias_{variant.kind}", variant.verdict.bias if variant.verdict else variant.status
    if result.score and result.score.opinions:
        yield "bias_score", result.score.opinions.bias_score
    if result.baseline is not None:
        yield "baseline_state", result.baseline.state
        if result.baseline.value is not None:
            yield "baseline", result.baseline.value
        if result.baseline.difference is not None:
            yield "baseline_difference", result.baseline.difference


def carry_result(item: CaseItem, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
    """Let the report that decides a case carry its result, as JSON, and no other report."""
    result = _decided(item, report, call)
    if result is not None:
        setattr(report, REPORT_ATTRIBUTE, result.model_dump_json())
        if not hasattr(item.config, "workerinput"):
            item.config.stash.setdefault(AT_HAND, {})[item.nodeid] = result
    if report.when == "teardown":
        forget_calls(item)
        if RESULT in item.stash:
            del item.stash[RESULT]


def _decided(
    item: CaseItem, report: pytest.TestReport, call: pytest.CallInfo[None]
) -> CaseResult | None:
    """The result that a report decides.

    A case that something else broke, such as a hook of the project, is an error, too: the gate
    must not pass beside it.
    """
    result = item.stash.get(RESULT, None)
    if call.excinfo is not None and report.failed:
        if result is None or result.outcome is Outcome.PASSED:
            result = _broken(item, call.excinfo)
    elif report.when != "call":
        return None
    return result


def _broken(item: CaseItem, excinfo: pytest.ExceptionInfo[BaseException]) -> CaseResult:
    ours = isinstance(excinfo.value, InWords)
    message = str(excinfo.value) if ours else terminal(excinfo.exconly())
    gate = Gate(item.config.stash[SETTINGS], None)
    return gate.unscored(item.entry, item.metric, message, noted_calls(item))
