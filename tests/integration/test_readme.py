"""Whatever the README shows is true: its YAML is read, its commands are run, its tables renewed."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from pytest_content_bias.files.case_file import read_case_text
from pytest_content_bias.files.project_file import read_project_file
from tests.readme_tables import README, renewed
from tests.scripted_chat import ScriptedChat
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply

ROOT = README.parent
TEXT = README.read_text("utf-8")
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)

EXIT_STATUS = {
    "pytest examples/slanted --content-bias-threshold=0.8": 1,
    "python -m pytest_content_bias gate report.json --threshold 0.9": 0,
}
"""Commands that do not end with 0, or whose number matters."""
ELSEWHERE = {
    'python -m pip install ".[test]"': "tests/packaging",
    "python -m pip install .": "tests/packaging",
    "python -m pytest": "this very run",
}
"""Commands that this file does not run, and what does."""


@dataclass(frozen=True)
class Block:
    language: str
    text: str

    @property
    def file(self) -> str:
        """The file that the first line's comment names."""
        return self.text.partition("\n")[0].removeprefix("#").strip()


def blocks(language: str) -> list[Block]:
    found = []
    for indent, name, text in _BLOCK.findall(TEXT):
        if name == language:
            found.append(Block(name, re.sub(f"^{indent}", "", text, flags=re.MULTILINE)))
    return found


def commands() -> list[str]:
    lines = [line for block in blocks("console") for line in block.text.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def in_example(command: str) -> bool:
    return command.startswith("pytest examples")


def test_the_tables_are_those_of_the_code() -> None:
    assert renewed(TEXT) == TEXT, "run: python -m tests.readme_tables"


@pytest.mark.parametrize("block", blocks("yaml"), ids=lambda block: block.file)
def test_every_yaml_block_can_be_used(block: Block, tmp_path: Path) -> None:
    if block.file.endswith(".bias.yaml"):
        assert read_case_text(block.text, block.file)
    elif block.file == "content_bias.yaml":
        path = tmp_path / block.file
        path.write_text(block.text, "utf-8")
        assert read_project_file(path, {}, recording=False).config.judge.model
    else:
        assert block.file == ".github/workflows/content-bias.yml"
        steps = yaml.safe_load(block.text)["jobs"]["gate"]["steps"]
        assert any("--content-bias-threshold" in step.get("run", "") for step in steps)


@pytest.mark.parametrize("command", sorted(filter(in_example, commands())))
def test_the_shipped_example_does_what_the_readme_says(command: str, tmp_path: Path) -> None:
    for name in ("examples", "cassettes", "pyproject.toml"):
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / name)
    result = run(command, tmp_path, {})
    assert result.returncode == EXIT_STATUS.get(command, 0), result.stdout
    verdict = result.stdout[result.stdout.index("content-bias gate:") :].partition("\n")[0]
    assert "error" not in verdict


class Service(ScriptedChat):
    """The models, and the service that the README gates."""

    def __call__(self, request: ReceivedRequest) -> ScriptedReply:
        if request.path == "/ask":
            return ScriptedReply(json={"answer": f"Within 30 days. {request.body['question']}"})
        return super().__call__(request)


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    with ScriptedEndpoint(Service()) as endpoint:
        yield {
            "OPENAI_BASE_URL": f"{endpoint.url}/v1",
            "OPENAI_API_KEY": "no-real-key-at-all",
            "SERVICE_URL": endpoint.url,
        }


def test_the_guide_can_be_followed_from_first_case_to_report(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    files = {block.file: block.text for block in reversed(blocks("yaml"))}
    for name in ("cases/returns.bias.yaml", "content_bias.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(files[name], "utf-8")
    for name in ("app/main.py", "app/prompts/answer.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("the application\n", "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    for command in commands():
        if in_example(command) or command in ELSEWHERE:
            continue
        if " rename " in command:
            command = command.replace("::old-id", "::electronics-returns")
        result = run(command, tmp_path, environment)
        expected = EXIT_STATUS.get(command, 0)
        assert result.returncode == expected, f"{command}\n{result.stdout}\n{result.stderr}"
        if " rename " in command:
            back = f"{command.split()[-1]} cases/returns.bias.yaml::electronics-returns"
            run(f"python -m pytest_content_bias rename {back}", tmp_path, environment)


def test_the_python_block_runs(tmp_path: Path, environment: dict[str, str]) -> None:
    project = next(block for block in blocks("yaml") if block.file == "content_bias.yaml")
    (tmp_path / "content_bias.yaml").write_text(project.text, "utf-8")
    (tmp_path / "app" / "prompts").mkdir(parents=True)
    (tmp_path / "app" / "main.py").write_text("", "utf-8")
    (tmp_path / "app" / "prompts" / "answer.txt").write_text("", "utf-8")
    (block,) = blocks("python")
    (tmp_path / "block.py").write_text(block.text, "utf-8")
    result = run("python block.py", tmp_path, environment)
    assert result.returncode == 0, result.stderr
    assert "Verdict" in result.stdout


def run(
    command: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command with this Python, offline but for the scripted endpoint."""
    program, *rest = command.split()
    python = [sys.executable, "-m", "pytest"] if program == "pytest" else [sys.executable]
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "COVERAGE_PROCESS_START")
        if name in os.environ
    }
    return subprocess.run(
        [*python, *rest],
        cwd=folder,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
