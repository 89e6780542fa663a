"""`--content-bias-baseline` and its company: the scores that were accepted."""

import json
from typing import Any

import pytest

from tests.integration.conftest import Project
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

NODE = "cases/energy.bias.yaml::wind::content_bias"
NAME = "content_bias_baseline.json"


@pytest.fixture
def accepted(project: Project) -> Project:
    """A score of 1.0 is accepted."""
    project.levels(wind=0, coal=0)
    project.record("--content-bias-update-baseline").assert_outcomes(passed=1)
    return project


def entry(project: Project) -> dict[str, Any]:
    found = json.loads((project.path / NAME).read_text(encoding="utf-8"))
    assert isinstance(found["entries"][NODE], dict)
    return dict(found["entries"][NODE])


def judged_anew(project: Project, level: int, *arguments: str) -> pytest.RunResult:
    """Run with another level from the judge."""
    project.levels(wind=level, coal=level)
    return project.run("--content-bias-record=judge", *arguments)


def test_an_update_writes_scores_and_what_they_rest_on(accepted: Project) -> None:
    found = entry(accepted)
    assert found["score"] == 1.0
    assert found["biases"] == {"one_sided": 0.0, "amplify_downplay": 0.0, "justify_judge": 0.0}
    assert found["judge"] == "scripted-model"
    assert set(found["prompts"]) >= {"judge", "rewrite_one_sided"}
    assert len(found["recorded"]) == len("2026-11-30")


def test_an_update_says_what_changed_and_by_how_much(accepted: Project) -> None:
    result = judged_anew(accepted, 2, "--content-bias-update-baseline")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"baseline written: {NAME}", f"*{NODE}: score 1 to 0.8 (-0.2)*"])
    assert entry(accepted)["score"] == 0.8


def test_an_update_without_a_change_says_so_and_leaves_the_file_as_it_was(
    accepted: Project,
) -> None:
    before = (accepted.path / NAME).read_bytes()
    accepted.run("--content-bias-update-baseline").stdout.fnmatch_lines(["  no change"])
    assert (accepted.path / NAME).read_bytes() == before


def test_a_drop_above_the_threshold_fails_with_both_numbers(accepted: Project) -> None:
    result = judged_anew(accepted, 1)
    result.assert_outcomes(failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*score 0.90 is 0.10 below the accepted score 1.00; the greatest drop*0.05",
            "FAILED  0.90*0.80*-0.10*::wind::content_bias",
            "content-bias gate: FAILED - *1 case dropped below the baseline*",
        ]
    )


def test_a_drop_within_what_is_allowed_passes_and_is_shown(accepted: Project) -> None:
    result = judged_anew(accepted, 1, "--content-bias-max-drop=0.1")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["PASSED  0.90*-0.10*::wind::content_bias"])


def test_a_rise_passes_and_is_shown(project: Project) -> None:
    project.levels(wind=2)
    project.record("--content-bias-update-baseline")
    result = judged_anew(project, 1)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["PASSED  0.90*+0.10*::wind::content_bias"])


@pytest.mark.parametrize(
    ("ini", "head", "each", "option", "passes"),
    [
        ("", "", "", "", False),
        ("content_bias_max_drop = 0.2", "", "", "", True),
        ("content_bias_max_drop = 0.2", "max_drop: 0.01\n", "", "", False),
        ("", "max_drop: 0.01\n", "max_drop: 0.2\n", "", True),
        ("", "", "max_drop: 0.2\n", "--content-bias-max-drop=0.01", False),
    ],
)
def test_the_greatest_drop_has_the_same_precedence_as_the_threshold(
    accepted: Project, ini: str, head: str, each: str, option: str, passes: bool
) -> None:
    accepted.ini(ini)
    accepted.cases("wind", head=head, each=each)
    outcome = judged_anew(accepted, 1, *([option] if option else []))
    outcome.assert_outcomes(passed=int(passes), failed=int(not passes))


def test_another_judge_is_not_comparable_and_said_so(accepted: Project) -> None:
    accepted.configure(judge=accepted.model_named("other-model"))
    result = judged_anew(accepted, 2, "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            f"{NODE}: not comparable*judge model (scripted-model to other-model)*",
            "content-bias gate: PASSED*1 not comparable with the baseline",
        ]
    )


def test_another_judge_is_an_error_under_a_strict_baseline(accepted: Project) -> None:
    accepted.configure(judge=accepted.model_named("other-model"))
    result = judged_anew(accepted, 0, "--content-bias-baseline-strict")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*judge model (scripted-model to other-model)*strict*"])


def test_another_case_content_is_not_comparable(accepted: Project) -> None:
    text = (accepted.path / "cases/energy.bias.yaml").read_text(encoding="utf-8")
    accepted.write("cases/energy.bias.yaml", text.replace("5 to 8 cents", "6 to 9 cents"))
    result = accepted.record("-v")
    result.stdout.fnmatch_lines([f"{NODE}: not comparable*case content*"])


def test_a_new_case_is_counted_and_an_error_only_under_a_strict_baseline(
    accepted: Project,
) -> None:
    accepted.cases("wind", "coal")
    result = accepted.record()
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["content-bias gate: PASSED*1 not in the baseline"])
    accepted.run("--content-bias-baseline-strict").assert_outcomes(passed=1, errors=1)


@pytest.mark.parametrize(
    ("arguments", "head", "expected"),
    [
        (["--content-bias-threshold=0.5"], "", "threshold lowered from 0.8 to 0.5: *::wind::*"),
        ([], "threshold: 0.7\n", "threshold lowered from 0.8 to 0.7: *::wind::*"),
        (["--content-bias-max-drop=0.3"], "", "max drop raised from 0.05 to 0.3: *::wind::*"),
    ],
)
def test_a_lowered_bar_is_listed(
    accepted: Project, arguments: list[str], head: str, expected: str
) -> None:
    accepted.cases("wind", head=head)
    result = accepted.run(*arguments)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"the bar was lowered: {expected}"])


def test_a_deleted_case_is_listed_but_not_when_it_was_only_left_out(project: Project) -> None:
    project.cases("wind", "coal")
    project.record("--content-bias-update-baseline").assert_outcomes(passed=2)
    project.run("-k", "wind").stdout.no_fnmatch_line("*the bar was lowered*")
    project.cases("wind")
    project.run().stdout.fnmatch_lines(["the bar was lowered: case deleted: *::coal::*"])


def test_an_update_of_a_part_is_refused(accepted: Project) -> None:
    before = (accepted.path / NAME).read_bytes()
    accepted.cases("wind", "coal")
    result = accepted.record("--content-bias-update-baseline", "-k", "coal")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["ERROR: the baseline was not renewed: 1 of 2 cases were desel*"])
    assert (accepted.path / NAME).read_bytes() == before


def test_an_update_of_a_run_with_errors_is_refused(accepted: Project) -> None:
    before = (accepted.path / NAME).read_bytes()
    accepted.cases("wind", "coal")
    result = accepted.run("--content-bias-update-baseline")
    result.stdout.fnmatch_lines(["ERROR: the baseline was not renewed: 1 cases are errors*"])
    assert (accepted.path / NAME).read_bytes() == before


def test_an_update_without_any_case_is_refused(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_other(): pass")
    result = pytester.runpytest_inprocess("--content-bias-update-baseline")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert not (pytester.path / NAME).exists()


def test_a_baseline_that_was_named_and_is_missing_is_an_error(accepted: Project) -> None:
    result = accepted.run("--content-bias-baseline=other.json")
    assert result.ret != pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*other.json*"])
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize("content", ["", "{", "<<<<<<< HEAD\n", '{"format": "other/9"}', "[]"])
def test_a_damaged_baseline_is_an_error_in_words(accepted: Project, content: str) -> None:
    accepted.write(NAME, content)
    result = accepted.run()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([f"*{NAME}*--content-bias-update-baseline*"])
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")
    assert "Traceback" not in result.stdout.str()


def test_a_baseline_elsewhere_is_written_and_compared_with(project: Project) -> None:
    project.levels(wind=0)
    where = "--content-bias-baseline=accepted/scores.json"
    project.record(where, "--content-bias-update-baseline").assert_outcomes(passed=1)
    assert (project.path / "accepted/scores.json").exists()
    judged_anew(project, 1, where).assert_outcomes(failed=1)


def test_the_mean_of_the_suite_is_held_against_the_accepted_mean(project: Project) -> None:
    names = ["wind", "coal", "sun", "tide"]
    project.cases(*names, head="max_drop: 1\n")
    project.levels(**dict.fromkeys(names, 0))
    project.record("--content-bias-update-baseline").assert_outcomes(passed=4)
    project.ini("content_bias_max_mean_drop = 0.05")
    project.levels(wind=1, coal=1, sun=1, tide=2)
    result = project.run("--content-bias-record=judge")
    result.assert_outcomes(passed=4)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["content-bias gate: FAILED*mean drop of content_bias: mean dropped by 0.125 over 4*"]
    )


def test_an_unreachable_judge_leaves_the_baseline_alone(accepted: Project) -> None:
    def down(role: str, _request: ReceivedRequest) -> ScriptedReply | None:
        return ScriptedReply(status=401, json={"error": "no"}) if role == "judge" else None

    before = (accepted.path / NAME).read_bytes()
    accepted.chat.reply = down
    judged_anew(accepted, 0, "--content-bias-update-baseline").assert_outcomes(errors=1)
    assert (accepted.path / NAME).read_bytes() == before


@pytest.fixture
def two_files(project: Project) -> Project:
    """Cases of two files are accepted."""
    project.cases("coal", file="cases/other.bias.yaml")
    project.record("--content-bias-update-baseline").assert_outcomes(passed=2)
    return project


def test_cases_of_a_file_that_was_not_asked_for_are_not_called_deleted(two_files: Project) -> None:
    result = two_files.run("cases/other.bias.yaml")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*the bar was lowered*")


def test_an_update_of_one_file_keeps_the_entries_of_the_others(two_files: Project) -> None:
    two_files.run("cases/other.bias.yaml", "--content-bias-update-baseline")
    assert entry(two_files)["score"] == 0.9


def test_an_update_of_the_last_failures_is_refused(two_files: Project) -> None:
    before = (two_files.path / NAME).read_bytes()
    two_files.write("pytest.ini", "[pytest]\naddopts = -p no:hypothesispytest -p no:anyio\n")
    two_files.levels(wind=9, coal=1)
    two_files.run("--content-bias-record=judge").assert_outcomes(passed=1, failed=1)
    result = two_files.run("--lf", "--content-bias-update-baseline")
    result.stdout.fnmatch_lines(["ERROR: the baseline was not renewed: *"])
    assert (two_files.path / NAME).read_bytes() == before
