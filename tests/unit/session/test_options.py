"""Options and ini values as they are declared."""

from typing import Any

import pytest

from pytest_content_bias.session.options import INI_VALUES, OPTIONS, PREFIX, anything_asked
from tests.unit.session.test_settings import Source


def test_every_option_is_prefixed_and_so_is_its_attribute() -> None:
    for option in OPTIONS:
        assert option.name.startswith(PREFIX)
        assert option.dest == option.name[2:].replace("-", "_")
        assert option.dest.startswith("content_bias_")


def test_every_ini_value_is_prefixed() -> None:
    assert all(ini.name.startswith("content_bias_") for ini in INI_VALUES)


def test_names_are_unique() -> None:
    for names in ([option.name for option in OPTIONS], [ini.name for ini in INI_VALUES]):
        assert len(set(names)) == len(names)


def test_everything_is_described_in_a_sentence() -> None:
    for text in [declared.help for declared in (*OPTIONS, *INI_VALUES)]:
        assert text[0].isupper() or text.startswith(("ignore", "METRIC"))
        assert text.endswith(".")


def test_no_option_decides_by_its_default() -> None:
    assert {repr(option.keywords["default"]) for option in OPTIONS} == {"None", "False", "[]"}


def test_of_defaults_nothing_is_asked() -> None:
    assert not anything_asked(Source())


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.dest)
def test_every_option_asks_for_something(option: Any) -> None:
    assert anything_asked(Source(options={option.dest: ""}))


@pytest.mark.parametrize("error", [None, TypeError(), ValueError(), pytest.UsageError()], ids=repr)
@pytest.mark.parametrize("ini", INI_VALUES, ids=lambda ini: ini.name)
def test_every_ini_value_asks_for_something_also_one_that_cannot_be_read(
    ini: Any, error: Exception | None
) -> None:
    assert anything_asked(Source(inis={ini.name: error or "given"}))
