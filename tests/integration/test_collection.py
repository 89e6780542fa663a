"""Case files as pytest sees them: node ids, selection, and mistakes in them."""

import pytest

from tests.integration.conftest import Project

FILE = "cases/energy.bias.yaml"


def listed(project: Project, *arguments: str) -> list[str]:
    """Node ids that a run would take."""
    result = project.run("--collect-only", "-q", *arguments)
    return [line for line in result.outlines if "::" in line]


@pytest.fixture
def both_metrics(project: Project) -> Project:
    project.cases("wind", "coal", head="metrics: [content_bias, opinion_bias]\n")
    return project


def test_a_node_id_is_path_case_and_metric_in_the_order_of_the_file(both_metrics: Project) -> None:
    assert listed(both_metrics) == [
        f"{FILE}::{name}::{metric}"
        for name in ("wind", "coal")
        for metric in ("content_bias", "opinion_bias")
    ]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ([f"{FILE}::wind"], ["wind::content_bias", "wind::opinion_bias"]),
        ([f"{FILE}::wind::opinion_bias"], ["wind::opinion_bias"]),
        ([f"{FILE}::coal", f"{FILE}::wind::content_bias"],
         ["coal::content_bias", "coal::opinion_bias", "wind::content_bias"]),
        (["-k", "wind and opinion_bias"], ["wind::opinion_bias"]),
        (["-k", "not coal"], ["wind::content_bias", "wind::opinion_bias"]),
        (["--deselect", f"{FILE}::wind"], ["coal::content_bias", "coal::opinion_bias"]),
    ],
)  # fmt: skip
def test_a_case_is_selected_as_any_test_is(
    both_metrics: Project, arguments: list[str], found: list[str]
) -> None:
    assert listed(both_metrics, *arguments) == [f"{FILE}::{name}" for name in found]


@pytest.mark.parametrize("arguments", [[], [FILE], [f"{FILE}::wind", f"{FILE}::coal"]])
def test_items_stand_below_their_case_however_they_are_chosen(
    both_metrics: Project, arguments: list[str]
) -> None:
    tree = both_metrics.run("--collect-only", *arguments).outlines
    below = [line.strip() for line in tree if line.strip().startswith(("<CaseNode", "<CaseItem"))]
    items = ["<CaseItem content_bias>", "<CaseItem opinion_bias>"]
    assert below == ["<CaseNode wind>", *items, "<CaseNode coal>", *items]


def test_a_case_that_there_is_not_is_a_usage_error(project: Project) -> None:
    assert project.run(f"{FILE}::sun").ret == pytest.ExitCode.USAGE_ERROR


def test_tags_are_marks_also_where_marks_are_strict(project: Project) -> None:
    project.cases("wind", each="tags: [medical, umwelt, énergie]\n")
    project.cases("coal", file="cases/other.bias.yaml")
    for mark in ("medical", "umwelt", "énergie"):
        assert listed(project, "--strict-markers", "-m", mark) == [f"{FILE}::wind::content_bias"]
    assert len(listed(project, "--strict-markers", "-m", "content_bias")) == 2
    assert listed(project, "-m", "not content_bias") == []


def test_the_last_failures_can_be_run_again(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\naddopts = -p no:hypothesispytest -p no:anyio\n")
    project.cases("wind", "coal")
    project.levels(wind=1, coal=9)
    project.record().assert_outcomes(passed=1, failed=1)
    project.run("--lf").assert_outcomes(failed=1)


def test_a_run_that_stops_at_the_first_failure_asks_for_no_more(project: Project) -> None:
    project.cases("wind", "coal")
    result = project.run("-x")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["suite checks: not applied: 1 of 2 cases did not run"])


def test_collecting_calls_nothing_and_gates_nothing(project: Project) -> None:
    result = project.record("--collect-only", "--content-bias-threshold=0.8")
    assert result.ret == pytest.ExitCode.OK
    assert project.chat.total == 0
    result.stdout.no_fnmatch_line("*content-bias gate*")


@pytest.mark.parametrize("name", ["a.bias.yaml", "b.bias.yml"])
def test_both_yaml_endings_are_collected(project: Project, name: str) -> None:
    project.cases("sun", file=name)
    assert f"{name}::sun::content_bias" in listed(project)


def test_the_patterns_of_case_files_can_be_set(project: Project) -> None:
    project.ini("content_bias_files = *.questions.yaml")
    project.cases("sun", file="a.questions.yaml")
    assert listed(project) == ["a.questions.yaml::sun::content_bias"]


def test_cases_of_one_name_in_two_files_are_two_cases(project: Project) -> None:
    project.cases("wind", file="cases/other.bias.yaml")
    project.record().assert_outcomes(passed=2)
    assert project.cassette("wind").exists()
    assert project.cassette("wind", "other").exists()


GOOD = "cases:\n  - input_id: a\n    prompt: Q?\n    expected_output: A.\n"
MISTAKES = {
    "syntax": ("cases:\n  - input_id: 'a\n", "3:1", "*not valid YAML*quoted*"),
    "tab": ("cases:\n\t- input_id: a\n", "2:1", "*tab*"),
    "unknown key": (GOOD + "    promt: B?\n", "5:5", "*'promt'*did you mean 'prompt'*"),
    "unknown key of the file": ("thresold: 1\n" + GOOD, "1:1", "*did you mean 'threshold'*"),
    "wrong type": (GOOD + "    tags: medical\n", "5:11", "*expected a list*"),
    "out of range": (GOOD + "    threshold: 80\n", "5:16", "*80*"),
    "key twice": (GOOD + "    prompt: B?\n", "5:5", "*prompt*"),
    "duplicate id": (GOOD + GOOD.partition("\n")[2], "5:15", "*already used on line 2*"),
    "duplicate id in capitals": (
        GOOD + GOOD.partition("\n")[2].replace(": a\n", ": A\n"), "5:15", "*already used*case*"),
    "unusable id": (GOOD.replace(": a\n", ": a/b\n"), "2:15", "*cannot name a case*such as 'a-b'*"),
    "no id": ("cases:\n  - prompt: Q?\n", "2:5", "*input_id*"),
    "unknown metric": ("metrics: [content_bais]\n" + GOOD, "1:11", "*mean 'content_bias'*"),
    "no cases": ("cases: []\n", "1:8", "*"),
    "no reference": ("cases:\n  - input_id: a\n    prompt: Q?\n", "2:5", "*expected_output*"),
    "unknown setting": ("config: {languag: de}\n" + GOOD, "1:10", "*did you mean 'language'*"),
    "unknown language": ("config: {language: es}\n" + GOOD, "1:20", "*'en', 'de' or 'fr'*"),
    "a tag with an effect": (GOOD + "    tags: [skip]\n", "5:12", "*'skip' cannot be a tag*"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_a_collection_error_of_few_lines_with_file_line_and_column(
    project: Project, mistake: str
) -> None:
    text, place, words = MISTAKES[mistake]
    (project.path / FILE).write_text(text, encoding="utf-8")
    result = project.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"*{FILE}:{place}: {words}"])
    assert lines_of_the_error(result) <= 3
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    "content", [b"", b"# nothing\n", b"\xff\xfe\x00", b"- 1\n", b"null\n", b"cases: 1\n", b"\x00"]
)
def test_a_file_without_cases_is_a_collection_error(project: Project, content: bytes) -> None:
    (project.path / FILE).write_bytes(content)
    result = project.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"*{FILE}*: *"])
    assert lines_of_the_error(result) <= 3
    assert "Traceback" not in result.stdout.str()


def lines_of_the_error(result: pytest.RunResult) -> int:
    """Lines between the heading of the error and the next section."""
    start = next(at for at, line in enumerate(result.outlines) if "ERROR collecting" in line)
    rest = result.outlines[start + 1 :]
    return next(at for at, line in enumerate(rest) if line.startswith("==="))


@pytest.fixture
def one_broken(project: Project) -> Project:
    """A recorded case in one file, a mistake in another."""
    project.record().assert_outcomes(passed=1)
    project.write("cases/broken.bias.yaml", "cases: [\n")
    return project


def test_a_mistake_does_not_keep_other_files_from_being_run(one_broken: Project) -> None:
    result = one_broken.run("--continue-on-collection-errors")
    result.assert_outcomes(passed=1, errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("arguments", [[], ["--continue-on-collection-errors"], ["-q"]])
def test_the_gate_never_passes_beside_a_file_that_could_not_be_read(
    one_broken: Project, arguments: list[str]
) -> None:
    result = one_broken.run("--content-bias-threshold=0", *arguments)
    assert result.ret != pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["content-bias gate: FAILED*cases/broken.bias.yaml*"])


def test_the_gate_never_passes_beside_a_folder_that_could_not_be_read(project: Project) -> None:
    project.record()
    project.cases("coal", file="more/coal.bias.yaml")
    project.write("more/conftest.py", "raise RuntimeError('broken')\n")
    result = project.run("--continue-on-collection-errors", "--content-bias-threshold=0")
    assert result.ret != pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")


def test_a_folder_that_could_not_be_read_may_have_held_all_cases(project: Project) -> None:
    (project.path / "cases/energy.bias.yaml").unlink()
    project.write("test_other.py", "def test_other():\n    pass\n")
    project.write("more/conftest.py", "raise RuntimeError('broken')\n")
    result = project.run("--continue-on-collection-errors")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["content-bias gate: FAILED*more*"])


def test_a_broken_file_that_was_not_asked_for_does_not_matter(one_broken: Project) -> None:
    assert one_broken.run(FILE).ret == pytest.ExitCode.OK


def test_a_name_that_the_locale_cannot_read_is_an_error_that_says_what_to_set(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.cases("wind", file="cases/übung.bias.yaml")
    for name, value in (("LC_ALL", "C"), ("PYTHONUTF8", "0"), ("PYTHONCOERCECLOCALE", "0")):
        monkeypatch.setenv(name, value)
    result = project.run_apart()
    result.stdout.fnmatch_lines(["*the name cannot be read in this locale; set PYTHONUTF8=1*"])
    result.stdout.no_fnmatch_line("*INTERNALERROR*")
