"""`python -m pytest_content_bias`: commands that work on cassettes."""

import pytest

from pytest_content_bias.cassettes.journal import Journal
from pytest_content_bias.cassettes.tape import Tape
from tests.integration.conftest import Project, Run, no_opinions


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
    def test_a_recording_that_did_not_end_stays_while_there_is_its_case(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.cases("sun", file="cases/other.bias.yaml")
        path = recorded.cassette("coal")
        journal = path.with_name(".coal.yaml.journal")
        tape = Tape("cases/energy.bias.yaml::coal")
        Journal(path, tape, tape.data(), {}).close()
        path.unlink()
        assert run("verify", "cases/other.bias.yaml")[1].splitlines()[0].endswith("record "
            "cases/energy.bias.yaml::coal again.")  # fmt: skip
        run("prune", "cases/other.bias.yaml")
        assert journal.exists()
        recorded.cases("wind")
        run("prune")
        assert not journal.exists()

    def test_cassettes_of_removed_cases_go_and_all_others_stay(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.cases("wind")
        status, printed = run("prune")
        assert status == 0
        assert printed.splitlines()[-1] == "1 files and 0 calls removed"
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
        assert run("prune")[1].splitlines()[-1] == "0 files and 2 calls removed"
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
        assert run("prune")[1].splitlines()[-1] == "0 files and 0 calls removed"
        project.ini("")
        project.run().assert_outcomes(passed=2)

    def test_calls_of_a_case_that_cannot_be_replayed_stay(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.configure(judge=recorded.model_named("other-model"))
        assert run("prune")[1].splitlines()[-1] == "0 files and 0 calls removed"

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

    def test_a_case_file_with_another_ending_keeps_its_recordings_though_a_test_is_broken(
        self, recorded: Project, run: Run
    ) -> None:
        file = recorded.path / "cases" / "energy.bias.yaml"
        file.rename(file.with_suffix(".yml"))
        recorded.write("test_broken.py", "import nothing_of_this_name\n")
        for name in ("wind", "coal"):
            old, new = (f"cases/energy.bias.{ending}::{name}" for ending in ("yaml", "yml"))
            recorded.run("cases").stdout.fnmatch_lines(
                [f"*pytest_content_bias rename {old} {new}*"]
            )
            assert run("rename", old, new)[0] == 0
        recorded.run("cases").assert_outcomes(passed=2)
        assert recorded.chat.total == 0

    def test_testpaths_that_are_missing_are_no_traceback_and_do_not_keep_a_case_from_its_name(
        self, recorded: Project, run: Run
    ) -> None:
        ini = "[pytest]\ntestpaths = missing\nfilterwarnings = error\n"
        recorded.write("pytest.ini", ini)
        old, new = (f"cases/energy.bias.yaml::{name}" for name in ("wind", "breeze"))
        assert run("rename", old, new)[0] == 0
        status, printed = run("verify")
        assert status != 0
        assert "No files were found in testpaths" in printed

    def test_the_settings_are_those_of_this_folder_and_not_of_the_case_file(
        self, recorded: Project, run: Run
    ) -> None:
        recorded.write("cases/pytest.ini", "[pytest]\n")
        old, new = (f"cases/energy.bias.yaml::{name}" for name in ("wind", "breeze"))
        assert run("rename", old, new)[0] == 0
        assert (recorded.path / "cassettes/cases/energy/breeze.yaml").exists()

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
