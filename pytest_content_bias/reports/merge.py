"""One report of several: for suites that CI runs in shards."""

from collections.abc import Iterable, Sequence
from itertools import chain

from pytest_content_bias.rules.conclusion import concluded
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.run import CaseResult, RunReport, SuiteBars


def merge(reports: Sequence[RunReport]) -> RunReport:
    """Merge the reports of a suite's parts; the gate is decided anew over all of them.

    Args:
        reports: at least one. A case that did not run in one of them (it was deselected there)
            counts as run when it ran in another.

    Raises:
        SettingsError: there is no report, a case stands in two with different results, or they
            were gated differently.
    """
    if not reports:
        raise SettingsError("no report to merge; name at least one JSON report")
    results = _united(reports)
    first = reports[0]
    return concluded(
        first.model_copy(
            update={
                "created": max(report.created for report in reports),
                "tool_version": ", ".join(_distinct(report.tool_version for report in reports)),
                "record": ", ".join(_distinct(report.record for report in reports)),
                "results": results,
                "bars": _bars(reports, {result.node_id for result in results}),
                "lowered_bars": _distinct(chain(*(report.lowered_bars for report in reports))),
                "warnings": _distinct(chain(*(report.warnings for report in reports))),
                "duration": sum(report.duration for report in reports),
            }
        )
    )


def _united(reports: Sequence[RunReport]) -> tuple[CaseResult, ...]:
    united: dict[str, CaseResult] = {}
    for result in chain(*(report.results for report in reports)):
        known = united.setdefault(result.node_id, result)
        if known.model_copy(update={"duration": result.duration}) != result:
            raise SettingsError(
                f"{result.node_id} stands in two reports with different results; merge reports of"
                " one run, in which each case ran once"
            )
    return tuple(united.values())


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _bars(reports: Sequence[RunReport], ran: set[str]) -> SuiteBars:
    first = reports[0].bars
    own = {"incomplete": "", "not_run": (), "crashed": (), "asked": True}
    if len({report.bars.model_copy(update=own) for report in reports}) > 1:
        raise SettingsError(
            "the reports were gated by different suite bars (min mean, max mean drop, strict"
            " baseline); run every shard with the same options"
        )
    missing = sorted(set(chain(*(report.bars.not_run for report in reports))) - ran)
    unexplained = [r.bars.incomplete for r in reports if r.bars.incomplete and not r.bars.not_run]
    reasons = [f"{len(missing)} collected cases ran in no report"] if missing else unexplained
    changes = {
        "asked": any(report.bars.asked for report in reports),
        "incomplete": "; ".join(_distinct(reasons)),
        "not_run": tuple(missing),
        "crashed": tuple(sorted(set(chain(*(report.bars.crashed for report in reports))) - ran)),
    }
    return first.model_copy(update=changes)
