"""A case that was renamed or moved: its recordings are there, under its old name."""

import re

from tests.integration.conftest import Project, Run

SUGGESTED = re.compile(
    r"  or, if it is only called another name .*: python -m pytest_content_bias (rename .*)"
)


def suggested(project: Project, *arguments: str) -> list[list[str]]:
    """The arguments of every command that a run suggests."""
    shown = project.run(*arguments).stdout.str()
    return [found.replace('"', "").split() for found in dict.fromkeys(SUGGESTED.findall(shown))]


def test_the_command_that_the_run_suggests_brings_the_recordings_back(
    recorded: Project, run: Run
) -> None:
    text = (recorded.path / "cases/energy.bias.yaml").read_text(encoding="utf-8")
    recorded.write("cases/energy.bias.yaml", text.replace("id: wind", "id: wind-power"))
    (command,) = suggested(recorded)
    file = "cases/energy.bias.yaml"
    assert command == ["rename", f"{file}::wind", f"{file}::wind-power"]
    assert run(*command)[0] == 0
    recorded.run().assert_outcomes(passed=2)
    assert recorded.chat.total == 0


def test_a_moved_case_file_is_found_case_by_case(recorded: Project, run: Run) -> None:
    file = recorded.path / "cases/energy.bias.yaml"
    recorded.write("other/power.bias.yaml", file.read_text(encoding="utf-8"))
    file.unlink()
    commands = suggested(recorded)
    assert sorted(commands) == [
        ["rename", f"cases/energy.bias.yaml::{name}", f"other/power.bias.yaml::{name}"]
        for name in ("coal", "wind")
    ]
    for command in commands:
        assert run(*command)[0] == 0
    recorded.run().assert_outcomes(passed=2)


def test_a_copy_of_a_case_that_is_still_there_is_not_taken_for_it(recorded: Project) -> None:
    text = (recorded.path / "cases/energy.bias.yaml").read_text(encoding="utf-8")
    recorded.write("cases/copy.bias.yaml", text)
    assert suggested(recorded) == []
    assert suggested(recorded, "cases/copy.bias.yaml") == []
    assert suggested(recorded, "cases/copy.bias.yaml::wind") == []


def test_another_case_than_any_that_is_recorded_is_new(recorded: Project) -> None:
    recorded.cases("coal", "sun")
    assert suggested(recorded) == []


def test_a_case_file_that_cannot_be_read_may_still_hold_the_case(recorded: Project) -> None:
    text = (recorded.path / "cases/energy.bias.yaml").read_text(encoding="utf-8")
    recorded.write("cases/copy.bias.yaml", text)
    recorded.write("cases/energy.bias.yaml", "cases: [\n")
    assert suggested(recorded, "cases/copy.bias.yaml") == []
