"""Options and ini values, merged once and checked."""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.reports.write import FORMATS
from pytest_content_bias.session.options import INI_VALUES, OPTIONS
from pytest_content_bias.session.settings import (
    DEFAULT_MAX_DROP,
    DEFAULT_THRESHOLD,
    REPORT_ENDINGS,
    Given,
    Settings,
    read_settings,
    read_thresholds,
)
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.names import DEFAULT_THRESHOLDS, Role

ROOT = Path("/project")


@dataclass
class Source:
    """What `pytest.Config` gives, from defaults and a few changes."""

    options: dict[str, Any] = field(default_factory=dict)
    inis: dict[str, Any] = field(default_factory=dict)
    rootpath: Path = ROOT

    def getoption(self, name: str, default: Any = ...) -> Any:
        defaults = {option.dest: option.keywords["default"] for option in OPTIONS}
        return (defaults | self.options).get(name, default)

    def getini(self, name: str) -> Any:
        defaults = {ini.name: ini.default for ini in INI_VALUES}
        value = (defaults | self.inis)[name]
        if isinstance(value, Exception):
            raise value
        return value


def settings(**changes: Any) -> Settings:
    """Settings with changes, of options as `threshold`, of ini values as `ini_threshold`."""
    source = Source()
    for name, value in changes.items():
        if name.startswith("ini_"):
            source.inis[f"content_bias_{name.removeprefix('ini_')}"] = value
        else:
            source.options[f"content_bias_{name}"] = value
    return read_settings(source)


def test_without_anything_given_the_defaults_hold() -> None:
    found = settings()
    assert str(found.record) == "none"
    assert found.cassette_dir == ROOT / "cassettes"
    assert found.prompt_dir is None
    assert found.baseline == ROOT / "content_bias_baseline.json"
    assert (found.min_valid_variants, found.max_concurrency, found.slowest) == (2, 8, 0)
    assert found.asked is False
    for metric, value in DEFAULT_THRESHOLDS.items():
        assert found.threshold(metric, None) == Given(value, "default")
    assert found.threshold("of a plugin", None) == Given(DEFAULT_THRESHOLD, "default")
    assert found.max_drop(None) == Given(DEFAULT_MAX_DROP, "default")


def test_a_threshold_comes_from_the_strongest_source_that_gives_one() -> None:
    strong = settings(threshold=["0.1"], ini_threshold=0.2)
    assert strong.threshold("content_bias", (0.3, "case")).source == "--content-bias-threshold"
    weak = settings(ini_threshold=0.2)
    assert weak.threshold("content_bias", (0.3, "case file")) == Given(0.3, "case file")
    assert weak.threshold("content_bias", None) == Given(0.2, "ini")


def test_a_threshold_of_the_metric_beats_a_general_one_of_the_same_source() -> None:
    found = settings(threshold=["content_bias=0.9", "0.1"], ini_threshold=0.2)
    assert found.threshold("content_bias", None).value == 0.9
    assert found.threshold("opinion_bias", None).value == 0.1
    lines = settings(ini_threshold=0.2, ini_metric_thresholds=["opinion_bias=0.7"])
    assert lines.threshold("opinion_bias", None).value == 0.7


def test_a_general_threshold_of_a_stronger_source_beats_that_of_a_metric() -> None:
    found = settings(threshold=["0.1"], ini_metric_thresholds=["content_bias=0.9"])
    assert found.threshold("content_bias", None).value == 0.1


def test_the_greatest_drop_has_the_same_precedence() -> None:
    assert settings(max_drop="0.1", ini_max_drop=0.2).max_drop((0.3, "case")).value == 0.1
    assert settings(ini_max_drop=0.2).max_drop((0.3, "case")).value == 0.3
    assert settings(ini_max_drop=0.2).max_drop(None) == Given(0.2, "ini")


def test_paths_start_at_the_root_directory() -> None:
    found = settings(
        ini_cassette_dir="tests/tapes", ini_prompt_dir="own", report=["out/a.json", "/tmp/b.md"]
    )
    assert found.cassette_dir == ROOT / "tests/tapes"
    assert found.prompt_dir == ROOT / "own"
    assert found.reports == (ROOT / "out/a.json", Path("/tmp/b.md"))


def test_the_endings_of_reports_are_those_that_can_be_written() -> None:
    assert tuple(FORMATS) == REPORT_ENDINGS


@pytest.mark.parametrize(
    "option",
    [
        {"threshold": ["0.8"]},
        {"min_mean": "0"},
        {"max_drop": "0"},
        {"report": ["x.md"]},
        {"record": "missing"},
        {"baseline": "x.json"},
        {"update_baseline": True},
        {"baseline_strict": True},
    ],
)
def test_the_gate_is_asked_for_by_every_option_that_gates(option: dict[str, Any]) -> None:
    assert settings(**option).asked is True


@pytest.mark.parametrize("mode", ["missing", "all", "judge"])
@pytest.mark.parametrize("option", ["--block-network", "--disable-socket"])
def test_another_plugins_option_that_forbids_the_network_forces_replay(
    option: str, mode: str
) -> None:
    forbidden = {option.lstrip("-").replace("-", "_"): True}
    found = read_settings(Source({"content_bias_record": mode, **forbidden}))
    assert not found.record.network
    assert found.not_recorded.startswith(f"{option} forbids the network")
    assert f"--content-bias-record={mode}" in found.not_recorded
    assert found.asked is True


@pytest.mark.parametrize(
    "options",
    [
        {"content_bias_record": "all", "disable_socket": False, "block_network": False},
        {"content_bias_record": "all", "disable_socket": True, "force_enable_socket": True},
        {"content_bias_record": "all", "disable_socket": True, "content_bias_dry_run": True},
        {"content_bias_record": "none", "disable_socket": True},
    ],
    ids=["not given", "taken back", "nothing is called", "nothing is recorded"],
)
def test_the_recording_mode_stays_where_nothing_forbids_it(options: dict[str, Any]) -> None:
    found = read_settings(Source(options))
    assert str(found.record) == options["content_bias_record"]
    assert not found.not_recorded


def test_roles_are_recorded_anew() -> None:
    record = settings(record="judge,system").record
    assert record.roles == {Role.JUDGE, Role.SYSTEM}
    assert record.network


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"min_mean": "x"}, "--content-bias-min-mean"),
        ({"min_mean": ""}, "--content-bias-min-mean"),
        ({"max_drop": "1.1"}, "--content-bias-max-drop"),
        ({"max_calls": "1.5"}, "--content-bias-max-calls"),
        ({"max_cost": "-1"}, "--content-bias-max-cost"),
        ({"max_cost": "nan"}, "--content-bias-max-cost"),
        ({"slowest": "-1"}, "--content-bias-slowest"),
        ({"record": ""}, "--content-bias-record"),
        ({"report": ["x.txt"]}, "--content-bias-report"),
        ({"ini_threshold": 2.0}, "content_bias_threshold"),
        ({"ini_min_valid_variants": 0}, "content_bias_min_valid_variants"),
        ({"ini_max_concurrency": 1001}, "content_bias_max_concurrency"),
        ({"ini_unused": "x"}, "content_bias_unused"),
        ({"ini_threshold": ValueError("no float")}, "content_bias_threshold: .*no float"),
        ({"ini_max_drop": pytest.UsageError("no float")}, "content_bias_max_drop: .*no float"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_its_name(
    changes: dict[str, Any], name: str
) -> None:
    with pytest.raises(SettingsError, match=f"^{name}"):
        settings(**changes)


@given(st.floats(0, 1), st.sampled_from(["", "content_bias", "of_a_plugin"]))
def test_every_share_is_read_back(value: float, metric: str) -> None:
    text = f"{metric}={value!r}" if metric else repr(value)
    assert read_thresholds([text], "here") == {metric: value}


@given(st.text(max_size=12))
def test_any_text_is_read_as_a_share_or_refused(text: str) -> None:
    with suppress(SettingsError):
        assert all(0 <= value <= 1 for value in read_thresholds([text], "here").values())
