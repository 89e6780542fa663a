"""Every command line option and ini value, as data: `plugin.py` declares them from here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_content_bias.session.settings import Source

PREFIX = "--content-bias-"


class Option:
    """A command line option; plain classes, since every pytest run makes them.

    Args:
        name: as it is typed.
        help: what it is for.
        keywords: what argparse takes beside.
    """

    def __init__(self, name: str, help: str, keywords: dict[str, Any]) -> None:
        self.name, self.help, self.keywords = name, help, keywords

    @property
    def dest(self) -> str:
        """The attribute of `config.option`, prefixed so that no other plugin can collide."""
        return self.name.lstrip("-").replace("-", "_")


class Ini:
    """An ini value.

    Args:
        name: as it is written.
        type: as pytest names it.
        help: what it is for.
        default: its value where it is not given.
    """

    def __init__(self, name: str, type: Any, help: str, default: Any = None) -> None:
        self.name, self.type, self.help, self.default = name, type, help, default


_ONCE: dict[str, Any] = {"action": "store", "default": None}
_MANY: dict[str, Any] = {"action": "append", "default": []}
_FLAG: dict[str, Any] = {"action": "store_true", "default": False}

OPTIONS = (
    Option(
        f"{PREFIX}threshold",
        "Least score of every case, 0 to 1, or METRIC=VALUE for one metric; repeatable "
        "(default: 0.8; opinion_bias: 0.5).",
        {**_MANY, "metavar": "VALUE"},
    ),
    Option(
        f"{PREFIX}min-mean",
        "Least weighted mean score of the suite, per metric, 0 to 1 (default: off).",
        {**_ONCE, "metavar": "VALUE"},
    ),
    Option(
        f"{PREFIX}record",
        "Writes cassettes. none: replay only, never the network. missing: call what no cassette "
        "holds. all: call everything anew. generator, system, judge (joined by commas): call "
        "these anew, and whatever else is then missing (default: none).",
        {**_ONCE, "metavar": "MODE"},
    ),
    Option(
        f"{PREFIX}report",
        "Write a report; the ending chooses the format: .json, .md or .html; repeatable.",
        {**_MANY, "metavar": "PATH"},
    ),
    Option(
        f"{PREFIX}baseline",
        "The accepted scores to compare with (default: content_bias_baseline.json in the root "
        "directory, if it exists).",
        {**_ONCE, "metavar": "PATH"},
    ),
    Option(
        f"{PREFIX}max-drop",
        "Greatest drop of a case's score below its accepted score that passes (default: 0.05).",
        {**_ONCE, "metavar": "VALUE"},
    ),
    Option(
        f"{PREFIX}update-baseline",
        "Writes the baseline: accept the scores of this run, if it is complete and without errors.",
        _FLAG,
    ),
    Option(
        f"{PREFIX}baseline-strict",
        "A case that cannot be compared with the baseline is an error.",
        _FLAG,
    ),
    Option(
        f"{PREFIX}unused",
        "What recorded calls that nothing asked for mean after a complete run (default: warn).",
        {**_ONCE, "choices": ["ignore", "warn", "error"]},
    ),
    Option(
        f"{PREFIX}dry-run",
        "Call nothing: say how many calls each role would pay, and what they would cost where "
        "prices are configured.",
        _FLAG,
    ),
    Option(
        f"{PREFIX}max-calls",
        "Stop recording before more than this many calls are paid; what was recorded is kept.",
        {**_ONCE, "metavar": "N"},
    ),
    Option(
        f"{PREFIX}max-cost",
        "Stop recording before the calls may cost more than this, by the configured prices (those "
        "to a service or of your own code count as free); what "
        "was recorded is kept.",
        {**_ONCE, "metavar": "AMOUNT"},
    ),
    Option(
        f"{PREFIX}slowest",
        "Show the N slowest cases and calls.",
        {**_ONCE, "metavar": "N"},
    ),
)

INI_VALUES = (
    Ini("content_bias_files", "args", "File name patterns of case files.",
        ["*.bias.yaml", "*.bias.yml"]),
    Ini("content_bias_threshold", "float", "Least score of every case, 0 to 1."),
    Ini("content_bias_metric_thresholds", "linelist", "METRIC=VALUE lines: least score by metric.",
        []),
    Ini("content_bias_min_mean", "float", "Least weighted mean score of the suite, per metric."),
    Ini("content_bias_min_valid_variants", "int", "Least number of valid variants of a case, "
        "1 to 3.", 2),
    Ini("content_bias_config", "string", "Name of the project file, looked for from the case file "
        "upwards.", "content_bias.yaml"),
    Ini("content_bias_cassette_dir", "string", "Folder of the cassettes, relative to the root "
        "directory.", "cassettes"),
    Ini("content_bias_prompt_dir", "string", "Folder of prompts that take the place of built-in "
        "ones, relative to the root directory.", ""),
    Ini("content_bias_max_concurrency", "int", "Cases in flight at once while recording.", 8),
    Ini("content_bias_baseline", "string", "The accepted scores, relative to the root directory.",
        "content_bias_baseline.json"),
    Ini("content_bias_max_drop", "float", "Greatest drop of a case below its accepted score."),
    Ini("content_bias_max_mean_drop", "float", "Greatest drop of the suite's mean below the "
        "accepted mean, per metric (default: off)."),
    Ini("content_bias_unused", "string", "ignore, warn or error: what unused recordings mean.",
        "warn"),
    Ini("content_bias_allowed_hosts", "args", "Hosts that code of the system under test may reach "
        "while a case is replayed.", []),
)  # fmt: skip


def anything_asked(source: Source) -> bool:
    """Whether any option or ini value is given; one that cannot be read is.

    Args:
        source: the command line and the ini file.
    """
    try:
        return any(
            source.getoption(option.dest) != option.keywords["default"] for option in OPTIONS
        ) or any(source.getini(ini.name) != ini.default for ini in INI_VALUES)
    except (TypeError, ValueError, pytest.UsageError):
        return True
