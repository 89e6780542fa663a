"""Options and ini values as they are declared."""

from pytest_content_bias.session.options import INI_VALUES, OPTIONS, PREFIX


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
