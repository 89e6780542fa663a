"""Hooks: a folder's conftest changes who plays a role, adds metrics, and is told of results."""

import pytest

from tests.integration.conftest import Project

OWN_SYSTEM = """
from pytest_content_bias import Answer

class Own:
    name = "own system"

    async def answer(self, exchange, slot, question):
        return Answer(text="Own words with costs and benefits.", contexts=None), ()

def pytest_content_bias_make_system(config, system, folder):
    assert (folder / "content_bias.yaml").exists()
    return Own()
"""
OWN_JUDGE = """
from pytest_content_bias.models.factory import chat_model

def pytest_content_bias_make_chat_model(config, role, model):
    if role == "judge":
        return chat_model(model.model_copy(update={"model": "judge-of-the-conftest"}))
"""
OWN_METRIC = """
from pytest_content_bias import CaseScore

async def brevity(bench, config):
    words = len((bench.case.sut_response or "").split())
    return CaseScore(
        case=bench.case, metric="brevity", language=config.language, value=1 / max(1, words)
    )

def pytest_content_bias_metrics(config):
    return {"brevity": brevity}
"""
LISTENER = """
from pathlib import Path

def pytest_content_bias_case_scored(config, result):
    with Path("heard.txt").open("a") as file:
        print(result.node_id, result.outcome.value, result.value, file=file)

def pytest_content_bias_gated(config, report):
    with Path("heard.txt").open("a") as file:
        print("gated", report.passed, len(report.results), file=file)
"""


@pytest.fixture
def folders(project: Project) -> Project:
    """The same case in two folders."""
    project.cases("wind", file="one/a.bias.yaml")
    project.cases("wind", file="two/a.bias.yaml")
    (project.path / "cases/energy.bias.yaml").unlink()
    return project


def test_a_conftest_replaces_the_system_for_its_folder_only(folders: Project) -> None:
    folders.write("one/conftest.py", OWN_SYSTEM)
    report = folders.reported("--content-bias-record=missing")
    answers = {
        result.case.path: variant.answer.text
        for result in report.results
        if result.score
        for variant in result.score.variants
        if variant.answer
    }
    assert answers["one/a.bias.yaml"] == "Own words with costs and benefits."
    assert answers["two/a.bias.yaml"].startswith("The sources name both")
    assert folders.chat.counts == {"generator": 6, "system": 3, "judge": 6}


def test_a_conftest_replaces_one_role_for_its_folder_only(folders: Project) -> None:
    folders.write("one/conftest.py", OWN_JUDGE)
    report = folders.reported("--content-bias-record=missing")
    judges = {r.case.path: r.score.models["judge"] for r in report.results if r.score}
    assert judges == {
        "one/a.bias.yaml": "judge-of-the-conftest",
        "two/a.bias.yaml": "scripted-model",
    }


def test_a_conftest_adds_a_metric_for_its_folder(folders: Project) -> None:
    folders.write("one/conftest.py", OWN_METRIC)
    folders.cases("short", file="one/b.bias.yaml", head="metrics: [brevity]\n",
                  each="sut_response: It depends.\nthreshold: 0.4\n")  # fmt: skip
    result = folders.run("one/b.bias.yaml")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["PASSED  0.50   0.40*one/b.bias.yaml::short::brevity"])


def test_a_metric_of_one_folder_is_not_known_in_another(folders: Project) -> None:
    folders.write("one/conftest.py", OWN_METRIC)
    folders.cases("short", file="two/b.bias.yaml", head="metrics: [brevity]\n")
    result = folders.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*two/b.bias.yaml:1:11: unknown metric 'brevity'*"])


def test_thresholds_can_be_given_for_a_metric_of_a_conftest(folders: Project) -> None:
    folders.write("one/conftest.py", OWN_METRIC)
    folders.cases("short", file="one/b.bias.yaml", head="metrics: [brevity]\n",
                  each="sut_response: It depends.\n")  # fmt: skip
    option = "--content-bias-threshold=brevity="
    folders.run(f"{option}0.6", "one/b.bias.yaml").assert_outcomes(failed=1)
    folders.run(f"{option}0.4", "one/b.bias.yaml").assert_outcomes(passed=1)


def test_a_listener_hears_of_each_case_and_then_of_the_gate(project: Project) -> None:
    project.cases("wind", "coal")
    project.levels(wind=1, coal=6)
    project.write("conftest.py", LISTENER)
    project.record()
    assert (project.path / "heard.txt").read_text(encoding="utf-8").splitlines() == [
        "cases/energy.bias.yaml::wind::content_bias passed 0.9",
        "cases/energy.bias.yaml::coal::content_bias failed 0.4",
        "gated False 2",
    ]


def test_a_listener_hears_of_errors_too(project: Project) -> None:
    project.write("conftest.py", LISTENER)
    project.run()
    heard = (project.path / "heard.txt").read_text(encoding="utf-8")
    assert heard.startswith("cases/energy.bias.yaml::wind::content_bias error None\n")


def test_a_hook_that_breaks_while_a_role_is_made_never_passes(project: Project) -> None:
    project.record()
    project.write(
        "conftest.py",
        """
        def pytest_content_bias_make_system(config, system, folder):
            raise RuntimeError("no system today")
        """,
    )
    result = project.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no system today*"])
    result.stdout.no_fnmatch_line("content-bias gate: PASSED*")
