import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.systems.fingerprint import compare, fingerprint, stale_system
from pytest_content_bias.vocabulary.errors import CallError, SettingsError
from pytest_content_bias.vocabulary.project import FingerprintConfig
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply, in_turn


@pytest.fixture
def app(tmp_path: Path) -> Path:
    (tmp_path / "app" / "prompts").mkdir(parents=True)
    (tmp_path / "app" / "rag.py").write_bytes(b"def answer(q):\n    return q\n")
    (tmp_path / "app" / "prompts" / "main.txt").write_bytes(b"Answer fairly.\n")
    return tmp_path


@pytest.fixture
def repository(app: Path) -> Path:
    git(app, "init", "-q")
    git(app, "add", ".")
    git(app, "commit", "-q", "-m", "Begin")
    return app


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def of_git(folder: Path, *paths: str) -> dict[str, str]:
    return dict(fingerprint(FingerprintConfig(git=paths), folder))


def test_globs_name_each_file_relative_to_the_project_file(app: Path) -> None:
    found = fingerprint(("app/**/*.py", "app/prompts/*"), app)
    assert list(found) == ["app/prompts/main.txt", "app/rag.py"]
    assert all(len(digest) == 16 for digest in found.values())


def test_a_glob_may_lead_out_of_the_folder_of_the_project_file(app: Path) -> None:
    (app / "bias").mkdir()
    assert list(fingerprint(("../app/*.py",), app / "bias")) == ["../app/rag.py"]


def test_one_changed_word_changes_the_part_of_its_file_alone(app: Path) -> None:
    before = fingerprint(("app/**/*",), app)
    (app / "app" / "prompts" / "main.txt").write_bytes(b"Answer loudly.\n")
    assert compare(before, fingerprint(("app/**/*",), app)) == ("changed app/prompts/main.txt",)


def test_files_that_come_and_go_are_told_apart(app: Path) -> None:
    before = fingerprint(("app/**/*",), app)
    (app / "app" / "rag.py").rename(app / "app" / "chat.py")
    after = fingerprint(("app/**/*",), app)
    assert compare(before, after) == ("added app/chat.py", "removed app/rag.py")


def test_line_ends_of_another_checkout_change_nothing(app: Path) -> None:
    before = fingerprint(("app/rag.py",), app)
    (app / "app" / "rag.py").write_bytes(b"def answer(q):\r\n    return q\r\n")
    assert fingerprint(("app/rag.py",), app) == before


def test_compiled_files_do_not_count(app: Path) -> None:
    before = fingerprint(("app/**/*",), app)
    (app / "app" / "__pycache__").mkdir()
    (app / "app" / "__pycache__" / "rag.cpython-311.pyc").write_bytes(b"\0")
    assert fingerprint(("app/**/*",), app) == before


def test_a_glob_that_matches_nothing_is_named(app: Path) -> None:
    with pytest.raises(SettingsError, match=r"'app/\*\.txt' matches no file in "):
        fingerprint(("app/**/*.py", "app/*.txt"), app)


def test_a_glob_that_matches_a_folder_alone_is_answered_with_the_right_one(app: Path) -> None:
    with pytest.raises(SettingsError, match=r"write app/prompts/\*\*/\*"):
        fingerprint(("app/prompts",), app)


@pytest.mark.parametrize("pattern", ["/etc/*", "", "a**b/**c**"])
def test_what_is_no_relative_glob_is_an_error_in_words(app: Path, pattern: str) -> None:
    with pytest.raises(SettingsError, match=r"system\.fingerprint"):
        fingerprint((pattern,), app)


def test_a_recording_without_fingerprint_is_not_taken_for_a_fresh_one() -> None:
    assert compare(None, {"a": "1"}) == ("recorded before `system.fingerprint` was set",)


PARTS = st.dictionaries(st.sampled_from("abcde"), st.sampled_from("12"))


@given(PARTS, PARTS)
def test_nothing_changed_exactly_when_the_fingerprints_are_equal(
    old: dict[str, str], new: dict[str, str]
) -> None:
    assert (compare(old, new) == ()) == (old == new)


@given(PARTS, PARTS)
def test_every_part_that_differs_has_its_line(old: dict[str, str], new: dict[str, str]) -> None:
    differing = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    assert {line.partition(" ")[2] for line in compare(old, new)} == differing


def test_git_knows_the_files_below_a_path(repository: Path) -> None:
    assert list(of_git(repository, "app")) == ["app/prompts/main.txt", "app/rag.py"]


def test_git_hashes_are_the_same_before_and_after_a_commit(repository: Path) -> None:
    (repository / "app" / "rag.py").write_bytes(b"changed\n")
    (repository / "app" / "new.py").write_bytes(b"new\n")
    dirty = of_git(repository, "app")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "Change")
    assert of_git(repository, "app") == dirty


def test_git_sees_what_is_not_committed(repository: Path) -> None:
    before = of_git(repository, "app")
    (repository / "app" / "rag.py").write_bytes(b"changed\n")
    (repository / "app" / "new.py").write_bytes(b"new\n")
    (repository / "app" / "prompts" / "main.txt").unlink()
    assert compare(before, of_git(repository, "app")) == (
        "added app/new.py",
        "removed app/prompts/main.txt",
        "changed app/rag.py",
    )


def test_git_leaves_out_what_it_ignores(repository: Path) -> None:
    before = of_git(repository, "app")
    (repository / ".gitignore").write_text("*.log\n", encoding="utf-8")
    (repository / "app" / "run.log").write_text("x", encoding="utf-8")
    assert of_git(repository, "app") == before


def test_git_sees_another_commit_of_a_repository_inside(repository: Path) -> None:
    inner = repository / "app" / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "One")
    before = of_git(repository, "app")
    git(inner, "commit", "-q", "--allow-empty", "-m", "Two")
    assert compare(before, of_git(repository, "app")) == ("changed app/inner/",)


def test_git_looks_at_its_own_folder_even_when_a_hook_runs_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", "elsewhere")
    assert list(of_git(repository / "app", ".")) == ["prompts/main.txt", "rag.py"]


def test_a_path_without_files_is_named(repository: Path) -> None:
    with pytest.raises(SettingsError, match="'src' has no file in "):
        of_git(repository, "app", "src")


def test_a_folder_outside_of_git_is_an_error_in_the_words_of_git(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(app.parent))
    with pytest.raises(SettingsError, match="not a git repository"):
        of_git(app, "app")


def test_a_machine_without_git_is_told(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(app))
    with pytest.raises(SettingsError, match="needs git, which is not installed"):
        of_git(app, "app")


def test_a_command_runs_in_the_folder_of_the_project_file_and_its_output_counts(app: Path) -> None:
    script = "import pathlib; print(' ', pathlib.Path('app/rag.py').exists(), '1.2.3 ')"
    command = FingerprintConfig(command=(sys.executable, "-c", script))
    assert list(fingerprint(command, app).values()) == ["True 1.2.3"]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import sys; sys.exit('no tag found')", "exit status 1: no tag found"),
        ("", "printed nothing"),
    ],
)
def test_a_command_that_does_not_print_a_version_is_an_error(
    tmp_path: Path, script: str, words: str
) -> None:
    command = FingerprintConfig(command=(sys.executable, "-c", script))
    with pytest.raises(SettingsError, match=words):
        fingerprint(command, tmp_path)


def test_a_command_that_is_not_there_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="`no-such-program` could not be run"):
        fingerprint(FingerprintConfig(command=("no-such-program",)), tmp_path)


def test_long_output_is_kept_as_a_hash(tmp_path: Path) -> None:
    command = FingerprintConfig(command=(sys.executable, "-c", "print('x' * 5000)"))
    (version,) = fingerprint(command, tmp_path).values()
    assert version.startswith("sha256 ")
    assert len(version) < 30


def test_a_url_prints_the_version_and_its_query_is_not_kept(tmp_path: Path) -> None:
    with ScriptedEndpoint(in_turn(ScriptedReply(text="v7\n"))) as endpoint:
        url = f"{endpoint.url}/version?token=planted-value"
        found = fingerprint(FingerprintConfig(url=url), tmp_path)
        assert found == {f"{endpoint.url}/version": "v7"}


def unavailable(request: ReceivedRequest) -> ScriptedReply:
    return ScriptedReply(text="starting", status=503)


def test_a_url_that_replies_with_an_error_prints_no_version(tmp_path: Path) -> None:
    with (
        ScriptedEndpoint(unavailable) as endpoint,
        pytest.raises(CallError, match="/version did not print a version: status 503"),
    ):
        fingerprint(FingerprintConfig(url=f"{endpoint.url}/version"), tmp_path)


def test_a_url_that_is_not_reached_is_a_failed_call(tmp_path: Path) -> None:
    with ScriptedEndpoint(unavailable) as endpoint:
        url = endpoint.url
    with pytest.raises(CallError, match="did not print a version"):
        fingerprint(FingerprintConfig(url=url), tmp_path)


def test_only_http_urls_are_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="found one of scheme 'file'"):
        fingerprint(FingerprintConfig(url="file:///etc/hostname"), tmp_path)


def test_a_stale_system_names_what_changed_and_how_to_record_it() -> None:
    error = stale_system("c.bias.yaml::a", ("changed app/rag.py",), 'pytest "c.bias.yaml::a"')
    assert str(error).splitlines() == [
        "c.bias.yaml::a: the system changed since its answers were recorded",
        "  changed app/rag.py",
        '  record its answers anew: pytest "c.bias.yaml::a" --content-bias-record=system',
    ]


def test_a_stale_system_with_many_changes_is_told_briefly() -> None:
    error = stale_system("c", tuple(f"changed {n}" for n in range(30)), "pytest c")
    assert len(str(error).splitlines()) == 13
    assert "and 20 more" in str(error)
