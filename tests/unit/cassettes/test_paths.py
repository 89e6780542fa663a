"""Where cassettes stand."""

from pathlib import Path

import pytest

from pytest_content_bias.cassettes.paths import cassette_path, partial_path, shown
from pytest_content_bias.vocabulary.errors import CassetteError


@pytest.mark.parametrize(
    ("case_path", "place"),
    [
        ("examples/cases/energy.bias.yaml", "examples/cases/energy/wind-power.yaml"),
        ("energy.bias.yml", "energy/wind-power.yaml"),
        ("bias/energy.v2.yaml", "bias/energy.v2/wind-power.yaml"),
        ("./energy.bias.yaml", "energy/wind-power.yaml"),
    ],
)
def test_a_cassette_stands_below_the_name_of_its_case_file(
    tmp_path: Path, case_path: str, place: str
) -> None:
    assert cassette_path(tmp_path, case_path, "wind-power") == tmp_path / place


@pytest.mark.parametrize(
    "case_path",
    ["../x.bias.yaml", "a/../../x.bias.yaml", "/etc/x.bias.yaml", "C:/x.yaml", "a\\..\\b"],
)
def test_a_path_that_leads_outside_is_refused(tmp_path: Path, case_path: str) -> None:
    with pytest.raises(CassetteError, match="outside"):
        cassette_path(tmp_path, case_path, "wind-power")


def test_a_link_inside_the_directory_that_leads_outside_is_refused(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "cassettes"
    outside.mkdir()
    inside.mkdir()
    (inside / "cases").symlink_to(outside)

    with pytest.raises(CassetteError, match="symbolic link leads outside"):
        cassette_path(inside, "cases/energy.bias.yaml", "wind-power")


def test_a_linked_cassette_file_that_leads_outside_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "cassettes"
    (inside / "energy").mkdir(parents=True)
    (inside / "energy" / "wind-power.yaml").symlink_to(tmp_path / "elsewhere.yaml")

    with pytest.raises(CassetteError, match="symbolic link leads outside"):
        cassette_path(inside, "energy.bias.yaml", "wind-power")


def test_a_name_that_the_file_system_does_not_take_is_left_to_reading_and_writing(
    tmp_path: Path,
) -> None:
    path = cassette_path(tmp_path, f"{'b' * 300}.bias.yaml", "wind-power")

    assert path.parent.name == "b" * 300


def test_the_cassette_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "cassettes").symlink_to(tmp_path / "real")

    path = cassette_path(tmp_path / "cassettes", "energy.bias.yaml", "wind-power")

    assert path.parent.name == "energy"


@pytest.mark.parametrize("input_id", ["con", "NUL", "com1", "aux.v2"])
def test_names_that_windows_keeps_for_devices_are_refused(tmp_path: Path, input_id: str) -> None:
    with pytest.raises(CassetteError, match="Windows keeps this name"):
        cassette_path(tmp_path, "energy.bias.yaml", input_id)


@pytest.mark.parametrize("input_id", ["", ".", "..", "a/b", "a\\b", "x" * 121, "-a", "a b"])
def test_names_that_no_case_may_have_are_refused(tmp_path: Path, input_id: str) -> None:
    with pytest.raises(CassetteError, match="cannot be the name of a cassette"):
        cassette_path(tmp_path, "energy.bias.yaml", input_id)


def test_a_name_that_another_cases_unfinished_recording_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="kept for recordings that did not end"):
        cassette_path(tmp_path, "energy.bias.yaml", "wind.Partial")


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = cassette_path(tmp_path, "energy.bias.yaml", "x" * 120)
    path.parent.mkdir()

    partial_path(path).write_text("", encoding="utf-8")

    assert partial_path(path).name == "x" * 120 + ".partial.yaml"


def test_messages_show_paths_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert shown(tmp_path / "a" / "b.yaml") == "a/b.yaml"
    assert shown(Path("/elsewhere/b.yaml")) == "/elsewhere/b.yaml"
