"""Failures that pytest shows in our words: no traceback, and the case's line as their place."""

from __future__ import annotations

from traceback import walk_tb
from typing import TYPE_CHECKING

import pytest

from pytest_content_bias.rules.code_origin import is_users

if TYPE_CHECKING:
    from _pytest.outcomes import Failed

    from pytest_content_bias.session.collection import CaseItem
else:
    Failed = pytest.fail.Exception


class InWords(Failed):
    """A failure whose message says everything."""

    def __init__(self, message: str | None) -> None:
        super().__init__(message, pytrace=False)


class CaseFailed(InWords):
    """A case did not pass."""

    __module__ = "builtins"  # pytest's summary shows the bare name then


class CaseError(InWords):
    """A case could not be scored."""

    __module__ = "builtins"


def without_innards(failed: Failed) -> Failed:
    """A failure in words where its traceback shows no line of the user's.

    Args:
        failed: what was raised while a case was scored.
    """
    files = (frame.f_code.co_filename for frame, _ in walk_tb(failed.__traceback__))
    return failed if any(map(is_users, files)) else CaseError(failed.msg)


def point_at_case(item: CaseItem, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
    """Have a report name the case's line as the place of the failure, not a line of this package.

    Args:
        item: the case.
        report: its report.
        call: what was reported.
    """
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None and call.excinfo is not None and isinstance(call.excinfo.value, InWords):
        crash.path, crash.lineno = str(item.path), item.entry.case.line
