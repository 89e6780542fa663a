"""The function that a project file names is found, or the error says why not."""

import sys
from pathlib import Path

import pytest

from pytest_content_bias.systems.python import PythonSystem
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.project import PythonSystemConfig
from tests.unit.systems.python_helpers import Make, attended


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("rag_ap:answer", r"there is no module 'rag_ap' in .*; did you mean 'rag_app'\?"),
        (
            "rag_pkg.chains:f",
            r"there is no module 'rag_pkg\.chains' .*; did you mean 'rag_pkg\.chain'\?",
        ),
        ("rag_app:anwser", r"module 'rag_app' has no 'anwser'; did you mean 'answer'\?"),
        ("rag_app:answer.run", "'answer' has no 'run'"),
        ("rag_app:NUMBER", "it is a int; expected a function"),
    ],
)
def test_a_target_that_is_not_there_is_told_with_the_nearest_name(
    make: Make, tmp_path: Path, target: str, words: str
) -> None:
    (tmp_path / "rag_pkg").mkdir()
    (tmp_path / "rag_pkg" / "chain.py").touch()
    with pytest.raises(SettingsError, match=rf"content_bias\.yaml: system\.target '.*': {words}"):
        make("NUMBER = 3\ndef answer(q): return ''", target)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import not_installed_anywhere", "No module named 'not_installed_anywhere'"),
        ("1 / 0", "ZeroDivisionError"),
        ("def answer(:", "SyntaxError"),
        ("raise SystemExit('usage')", "SystemExit: usage"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_in_words(
    make: Make, source: str, words: str
) -> None:
    with pytest.raises(SettingsError, match=f"importing rag_app failed: .*{words}"):
        make(source)


def test_the_line_that_fails_at_import_is_shown(make: Make) -> None:
    with pytest.raises(SettingsError, match=r'File "rag_app.py", line 2, in <module>'):
        make("import sys\nNUMBER = 1 / 0\n")


def test_another_folders_module_of_the_same_name_is_not_taken_for_ours(
    make: Make, tmp_path: Path
) -> None:
    make("def answer(q): return 'first'")
    other = tmp_path / "other"
    other.mkdir()
    (other / "rag_app.py").write_text("def answer(q): return 'second'", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"'rag_app' was imported from .* has another"):
        PythonSystem(PythonSystemConfig(type="python", target="rag_app:answer"), other, attended)


def test_the_folder_of_the_project_file_is_importable_once(make: Make, tmp_path: Path) -> None:
    for _ in range(2):
        make("def answer(q): return ''")
    assert sys.path.count(str(tmp_path)) == 1
