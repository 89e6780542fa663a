"""Commands that work on JSON reports; they need no call."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from pytest_content_bias.reports.json_report import merge, read_report, regate
from pytest_content_bias.reports.write import write_report
from pytest_content_bias.session.settings import read_thresholds
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.run import Outcome, RunReport


def convert(report: Path, ending: str, output: Path | None) -> int:
    """Write a JSON report in another format, beside it unless told otherwise."""
    target = output or report.with_suffix(f".{ending}")
    write_report(read_report(report), target)
    print(f"report written: {target}")  # noqa: T201 - a command line tool
    return 0


def merged(reports: Sequence[Path], output: Path) -> int:
    """Merge the reports of sharded jobs, and gate the whole."""
    read = [read_report(path) for path in reports]
    _refuse_repeated(reports, read)
    whole = merge(read)
    write_report(whole, output)
    print(f"report written: {output}")  # noqa: T201 - a command line tool
    status = _verdict(whole)
    if whole.bars.incomplete:
        print(f"incomplete: {whole.bars.incomplete}")  # noqa: T201 - a command line tool
        return 1
    return status


def _refuse_repeated(paths: Sequence[Path], reports: Sequence[RunReport]) -> None:
    """A report that is given twice stands where another shard's was meant to."""
    for (path, report), (other_path, other) in combinations(zip(paths, reports, strict=True), 2):
        if report == other:
            raise SettingsError(
                f"{path} and {other_path} are the same report; give that of each shard once"
            )


def gated(report: Path, thresholds: Sequence[str]) -> int:
    """Gate a stored run at other thresholds."""
    return _verdict(regate(read_report(report), read_thresholds(thresholds, "--threshold")))


def _verdict(report: RunReport) -> int:
    for result in report.results:
        if result.outcome is not Outcome.PASSED:
            print(f"{result.outcome.upper()} {result.node_id}")  # noqa: T201
            print(result.message or "")  # noqa: T201
    print(report.verdict)  # noqa: T201
    return 0 if report.passed else 1
