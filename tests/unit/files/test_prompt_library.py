import hashlib
from pathlib import Path
from typing import get_args

import pytest

from pytest_content_bias.files.prompt_format import PROMPTS
from pytest_content_bias.files.prompt_library import PromptLibrary, builtin_prompts
from pytest_content_bias.vocabulary.case import Language
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.protocols import Prompts

LANGUAGES: tuple[Language, ...] = get_args(Language)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "en").mkdir()
    return tmp_path


def write(folder: Path, name: str, content: str, absent: str = "absent: none\n") -> Path:
    path = folder / "en" / f"{name}.yaml"
    text = f"{absent}messages:\n- role: user\n  content: '{content}'\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def problem(folder: Path, name: str) -> str:
    with pytest.raises(UserFileError) as caught:
        PromptLibrary(folder).get("en", name)
    return str(caught.value)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_ships_in_every_language(language: Language, name: str) -> None:
    prompts: Prompts = PromptLibrary()

    prompt = prompts.get(language, name)

    assert prompt.name == name
    assert prompt.messages[-1].role == "user"
    assert prompt.absent


def test_no_prompt_ships_that_nothing_uses() -> None:
    files = {path.relative_to(builtin_prompts()) for path in builtin_prompts().rglob("*.yaml")}

    assert files == {Path(language, f"{name}.yaml") for language in LANGUAGES for name in PROMPTS}


def test_a_file_of_the_user_takes_the_place_of_the_built_in_of_its_name(folder: Path) -> None:
    write(folder, "reask", "Again: {{ fault }}")
    library = PromptLibrary(folder)

    assert library.get("en", "reask").messages[0].content == "Again: {{ fault }}"
    assert library.get("en", "opinions") == PromptLibrary().get("en", "opinions")
    assert library.get("de", "reask") == PromptLibrary().get("de", "reask")


def test_the_hash_is_of_the_content_and_the_same_with_windows_line_ends(folder: Path) -> None:
    path = write(folder, "reask", "{{ fault }}")
    content = path.read_bytes()
    expected = hashlib.sha256(content).hexdigest()

    assert PromptLibrary(folder).get("en", "reask").sha256 == expected
    path.write_bytes(content.replace(b"\n", b"\r\n"))
    assert PromptLibrary(folder).get("en", "reask").sha256 == expected


def test_a_prompt_is_read_once(folder: Path) -> None:
    path = write(folder, "reask", "{{ fault }}")
    library = PromptLibrary(folder)
    first = library.get("en", "reask")

    path.unlink()

    assert library.get("en", "reask") is first


def test_an_unknown_placeholder_is_refused_with_its_line(folder: Path) -> None:
    path = write(folder, "judge", "{{ question }} {{ answr }}")

    found = problem(folder, "judge")

    assert found.startswith(f"{path}:4:12: unknown placeholder 'answr'; did you mean 'answer'?")


@pytest.mark.parametrize(
    ("name", "content", "missing"),
    [
        ("judge", "{{ question }}", "answer"),
        ("judge", "{{ answer }}", "question"),
        ("rewrite_one_sided", "{{ context }}", "question"),
        ("reask", "Again.", "fault"),
        ("opinions", "List.", "answer"),
        ("opinion_verdicts", "{{ opinions }}", "categories"),
        ("opinion_reason", "{{ biased }}", "score"),
    ],
)
def test_a_prompt_without_what_it_is_about_is_refused(
    folder: Path, name: str, content: str, missing: str
) -> None:
    write(folder, name, content)

    assert f"the prompt '{name}' lacks {{{{ {missing} }}}}" in problem(folder, name)


def test_a_key_that_is_missing_or_unknown_is_refused(folder: Path) -> None:
    write(folder, "reask", "{{ fault }}", absent="")
    assert "the key 'absent' is missing" in problem(folder, "reask")

    write(folder, "reask", "{{ fault }}", absent="absent: ''\nmodel: x\n")
    assert "unknown key 'model'; known keys: absent, messages" in problem(folder, "reask")


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("en/juge.yaml", "did you mean 'judge.yaml'?"),
        ("en/judge.yml", "did you mean 'judge.yaml'?"),
        ("en/zzz.yaml", "known files: judge.yaml"),
        ("es/judge.yaml", "unknown language; known languages: de, en, fr"),
        ("reask.yaml", "expected it in the folder of its language, such as en/reask.yaml"),
    ],
)
def test_a_file_that_would_never_be_read_is_an_error(folder: Path, path: str, hint: str) -> None:
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).touch()

    with pytest.raises(UserFileError) as caught:
        PromptLibrary(folder).get("en", "opinions")

    assert hint in str(caught.value)


def test_other_files_in_the_folder_are_left_alone(folder: Path) -> None:
    for path in ("README.md", ".gitkeep", "en/notes.txt", "en/.judge.yaml.swp"):
        (folder / path).touch()

    assert PromptLibrary(folder).get("en", "judge") == PromptLibrary().get("en", "judge")


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserFileError, match="cannot be read as a folder of prompts: No such file"):
        PromptLibrary(tmp_path / "missing").get("en", "judge")


def test_a_name_that_no_prompt_has_is_an_error() -> None:
    with pytest.raises(UserFileError, match="cannot be read"):
        PromptLibrary().get("en", "nothing")
