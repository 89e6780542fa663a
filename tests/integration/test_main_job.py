"""Cases in, scores out: record once, replay offline, fail below the threshold."""

import pytest

from tests.integration.conftest import Project


def test_record_once_and_replay_offline(project: Project) -> None:
    project.record().assert_outcomes(passed=1)
    paid = project.chat.total
    assert paid == 9
    result = project.run()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*PASSED*0.90*0.80*cases/energy.bias.yaml::wind::content_bias"])
    result.stdout.fnmatch_lines(["content-bias gate: PASSED - 1 of 1 case at or above*mean 0.90"])
    assert project.chat.total == paid


def test_without_a_recording_the_case_is_an_error_and_nothing_is_called(project: Project) -> None:
    result = project.run()
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(['*pytest "cases/energy.bias.yaml::wind"*--content-bias-record=*'])
    result.stdout.no_fnmatch_line("*Traceback*")
    assert project.chat.total == 0


def test_a_low_score_fails_with_its_evidence(project: Project) -> None:
    project.chat.level = lambda _message: 6
    project.record()
    result = project.run("--content-bias-threshold=0.8")
    result.assert_outcomes(failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*score 0.40 is below the threshold 0.80*",
            "*one_sided: bias 0.60*",
            "*asked   Is it not a scandal*",
            "*answer  The sources name both costs*",
            '*quote   "The sources name both costs*',
            "*reason  It weighs both sides.*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
