"""Projects to measure: case files, a project file, and cassettes."""

from __future__ import annotations

import shutil
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
    passages = "".join(f"      - {_WORDS.format(n=number * 3 + extra)}\n" for extra in range(3))
    return (
        f"  - input_id: case-{number:05}\n"
        f"    prompt: What does power from plant {number} cost, and whom does it serve?\n"
        f"    expected_output: It costs {number} units; the studies do not agree on the rest.\n"
        f"    retrieved_context:\n{passages}"
    )


def write_one_test(folder: Path) -> None:
    """Write a test that uses no plugin."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "test_one.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")


def recorded_bytes(folder: Path) -> int:
    """The size of a project's cassettes."""
    return sum(path.stat().st_size for path in folder.glob("cassettes/**/*.yaml"))


def copy_recorded(source: Path, target: Path, cases: int) -> None:
    """Make a project of so many recorded cases out of another; further cases are repetitions.

    Args:
        source: a recorded project whose files have equally many cases.
        target: the new project.
        cases: how many cases it is to have.
    """
    shutil.copyfile(source / "content_bias.yaml", _made(target) / "content_bias.yaml")
    shutil.copyfile(source / "pytest.ini", target / "pytest.ini")
    files = sorted(source.glob("cases/*.bias.yaml"))
    per_file = len(list(source.glob("cassettes/cases/*/*.yaml"))) // len(files)
    assert cases % per_file == 0, f"{cases} cases cannot be made of files of {per_file}"
    for number in range(cases // per_file):
        _copy_file(files[number % len(files)], target, f"copy-{number:05}")


def _copy_file(source: Path, target: Path, file: str) -> None:
    name = source.name.removesuffix(".bias.yaml")
    shutil.copyfile(source, _made(target / "cases") / f"{file}.bias.yaml")
    folder = _made(target / "cassettes" / "cases" / file)
    old, new = f"case: cases/{name}.".encode(), f"case: cases/{file}.".encode()
    for cassette in (source.parent.parent / "cassettes" / "cases" / name).glob("*.yaml"):
        head, found, rest = cassette.read_bytes().partition(old)
        assert found, f"{cassette} names no case of {name}"
        (folder / cassette.name).write_bytes(head + new + rest)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
