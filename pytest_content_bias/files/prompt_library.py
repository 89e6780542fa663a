"""Prompts: those that ship with the package, and the user's in their place."""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import get_args

from pytest_content_bias.files.findings import refuse, suggestion
from pytest_content_bias.files.prompt_format import PROMPTS, PromptFormat, check_prompt
from pytest_content_bias.files.text_file import decode, read_bytes, shown
from pytest_content_bias.files.validation import validate
from pytest_content_bias.files.yaml_reader import parse_yaml
from pytest_content_bias.vocabulary.case import Language, Message
from pytest_content_bias.vocabulary.errors import UserFileError
from pytest_content_bias.vocabulary.protocols import Prompt

_PACKAGE = Path(__file__).resolve().parent.parent
_LANGUAGES: tuple[str, ...] = get_args(Language)
_YAML = frozenset({".yaml", ".yml"})
_FILE_NAMES = frozenset(f"{name}.yaml" for name in PROMPTS)


def builtin_prompts() -> Path:
    """The folder of the prompts that ship with the package.

    A wheel holds them inside the package. In a checkout they stand beside it, where an editable
    install finds them, too.
    """
    packaged = _PACKAGE / "prompts"
    return packaged if packaged.is_dir() else _PACKAGE.parent / "prompts"


class PromptLibrary:
    """Finds prompts by language and name; each file is read once.

    Args:
        prompt_dir: the user's folder, laid out as the built-in one: `<language>/<name>.yaml`. A
            file there takes the place of the built-in of the same name.
    """

    def __init__(self, prompt_dir: Path | None = None) -> None:
        self._prompt_dir = prompt_dir
        self._read: dict[tuple[Language, str], Prompt] = {}

    def get(self, language: Language, name: str) -> Prompt:
        """The prompt of a name in a language.

        Raises:
            UserFileError: there is none, or it cannot be used; or the user's folder does not exist
                or holds a file that no prompt uses.
        """
        if (language, name) not in self._read:
            self._read[language, name] = _read_prompt(self._find(language, name), name)
        return self._read[language, name]

    @cached_property
    def _roots(self) -> list[Path]:
        if self._prompt_dir is None:
            return [builtin_prompts()]
        _refuse_misplaced(self._prompt_dir)
        return [self._prompt_dir, builtin_prompts()]

    def _find(self, language: Language, name: str) -> Path:
        paths = [root / language / f"{name}.yaml" for root in self._roots]
        return next((path for path in paths if path.is_file()), paths[-1])


def _read_prompt(path: Path, name: str) -> Prompt:
    data = read_bytes(path)
    document = parse_yaml(decode(data, path), path)
    prompt = validate(document, PromptFormat, document.value)
    if findings := list(check_prompt(name, prompt)):
        refuse(document, findings)
    return Prompt(
        name=name,
        sha256=hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest(),
        messages=tuple(Message(role=turn.role, content=turn.content) for turn in prompt.messages),
        absent=prompt.absent,
    )


def _refuse_misplaced(folder: Path) -> None:
    """Refuse what stands in the user's folder and would never be read."""
    for entry in _visible(folder):
        if entry.is_dir():
            _refuse_misplaced_in_language(entry)
        elif entry.suffix in _YAML:
            problem = "not read here: expected it in the folder of its language, such as "
            raise UserFileError(shown(entry), None, None, f"{problem}en/{entry.name}")


def _refuse_misplaced_in_language(folder: Path) -> None:
    if folder.name not in _LANGUAGES:
        problem = f"unknown language; {suggestion(folder.name, _LANGUAGES, 'languages')}"
        raise UserFileError(shown(folder), None, None, problem)
    for path in _visible(folder):
        if path.suffix in _YAML and path.name not in _FILE_NAMES:
            problem = f"no prompt of this name; {suggestion(path.name, _FILE_NAMES, 'files')}"
            raise UserFileError(shown(path), None, None, problem)


def _visible(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        problem = f"cannot be read as a folder of prompts: {error.strerror}"
        raise UserFileError(shown(folder), None, None, problem) from None
