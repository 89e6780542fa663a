"""What the command line and the ini file say, merged once and checked.

Precedence: command line > case > case file > ini > default. It is computed here, in `threshold`
and `max_drop`, and nowhere else.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from pytest_content_bias.cassettes.modes import REPLAY, RecordMode
from pytest_content_bias.session.options import PREFIX
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.names import DEFAULT_THRESHOLDS

REPORT_ENDINGS = (".json", ".md", ".html")
DEFAULT_THRESHOLD = 0.8
DEFAULT_MAX_DROP = 0.05


class Source(Protocol):
    """Where settings are read: `pytest.Config`, or anything alike."""

    @property
    def rootpath(self) -> Path:
        """The root directory."""

    def getoption(self, name: str, default: Any = ...) -> Any:
        """The value of a command line option, or the default if no plugin declares it."""

    def getini(self, name: str) -> Any:
        """The value of an ini value."""


class Given(NamedTuple):
    """A number, and where it was given.

    Attributes:
        value: the number.
        source: words for messages, such as `case file`.
    """

    value: float
    source: str


class Settings(NamedTuple):
    """All settings of a run; every pytest run imports this, and dataclasses are slow to make."""

    root: Path
    record: RecordMode
    not_recorded: str
    cassette_dir: Path
    prompt_dir: Path | None
    project_file: str
    thresholds: Mapping[str, float]
    ini_thresholds: Mapping[str, float]
    min_mean: float | None
    min_valid_variants: int
    max_concurrency: int
    reports: tuple[Path, ...]
    baseline: Path
    baseline_named: bool
    update_baseline: bool
    baseline_strict: bool
    max_drop_option: float | None
    max_drop_ini: float | None
    max_mean_drop: float | None
    unused: str
    dry_run: bool
    max_calls: int | None
    max_cost: float | None
    slowest: int
    allowed_hosts: tuple[str, ...]
    asked: bool

    def threshold(self, metric: str, case: tuple[float, str] | None) -> Given:
        """The least score of a case.

        Args:
            metric: the metric's name.
            case: what the case or its file gives, and which of them.
        """
        option, ini = _of_metric(self.thresholds, metric), _of_metric(self.ini_thresholds, metric)
        if option is not None:
            return Given(option, f"{PREFIX}threshold")
        if case is not None:
            return Given(*case)
        if ini is not None:
            return Given(ini, "ini")
        return Given(_default_threshold(metric), "default")

    def max_drop(self, case: tuple[float, str] | None) -> Given:
        """The greatest drop of a case below its accepted score.

        Args:
            case: what the case or its file gives, and which of them.
        """
        if self.max_drop_option is not None:
            return Given(self.max_drop_option, f"{PREFIX}max-drop")
        if case is not None:
            return Given(*case)
        if self.max_drop_ini is not None:
            return Given(self.max_drop_ini, "ini")
        return Given(DEFAULT_MAX_DROP, "default")


def read_settings(source: Source) -> Settings:
    """Read and check every option and ini value.

    Raises:
        SettingsError: one cannot be used; names it, what it is and what was expected.
    """
    option, ini = _option_reader(source), _ini_reader(source)
    record = RecordMode.parse("none" if option("record") is None else option("record"))
    forbidden = "" if option("dry-run") else _forbidden(record, source)
    baseline = option("baseline") or ini("content_bias_baseline")
    return Settings(
        root=source.rootpath,
        record=REPLAY if forbidden else record,
        not_recorded=forbidden,
        cassette_dir=source.rootpath / ini("content_bias_cassette_dir"),
        prompt_dir=_folder(source.rootpath, ini("content_bias_prompt_dir")),
        project_file=ini("content_bias_config"),
        thresholds=read_thresholds(option("threshold"), f"{PREFIX}threshold"),
        ini_thresholds=_ini_thresholds(ini),
        min_mean=_share(option("min-mean"), f"{PREFIX}min-mean")
        if option("min-mean") is not None
        else _share(ini("content_bias_min_mean"), "content_bias_min_mean"),
        min_valid_variants=_whole(
            ini("content_bias_min_valid_variants"), "content_bias_min_valid_variants", 1, 3
        ),
        max_concurrency=_whole(
            ini("content_bias_max_concurrency"), "content_bias_max_concurrency", 1, 1000
        ),
        reports=tuple(_report(source.rootpath, path) for path in option("report")),
        baseline=source.rootpath / baseline,
        baseline_named=option("baseline") is not None,
        update_baseline=option("update-baseline"),
        baseline_strict=option("baseline-strict"),
        max_drop_option=_share(option("max-drop"), f"{PREFIX}max-drop"),
        max_drop_ini=_share(ini("content_bias_max_drop"), "content_bias_max_drop"),
        max_mean_drop=_share(ini("content_bias_max_mean_drop"), "content_bias_max_mean_drop"),
        unused=option("unused") or _one_of(ini("content_bias_unused"), "content_bias_unused"),
        dry_run=option("dry-run"),
        max_calls=_optional_whole(option("max-calls"), f"{PREFIX}max-calls"),
        max_cost=_amount(option("max-cost"), f"{PREFIX}max-cost"),
        slowest=_optional_whole(option("slowest"), f"{PREFIX}slowest") or 0,
        allowed_hosts=tuple(ini("content_bias_allowed_hosts")),
        asked=_gate_asked(option),
    )


def _option_reader(source: Source) -> Any:
    def option(name: str) -> Any:
        return source.getoption(f"content_bias_{name.replace('-', '_')}")

    return option


def _ini_reader(source: Source) -> Any:
    def ini(name: str) -> Any:
        try:
            return source.getini(name)
        except (TypeError, ValueError, pytest.UsageError) as error:
            raise SettingsError(f"{name}: cannot be read: {error}") from None

    return ini


def _gate_asked(option: Any) -> bool:
    """Whether the command line asks for a gate, so that a run without cases cannot pass."""
    names = ("threshold", "min-mean", "max-drop", "report", "record")
    baseline = ("baseline", "update-baseline", "baseline-strict")
    return any(option(name) for name in names + baseline)


def _forbidden(record: RecordMode, source: Source) -> str:
    if not record.network:
        return ""
    from pytest_content_bias.session.offline import forbidden_recording

    return forbidden_recording(record, source.getoption)


def _folder(root: Path, name: str) -> Path | None:
    return root / name if name else None


def _report(root: Path, name: str) -> Path:
    """Checked before anything is paid."""
    path = root / name
    if path.suffix.lower() not in REPORT_ENDINGS:
        raise SettingsError(
            f"{PREFIX}report: expected a path that ends in {', '.join(REPORT_ENDINGS)}, "
            f"found {name!r}"
        )
    return path


def _of_metric(values: Mapping[str, float], metric: str) -> float | None:
    return values.get(metric, values.get(""))


def _default_threshold(metric: str) -> float:
    return {str(name): value for name, value in DEFAULT_THRESHOLDS.items()}.get(
        metric, DEFAULT_THRESHOLD
    )


def read_thresholds(texts: Sequence[str], where: str) -> dict[str, float]:
    """Read `VALUE` and `METRIC=VALUE`.

    Args:
        texts: the values, later ones win.
        where: what messages call the place they stand in.

    Returns:
        Metric to threshold; `VALUE` stands under the empty name: it is for every metric.

    Raises:
        SettingsError: one cannot be read.
    """
    found: dict[str, float] = {}
    for text in texts:
        metric, equals, value = str(text).rpartition("=")
        if equals and not metric.strip():
            raise SettingsError(f"{where}: expected VALUE or METRIC=VALUE, found {text!r}")
        share = _share(value.strip(), where)
        assert share is not None
        found[metric.strip()] = share
    return found


def _ini_thresholds(ini: Any) -> dict[str, float]:
    found = read_thresholds(ini("content_bias_metric_thresholds"), "content_bias_metric_thresholds")
    general = _share(ini("content_bias_threshold"), "content_bias_threshold")
    return found if general is None else {"": general, **found}


def _number(value: Any, where: str, expected: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise SettingsError(f"{where}: expected {expected}, found {value!r}")
    return number


def _share(value: Any, where: str) -> float | None:
    if value is None:
        return None
    number = _number(value, where, "a number from 0 to 1")
    if not 0 <= number <= 1:
        raise SettingsError(f"{where}: expected a number from 0 to 1, found {value!r}")
    return number


def _amount(value: Any, where: str) -> float | None:
    if value is None:
        return None
    number = _number(value, where, "an amount of 0 or more")
    if number < 0:
        raise SettingsError(f"{where}: expected an amount of 0 or more, found {value!r}")
    return number


def _whole(value: Any, where: str, least: int, most: int) -> int:
    expected = f"a whole number from {least} to {most}"
    number = _number(value, where, expected)
    if number != int(number) or not least <= number <= most:
        raise SettingsError(f"{where}: expected {expected}, found {value!r}")
    return int(number)


def _optional_whole(value: Any, where: str) -> int | None:
    return None if value is None else _whole(value, where, 0, 10**9)


def _one_of(value: str, where: str) -> str:
    known = ("ignore", "warn", "error")
    if value not in known:
        raise SettingsError(f"{where}: expected one of {', '.join(known)}, found {value!r}")
    return value
