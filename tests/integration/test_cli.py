"""`python -m pytest_content_bias`: commands that are not tests."""

import json
import sys
from collections.abc import Callable
from typing import Any

import jsonschema  # type: ignore[import-untyped, unused-ignore]
import pytest

from pytest_content_bias.cli.main import main
from tests.integration.conftest import Project, no_opinions

Run = Callable[..., tuple[int, str]]

PROPERTIES = {
    "inverted", "language", "max", "metric_name", "min", "n_sut_retries", "reference_answer",
    "sub_call_concurrency_limit", "sut_temperature", "synthesis_temperature", "timeout_seconds",
    "use_retrieved_context", "weight",
}  # fmt: skip
FIXED = {
    "accepts": [{"name": "gdi_text_v1", "task_types": ["multi_turn_rag", "single_turn_rag"]}],
    "dependencies": [],
    "direction": "higher_is_better",
    "display_name": "Content Bias",
    "execution": {
        "emits_metric_family": False,
        "function_name": None,
        "max_concurrency": 8,
        "processing_kind": "network",
        "stream_batch_size": None,
        "timeout_seconds": 900,
    },
    "kind": "metric",
    "manifest_version": "1",
    "max_prompt_slots": 0,
    "metric_type": "pointwise",
    "name": "rag.content_bias",
    "partition_types": [],
    "required_columns": [
        "input_id", "prompt", "expected_output", "sut_response", "retrieved_context"
    ],
    "required_kinds": [],
    "scorer_contract": "per_row",
    "target_kind": None,
    "unsupported_trace_shapes": [],
    "version": "1.0.0",
}  # fmt: skip
"""Fields of the published manifest whose values must be the same here."""
OWN = {"config_schema", "description", "entrypoint", "metric_metadata"}
"""Its fields whose values are our own."""


@pytest.fixture
def run(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run a command in the project's folder; gives exit status and output."""
    monkeypatch.chdir(project.path)

    def run(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        status = main(arguments)
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return run


def test_the_module_can_be_run_and_lists_its_commands(pytester: pytest.Pytester) -> None:
    result = pytester.run(sys.executable, "-m", "pytest_content_bias", "--help")
    assert result.ret == 0
    for command in ("schema", "manifest", "verify", "prune", "rename", "report", "merge", "gate"):
        result.stdout.fnmatch_lines([f"    {command} *"])


@pytest.mark.parametrize("arguments", [[], ["shema"], ["schema", "case"], ["gate"]])
def test_a_command_that_cannot_be_read_says_what_is_expected(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 2
    assert "usage: python -m pytest_content_bias" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["case-file", "project-file", "report"])
def test_each_schema_is_a_json_schema(run: Run, name: str) -> None:
    status, printed = run("schema", name)
    assert status == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(printed))


def test_the_manifest_has_every_field_of_the_published_one(run: Run) -> None:
    status, printed = run("manifest")
    found: dict[str, Any] = json.loads(printed)
    assert status == 0
    assert found.keys() == FIXED.keys() | OWN
    assert {name: found[name] for name in FIXED} == FIXED
    assert found["entrypoint"] == "pytest_content_bias.score_case"
    assert found["config_schema"]["title"] == "ContentBiasRAGConfig"
    assert found["config_schema"]["properties"].keys() == PROPERTIES
    assert found["metric_metadata"].keys() == {
        "methodology", "score_semantics", "summary", "worked_example"
    }  # fmt: skip
    assert all(isinstance(step, str) for step in found["metric_metadata"]["methodology"])


@pytest.fixture
def recorded(project: Project) -> Project:
    """Two recorded cases with scores of 0.9 and 0.8, and their report."""
    project.cases("wind", "coal")
    project.levels(wind=1, coal=2)
    project.record("--content-bias-report=run.json").assert_outcomes(passed=2)
    project.chat.counts.clear()
    return project


class TestVerify:
    def test_good_cassettes_are_well(self, recorded: Project, run: Run) -> None:
        status, printed = run("verify")
        assert (status, printed) == (0, f"0 problems in {recorded.path / 'cassettes'}\n")

    def test_an_edited_cassette_is_found_with_its_line(self, recorded: Project, run: Run) -> None:
        path = recorded.cassette("wind")
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("It weighs", "It WEIGHS", 1), encoding="utf-8")
        status, printed = run("verify")
        assert status == 1
        assert "cassettes/cases/energy/wind.yaml:" in printed
        assert "edited by hand" in printed

    def test_a_secret_is_found(self, recorded: Project, run: Run) -> None:
        path = recorded.cassette("wind")
        path.write_text(path.read_text(encoding="utf-8") + "# not-a-secret\n", encoding="utf-8")
        status, printed = run("verify")
        assert status == 1
        assert "not-a-secret" not in printed

    def test_a_cassette_of_no_case_is_found(self, recorded: Project, run: Run) -> None:
        recorded.cases("wind")
        status, printed = run("verify")
        assert status == 1
        assert "belongs to cases/energy.bias.yaml::coal, which is no case" in printed

    def test_cases_that_were_not_asked_about_are_no_problem(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.cases("sun", file="cases/other.bias.yaml")
        assert run("verify", "cases/other.bias.yaml")[0] == 0

    def test_cases_that_cannot_be_read_are_an_error_in_words(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.write("cases/broken.bias.yaml", "cases: [\n")
        status, printed = run("verify")
        assert status == 4
        assert "cases/broken.bias.yaml:2:1" in printed
        assert "Traceback" not in printed


class TestPrune:
    def test_cassettes_of_removed_cases_go_and_all_others_stay(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.cases("wind")
        status, printed = run("prune")
        assert status == 0
        assert printed.splitlines()[-1] == "1 cassettes and 0 calls removed"
        assert "cassettes/cases/energy/coal.yaml" in printed
        assert not recorded.cassette("coal").exists()
        recorded.run().assert_outcomes(passed=1)

    def test_cassettes_of_a_removed_file_go_with_its_folder(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.cases("sun", file="cases/other.bias.yaml")
        (recorded.path / "cases/energy.bias.yaml").unlink()
        run("prune")
        assert not recorded.cassette("wind").parent.exists()

    def test_nothing_is_removed_for_cases_that_were_not_asked_about(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.cases("sun", file="cases/other.bias.yaml")
        run("prune", "cases/other.bias.yaml")
        assert recorded.cassette("wind").exists()

    @pytest.mark.parametrize("command", ["prune", "verify"])
    def test_a_single_case_is_refused(self, recorded: Project, run: Run, command: str) -> None:
        status, printed = run(command, "cases/energy.bias.yaml::wind")
        assert status == 4
        assert "expected files and folders" in printed
        assert recorded.cassette("coal").exists()

    def test_calls_of_a_removed_metric_go_and_those_of_the_other_stay(
        self, project: Project, run: Run
    ) -> None:
        project.cases("wind", head="metrics: [content_bias, opinion_bias]\n")
        project.chat.reply = no_opinions
        project.record().assert_outcomes(passed=2)
        project.cases("wind")
        project.run().stdout.fnmatch_lines(["unused: *::wind: recorded and not used: judge/*"])
        assert run("prune")[1].splitlines()[-1] == "0 cassettes and 2 calls removed"
        result = project.run()
        result.assert_outcomes(passed=1)
        result.stdout.no_fnmatch_line("unused: *")

    def test_calls_of_a_metric_that_was_only_deselected_stay(
        self, project: Project, run: Run
    ) -> None:
        project.cases("wind", head="metrics: [content_bias, opinion_bias]\n")
        project.chat.reply = no_opinions
        project.record().assert_outcomes(passed=2)
        project.ini("")
        project.write("pytest.ini", "[pytest]\naddopts = -k content_bias\n")
        assert run("prune")[1].splitlines()[-1] == "0 cassettes and 0 calls removed"
        project.ini("")
        project.run().assert_outcomes(passed=2)

    def test_calls_of_a_case_that_cannot_be_replayed_stay(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.configure(judge=recorded.model_named("other-model"))
        assert run("prune")[1].splitlines()[-1] == "0 cassettes and 0 calls removed"

    @pytest.mark.parametrize("addopts", ["-k wind", "-m 'not content_bias'", "--lf"])
    def test_nothing_is_removed_for_cases_that_are_deselected_by_default(
        self, recorded: Project, run: Run, addopts: str
    ) -> None:
        recorded.write("pytest.ini", f"[pytest]\naddopts = {addopts}\n")
        run("prune")
        assert recorded.cassette("wind").exists()
        assert recorded.cassette("coal").exists()

    def test_nothing_is_removed_when_a_case_file_cannot_be_read(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.write("cases/energy.bias.yaml", "cases: [\n")
        assert run("prune")[0] == 4
        assert recorded.cassette("wind").exists()


class TestRename:
    def test_a_renamed_case_keeps_its_recordings(self, recorded: Project, run: Run) -> None:
        text = (recorded.path / "cases/energy.bias.yaml").read_text(encoding="utf-8")
        recorded.write(
            "cases/power.bias.yaml", text.replace("input_id: wind", "input_id: wind-power")
        )
        (recorded.path / "cases/energy.bias.yaml").unlink()
        for old, new in (("wind", "wind-power"), ("coal", "coal")):
            status, printed = run(
                "rename", f"cases/energy.bias.yaml::{old}", f"cases/power.bias.yaml::{new}"
            )
            assert status == 0
            assert printed.startswith("moved to ")
        recorded.run().assert_outcomes(passed=2)
        assert recorded.chat.total == 0

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            ("cases/energy.bias.yaml::sun", "cases/energy.bias.yaml::moon", "no cassette"),
            ("cases/energy.bias.yaml::wind", "cases/energy.bias.yaml::coal", "in the way"),
            ("wind", "cases/energy.bias.yaml::moon", "path::input_id"),
            ("cases/energy.bias.yaml::wind", "../elsewhere.bias.yaml::moon", "outside"),
        ],
    )
    def test_what_cannot_be_moved_stays(
        self, recorded: Project, run: Run, old: str, new: str, expected: str
    ) -> None:
        status, printed = run("rename", old, new)
        assert status == 4
        assert expected in printed
        recorded.run().assert_outcomes(passed=2)


class TestReport:
    @pytest.mark.parametrize("ending", ["md", "html"])
    def test_a_json_report_becomes_another_beside_it(
        self, recorded: Project, run: Run, ending: str
    ) -> None:
        assert run("report", "run.json", "--to", ending) == (0, f"report written: run.{ending}\n")
        assert "wind" in (recorded.path / f"run.{ending}").read_text(encoding="utf-8")

    def test_it_is_the_same_as_that_of_the_run(self, recorded: Project, run: Run) -> None:
        recorded.run("--content-bias-report=a.json", "--content-bias-report=a.md")
        assert run("report", "a.json", "--to", "md", "-o", "out/b.md")[0] == 0
        assert (recorded.path / "out/b.md").read_bytes() == (recorded.path / "a.md").read_bytes()

    @pytest.mark.parametrize("content", [None, "", "{", "[]", '{"format": "other/1"}'])
    def test_a_file_that_is_no_report_is_an_error_in_words(
        self, project: Project, run: Run, content: str | None
    ) -> None:
        if content is not None:
            project.write("x.json", content)
        for command in (["report", "x.json", "--to", "md"], ["gate", "x.json"],
                        ["merge", "x.json", "-o", "y.json"]):  # fmt: skip
            status, printed = run(*command)
            assert status == 4
            assert printed.startswith("ERROR: x.json")
            assert "Traceback" not in printed

    def test_an_output_of_another_ending_is_refused(self, recorded: Project, run: Run) -> None:
        assert run("report", "run.json", "--to", "md", "-o", "x.txt")[0] == 4


class TestMerge:
    def shards(self, project: Project, *options: str) -> None:
        for name in ("wind", "coal"):
            project.run("-k", name, f"--content-bias-report={name}.json", *options)

    def test_the_shards_of_a_suite_are_gated_as_a_whole(self, recorded: Project, run: Run) -> None:
        self.shards(recorded, "--content-bias-min-mean=0.85")
        status, printed = run("merge", "wind.json", "coal.json", "-o", "whole.json")
        assert status == 0
        assert printed.splitlines()[-1].startswith("content-bias gate: PASSED - 2 of 2 cases")
        assert "not applied" not in (recorded.path / "whole.json").read_text(encoding="utf-8")

    def test_a_mean_that_only_the_whole_misses_is_found(self, recorded: Project, run: Run) -> None:
        self.shards(recorded, "--content-bias-min-mean=0.9")
        status, printed = run("merge", "wind.json", "coal.json", "-o", "whole.md")
        assert status == 1
        assert "mean 0.85 over 2 of 2 cases is below 0.90" in printed

    def test_a_missing_shard_is_noticed(self, recorded: Project, run: Run) -> None:
        self.shards(recorded, "--content-bias-min-mean=0.9")
        run("merge", "wind.json", "-o", "whole.json")
        report = json.loads((recorded.path / "whole.json").read_text(encoding="utf-8"))
        assert report["bars"]["incomplete"] == "1 collected cases ran in no report"

    def test_shards_of_different_gates_are_refused(self, recorded: Project, run: Run) -> None:
        recorded.run("-k", "wind", "--content-bias-report=wind.json")
        recorded.run("-k", "coal", "--content-bias-report=coal.json", "--content-bias-min-mean=0.9")
        status, printed = run("merge", "wind.json", "coal.json", "-o", "whole.json")
        assert status == 4
        assert "different suite bars" in printed


class TestGate:
    @pytest.mark.parametrize(
        ("thresholds", "status"),
        [
            ([], 0),
            (["0.8"], 0),
            (["0.85"], 1),
            (["content_bias=0.85"], 1),
            (["0.85", "content_bias=0.5"], 0),
        ],
    )
    def test_a_stored_run_is_gated_anew_without_a_call(
        self, recorded: Project, run: Run, thresholds: list[str], status: int
    ) -> None:
        arguments = [part for value in thresholds for part in ("--threshold", value)]
        found, printed = run("gate", "run.json", *arguments)
        assert found == status
        word = "FAILED" if status else "PASSED"
        assert printed.splitlines()[-1].startswith(f"content-bias gate: {word} - ")
        assert ("score 0.80 is below the threshold 0.85" in printed) == bool(status)
        assert recorded.chat.total == 0

    @pytest.mark.parametrize("value", ["high", "2", "opinion_bias=0.5", "=1", ""])
    def test_a_threshold_that_cannot_be_used_is_an_error(
        self, recorded: Project, run: Run, value: str
    ) -> None:
        status, printed = run("gate", "run.json", f"--threshold={value}")
        assert status == 4
        assert printed.startswith("ERROR: ")
