"""What `--content-bias-record` takes."""

import pytest

from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.names import Role


@pytest.mark.parametrize("text", ["none", "missing", "all", "system", "generator,judge"])
def test_a_mode_reads_as_it_is_written(text: str) -> None:
    assert str(RecordMode.parse(text)) == text


def test_none_uses_no_network_and_the_others_do() -> None:
    assert not RecordMode.parse("none").network
    assert all(RecordMode.parse(text).network for text in ("missing", "all", "judge"))


def test_all_calls_every_role_anew() -> None:
    assert all(RecordMode.parse("all").anew(role) for role in Role)


@pytest.mark.parametrize("text", ["none", "missing"])
def test_none_and_missing_call_no_role_anew(text: str) -> None:
    assert not any(RecordMode.parse(text).anew(role) for role in Role)


def test_roles_call_only_these_roles_anew_in_any_order_and_spacing() -> None:
    mode = RecordMode.parse("judge, system")

    assert str(mode) == "system,judge"
    assert [role for role in Role if mode.anew(role)] == [Role.SYSTEM, Role.JUDGE]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jugde", "did you mean judge?"),
        ("ALL", "did you mean all?"),
        ("", "expected none, missing, all, or roles: generator, system, judge"),
        ("judge,", "'' is not known"),
        ("all,judge", "all stands alone"),
        ("judge,none", "none stands alone"),
    ],
)
def test_anything_else_is_refused_with_a_suggestion(text: str, words: str) -> None:
    with pytest.raises(SettingsError) as error:
        RecordMode.parse(text)

    assert words in str(error.value)
    assert f"--content-bias-record={text}" in str(error.value)
