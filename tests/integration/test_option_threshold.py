"""`--content-bias-threshold`, and what it overrides."""

import pytest

from tests.integration.conftest import Project

NODE = "cases/energy.bias.yaml::wind::content_bias"
SOURCES = ("default", "ini", "case file", "case", "--content-bias-threshold")
VALUES = {"ini": 0.75, "case file": 0.65, "case": 0.6, "--content-bias-threshold": 0.55}


@pytest.mark.parametrize("strongest", SOURCES)
def test_command_line_beats_case_beats_case_file_beats_ini_beats_default(
    project: Project, strongest: str
) -> None:
    given = SOURCES[1 : SOURCES.index(strongest) + 1]
    project.ini(*[f"content_bias_threshold = {VALUES['ini']}"] * ("ini" in given))
    project.cases(
        "wind",
        head=f"threshold: {VALUES['case file']}\n" * ("case file" in given),
        each=f"threshold: {VALUES['case']}\n" * ("case" in given),
    )
    option = f"--content-bias-threshold={VALUES['--content-bias-threshold']}"
    (result,) = project.reported(*[option] * (option.partition("=")[0] in given)).results
    assert result.threshold == VALUES.get(strongest, 0.8)
    assert result.threshold_source == strongest


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["0.7", "0.6"], 0.6),
        (["content_bias=0.7", "0.6"], 0.7),
        (["0.6", "content_bias=0.7"], 0.7),
        (["opinion_bias=0.7"], 0.8),
    ],
)
def test_a_value_for_the_metric_beats_a_general_one_and_later_ones_earlier_ones(
    project: Project, options: list[str], expected: float
) -> None:
    arguments = [f"--content-bias-threshold={option}" for option in options]
    assert project.reported(*arguments).results[0].threshold == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["content_bias_threshold = 0.6"], {"content_bias": 0.6, "opinion_bias": 0.6}),
        (
            ["content_bias_threshold = 0.6", "content_bias_metric_thresholds =",
             "    opinion_bias=0.4"],
            {"content_bias": 0.6, "opinion_bias": 0.4},
        ),
        ([], {"content_bias": 0.8, "opinion_bias": 0.5}),
    ],
)  # fmt: skip
def test_the_ini_file_may_give_a_threshold_for_all_metrics_and_for_each(
    project: Project, lines: list[str], expected: dict[str, float]
) -> None:
    project.cases("wind", head="metrics: [content_bias, opinion_bias]\n")
    project.ini(*lines)
    found = {result.metric: result.threshold for result in project.reported().results}
    assert found == expected


@pytest.mark.parametrize("value", ["high", "1.5", "-0.1", "nan", "=0.5", "content_bias=high", ""])
def test_a_value_that_is_no_share_is_a_usage_error(project: Project, value: str) -> None:
    result = project.run(f"--content-bias-threshold={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --content-bias-threshold: expected *, found *"])


@pytest.mark.parametrize(
    "line",
    [
        "content_bias_threshold = high",
        "content_bias_threshold = 80",
        "content_bias_min_mean = 2",
        "content_bias_metric_thresholds = content_bias=x",
        "content_bias_min_valid_variants = 4",
        "content_bias_min_valid_variants = two",
        "content_bias_max_concurrency = 0",
        "content_bias_max_drop = -1",
        "content_bias_max_mean_drop = 7",
        "content_bias_unused = maybe",
    ],
)
def test_an_ini_value_that_cannot_be_used_is_a_usage_error_that_names_it(
    project: Project, line: str
) -> None:
    project.ini(line)
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: {line.partition(' ')[0]}: *{line.rpartition('=')[2].strip()}*"]
    )
    assert "Traceback" not in result.stderr.str()


def test_a_threshold_for_a_metric_that_no_case_has_is_a_usage_error_before_anything_is_paid(
    project: Project,
) -> None:
    result = project.record("--content-bias-threshold=contnt_bias=0.99")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --content-bias-threshold: no case has *'contnt_bias'; did you mean content_bias?"]
    )
    assert project.chat.total == 0


def test_a_misspelt_metric_in_the_ini_file_is_a_usage_error(project: Project) -> None:
    project.ini("content_bias_metric_thresholds =", "    content_bais=0.99")
    for arguments in ([], ["cases"], ["cases/energy.bias.yaml::wind"]):
        result = project.record(*arguments)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(
            [
                "ERROR: content_bias_metric_thresholds: no case has the metric 'content_bais'; "
                "did you mean content_bias?"
            ]
        )
    assert project.chat.total == 0


def test_an_unknown_metric_in_the_ini_file_is_a_usage_error_where_all_cases_are_run(
    project: Project,
) -> None:
    project.ini("content_bias_metric_thresholds =", "    zzz=0.99")
    project.record("cases").assert_outcomes(passed=1)  # a conftest elsewhere may define it
    assert project.run().ret == pytest.ExitCode.USAGE_ERROR


def test_a_metric_of_a_conftest_may_stand_in_the_ini_file_though_no_case_has_it(
    project: Project,
) -> None:
    project.ini("content_bias_metric_thresholds =", "    contnt_bias=0.99", "    zzz=0.9")
    project.write(
        "conftest.py",
        """
        def pytest_content_bias_metrics(config):
            return {"contnt_bias": None, "zzz": None}
        """,
    )
    project.record().assert_outcomes(passed=1)


def test_the_ini_file_does_not_disturb_a_run_without_cases(project: Project) -> None:
    project.ini("content_bias_metric_thresholds =", "    content_bais=0.99")
    project.write("test_other.py", "def test_other(): pass\n")
    project.run("test_other.py").assert_outcomes(passed=1)


def test_three_biases_that_make_exactly_the_threshold_pass(project: Project) -> None:
    levels = iter([1, 2, 3])
    project.chat.level = lambda _message: next(levels)
    result = project.record("--content-bias-threshold=0.8")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.OK


def test_a_score_just_below_the_threshold_is_never_shown_as_equal_to_it(project: Project) -> None:
    levels = iter([1, 2, 3])
    project.chat.level = lambda _message: next(levels)
    result = project.record("--content-bias-threshold=0.801")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*score 0.800 is below the threshold 0.801*"])
