"""`python -m pytest_content_bias`: commands that work on JSON reports."""

import json

import pytest

from tests.integration.conftest import Project, Run


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

    def test_the_same_report_twice_is_refused_and_both_are_named(
        self, recorded: Project, run: Run
    ) -> None:
        self.shards(recorded)
        whole = (recorded.path / "wind.json").read_text(encoding="utf-8")
        recorded.write("copies/wind.json", whole)
        for other in ("wind.json", "./wind.json", "copies/wind.json"):
            status, printed = run("merge", "wind.json", "coal.json", other, "-o", "whole.json")
            assert status == 4
            again = other.removeprefix("./")
            assert printed.startswith(f"ERROR: wind.json and {again} are the same report")
        assert not (recorded.path / "whole.json").exists()

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
