"""The section that closes a run, on terminals of every kind."""

import re
import subprocess
import sys

import pytest

from tests.integration.conftest import Project, no_opinions
from tests.scripted_chat import ANSWER


@pytest.fixture
def mixed(project: Project) -> Project:
    """Scores from 1.0 to 0.1, and a case without a recording."""
    project.cases("wind", "sun", "coal", "tide", each="tags: [power]\n")
    project.cases("extraordinarily-long-name", file="cases/other.bias.yaml")
    project.levels(**{"wind": 0, "sun": 1, "coal": 6, "tide": 9, "extraordinarily-long-name": 2})
    project.record("-k", "not sun")
    return project


def section(result: pytest.RunResult) -> list[str]:
    """The lines between the section's heading and pytest's own summary."""
    start = next(at for at, line in enumerate(result.outlines) if "= content bias =" in line)
    rest = result.outlines[start + 1 :]
    closing = re.compile(r"===|\d+ (passed|failed)")
    end = next((at for at, line in enumerate(rest) if closing.match(line)), len(rest))
    return rest[:end]


def rows(result: pytest.RunResult) -> list[str]:
    return [line for line in section(result) if re.match("(PASSED|FAILED|ERROR) ", line)]


def test_errors_come_first_then_failures_then_passes_each_from_the_worst_up(
    mixed: Project,
) -> None:
    found = [[*line.split()[:2], line.split("::")[1]] for line in rows(mixed.run())]
    assert found == [
        ["ERROR", "-", "sun"],
        ["FAILED", "0.10", "tide"],
        ["FAILED", "0.40", "coal"],
        ["PASSED", "0.80", "extraordinarily-long-name"],
        ["PASSED", "1.00", "wind"],
    ]


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_columns_are_aligned(mixed: Project, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    result = mixed.run()
    heading = next(line for line in section(result) if line.endswith("  case"))
    at = heading.index("case")
    assert {line[at:].partition("/")[0] for line in rows(result)} == {"cases"}
    assert all(line[at - 2 : at] == "  " for line in rows(result))
    least = heading.index("least")
    assert {line[least:].split()[0] for line in rows(result)} == {"0.80"}


def test_a_narrow_terminal_gets_no_bias_values_and_a_wide_one_gets_them(
    mixed: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    narrow = mixed.run()
    assert "one-sided" not in "".join(section(narrow))
    assert len(rows(narrow)) == 5
    monkeypatch.setenv("COLUMNS", "120")
    assert "one-sided" in "".join(section(mixed.run()))


def test_the_verdict_is_the_last_line_of_the_section(mixed: Project) -> None:
    for arguments in ([], ["-v"], ["-q"], ["-qq"], ["--tb=no"], ["-k", "wind"]):
        lines = section(mixed.run(*arguments))
        assert [at for at, line in enumerate(lines) if "content-bias gate:" in line] == [
            len(lines) - 1
        ]


def test_more_verbosity_shows_roles_and_groups(mixed: Project) -> None:
    plain, verbose = mixed.run(), mixed.run("-v")
    assert "tag power" not in plain.stdout.str()
    verbose.stdout.fnmatch_lines(
        [
            "  generator: 12 replayed, 0 paid",
            "  system: 12 replayed, 0 paid",
            "  judge: 12 replayed, 0 paid",
            "content_bias of language en: mean 0.57 over 4 of 4 cases",
            "content_bias of tag power: mean 0.50 over 3 of 4 cases",
        ]
    )


def test_less_verbosity_shows_what_did_not_pass_and_the_verdict(mixed: Project) -> None:
    result = mixed.run("-q")
    assert [line.split()[0] for line in rows(result)] == ["ERROR", "FAILED", "FAILED"]
    assert len(section(result)) == 5
    passing = mixed.run("-q", "-k", "wind")
    assert [line for line in section(passing) if line] == [
        "content-bias gate: PASSED - 1 of 1 case at or above their threshold, mean 1.00"
    ]


def test_without_tracebacks_the_table_and_the_verdict_remain(mixed: Project) -> None:
    result = mixed.run("--tb=no")
    assert len(rows(result)) == 5
    assert "asked   " not in result.stdout.str()
    result.stdout.fnmatch_lines(["content-bias gate: FAILED - 2 of 5 cases below*"])


@pytest.mark.parametrize("style", ["short", "line", "native", "long", "auto"])
def test_every_style_of_traceback_shows_words_and_no_traceback(mixed: Project, style: str) -> None:
    result = mixed.run(f"--tb={style}")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    text = result.stdout.str()
    assert "score 0.10 is below the threshold 0.80" in text
    assert "--content-bias-record=missing" in text
    assert "Traceback" not in text
    assert "collection.py" not in text


def test_the_place_of_a_failure_is_the_case_in_its_file(mixed: Project) -> None:
    file = mixed.path / "cases/energy.bias.yaml"
    result = mixed.run("--tb=line")
    result.stdout.fnmatch_lines([f"{file}:17: CaseFailed: content_bias: score 0.10 is below*"])


def test_colour_comes_and_goes_as_pytest_is_told(mixed: Project) -> None:
    assert "\x1b[" not in mixed.run("--color=no").stdout.str()
    coloured = mixed.run("--color=yes").stdout.str()
    assert "\x1b[32mPASSED\x1b[0m  1.00" in coloured
    assert "\x1b[31mFAILED\x1b[0m  0.10" in coloured
    assert re.search(r"(\x1b\[\d+m)+content-bias gate: FAILED", coloured)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437", "utf-8"])
def test_terminals_that_cannot_show_everything_show_the_rest(
    mixed: Project, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setenv("PYTHONUTF8", "0")
    text = _output(mixed, encoding, "-v", "-k", "tide or wind")
    assert "Error" not in text.replace("CaseError", "")
    assert ("▇" in text) == (encoding == "utf-8")
    assert "content-bias gate: FAILED - 1 of 2 cases below their threshold" in text
    assert re.search(r"PASSED  1\.00   0\.80 ", text)


def _output(project: Project, encoding: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "pytest", *arguments]
    done = subprocess.run(command, cwd=project.path, capture_output=True, check=False)
    assert done.stderr == b""
    return done.stdout.decode(encoding)


def test_passed_cases_of_a_large_suite_are_counted_and_shown_when_asked_for(
    project: Project,
) -> None:
    names = [f"case{number}" for number in range(60)]
    project.cases(*names, head="metrics: [opinion_bias]\n", each=f"sut_response: {ANSWER}\n")
    project.chat.reply = no_opinions
    project.record().assert_outcomes(passed=60)
    result = project.run()
    assert len(rows(result)) == 50
    result.stdout.fnmatch_lines(["... and 10 more cases that passed (-v shows all)"])
    assert len(rows(project.run("-v"))) == 60


def test_a_recording_run_says_what_it_paid(project: Project) -> None:
    project.record().stdout.fnmatch_lines(
        [
            "calls: 0 replayed, 9 paid (99 tokens in, 63 out)",
            "  *::wind::content_bias: 0 replayed, 9 paid (99 tokens in, 63 out)",
        ]
    )
