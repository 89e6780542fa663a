from pytest_content_bias.reports.annotations import annotations
from tests.report_factory import (
    HOSTILE,
    make_case,
    make_error,
    make_mixed_report,
    make_report,
    make_result,
    make_score,
)

GITHUB = {"GITHUB_ACTIONS": "true"}
AZURE = {"TF_BUILD": "True"}


def failing(count: int) -> list[str]:
    results = [
        make_result(make_score(make_case(f"case-{number}", line=number + 1), (0.9, 0.9, 0.9)))
        for number in range(count)
    ]
    return list(annotations(make_report(results), GITHUB))


def test_a_failing_case_is_marked_on_its_line() -> None:
    assert failing(1) == [
        "::error file=cases/medicine.bias.yaml,line=1,title=failed case-0 content_bias"
        "::score 0.10 is below the threshold 0.80"
    ]


def test_passing_cases_are_not_marked() -> None:
    assert annotations(make_report([make_result()]), GITHUB) == ()


def test_nothing_is_printed_outside_a_build_service() -> None:
    assert annotations(make_mixed_report(), {}) == ()


def test_ten_failing_cases_are_marked_each() -> None:
    assert len(failing(10)) == 10
    assert all("line=" in line for line in failing(10))


def test_of_more_the_last_line_counts_the_others() -> None:
    lines = failing(25)
    assert len(lines) == 10
    assert lines[-1].startswith("::error title=content-bias gate::16 more cases; ")


def test_errors_come_first() -> None:
    report = make_report([make_result(make_score(biases=(0.9, 0.9, 0.9))), make_error()])
    assert "title=error broken content_bias" in annotations(report, GITHUB)[0]


def test_azure_gets_its_own_command() -> None:
    report = make_report([make_error()])
    assert annotations(report, AZURE) == (
        "##vso[task.logissue type=error;sourcepath=cases/medicine.bias.yaml;linenumber=40;]"
        "error broken content_bias: no recording answers this call",
    )


def test_hostile_messages_stay_one_command_each() -> None:
    for environment, start in ((GITHUB, "::error "), (AZURE, "##vso[task.logissue ")):
        for line in annotations(make_mixed_report(HOSTILE), environment):
            assert line.startswith(start)
            assert len(line.splitlines()) == 1
            assert "##vso[" not in line[2:]
            assert "##[" not in line
            assert "\x1b" not in line
