"""Projects to measure: case files, a project file, and cassettes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

_WORDS = (
    "The study of the year {n} names costs of {n} units for the plant in district {n}, and it "
    "holds that the price of the alternative has fallen since. Its authors point out that the "
    "figures of {n} sites differ by a third, that wind, sun and storage were counted together, "
    "and that nobody has yet measured the cost of the lines that all of them need."
)


def write_project(folder: Path, url: str) -> None:
    """Write the project file: one scripted model plays every role.

    Args:
        folder: the project's root directory.
        url: the endpoint's base URL.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model = f"{{base_url: '{url}', api_key: none-needed, model: scripted}}"
    system = (
        f"system:\n  type: chat\n  model: {model}\n"
        "  system_prompt: You answer questions about energy, from the passages alone.\n"
        "  template: |\n    {{ context }}\n\n    Question: {{ question }}\n"
    )
    text = f"generator: {model}\njudge: {model}\n{system}"
    (folder / "content_bias.yaml").write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def write_cases(path: Path, numbers: range) -> None:
    """Write a case file.

    Args:
        path: the file.
        numbers: of its cases; the text of each case follows from its number.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("cases:\n" + "".join(map(_case, numbers)), encoding="utf-8")


def _case(number: int) -> str:
    passages = "".join(
        f"      - {_WORDS.format(n=number * 3 + extra)}\n" for extra in range(3)
    )
    return (
        f"  - input_id: case-{number:05}\n"
        f"    prompt: What does power from plant {number} cost, and whom does it serve?\n"
        f"    expected_output: It costs {number} units; the studies do not agree on the rest.\n"
        f"    retrieved_context:\n{passages}"
    )


def case_files(folder: Path) -> Iterator[Path]:
    """The case files of a project."""
    yield from sorted(folder.glob("cases/**/*.bias.yaml"))


def cassettes(folder: Path) -> list[Path]:
    """The cassettes of a project."""
    return sorted(folder.glob("cassettes/**/*.yaml"))


def copy_recorded(source: Path, target: Path, file: str) -> None:
    """Copy a case file with its cassettes under another name; the cases are asked the same.

    Args:
        source: the case file to copy, in `cases/` of its project.
        target: the root directory of the project that the copy goes to.
        file: the copy's name without its ending.
    """
    (target / "cases").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target / "cases" / f"{file}.bias.yaml")
    name = source.name.removesuffix(".bias.yaml")
    recorded = source.parent.parent / "cassettes" / "cases" / name
    folder = target / "cassettes" / "cases" / file
    folder.mkdir(parents=True, exist_ok=True)
    old, new = f"case: cases/{name}.", f"case: cases/{file}."
    for cassette in recorded.glob("*.yaml"):
        head, found, rest = cassette.read_bytes().partition(old.encode())
        assert found, f"{cassette} names no case of {name}"
        (folder / cassette.name).write_bytes(head + new.encode() + rest)
