"""A function that does not return is left behind."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_content_bias.systems.python import PythonSystem
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Case
from pytest_content_bias.vocabulary.errors import CallError
from pytest_content_bias.vocabulary.project import PythonSystemConfig
from pytest_content_bias.vocabulary.protocols import Question
from tests.scripted_bench import NoExchange

ROOT = Path(__file__).parents[3]
CASE = Case(path="a.bias.yaml", line=1, input_id="a", prompt="Why?")
QUESTION = Question(text="Why?", case=CASE, language="en", temperature=0, timeout=60)
ENDLESS = {
    "a function": """
        import threading
        def answer(question): threading.Event().wait()
    """,
    "a coroutine": """
        import asyncio
        async def answer(question): await asyncio.Event().wait()
    """,
}


@asynccontextmanager
async def unattended(slot: str) -> AsyncIterator[Sequence[CallRecord]]:
    yield []


def ask(folder: Path, source: str, seconds: float) -> str:
    """Ask a function in a module of its own."""
    module = f"endless_{folder.name}"
    (folder / f"{module}.py").write_text(dedent(source), encoding="utf-8")
    config = PythonSystemConfig(type="python", target=f"{module}:answer")
    system = PythonSystem(config, folder, unattended, seconds)
    answer, _ = asyncio.run(system.answer(NoExchange(), "system/plain", QUESTION))
    return answer.text


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_function_that_does_not_return_in_time_is_a_failed_call(
    tmp_path: Path, kind: str
) -> None:
    with pytest.raises(CallError, match=r"system/plain: .*:answer did not return within 0\.05 s"):
        ask(tmp_path, ENDLESS[kind], 0.05)


def test_a_time_limit_of_its_own_is_told_as_its_own(tmp_path: Path) -> None:
    source = """
        import asyncio
        async def answer(question):
            async with asyncio.timeout(0): await asyncio.Event().wait()
    """
    with pytest.raises(CallError, match="answer failed: TimeoutError"):
        ask(tmp_path, source, 60)


def test_what_is_left_behind_does_not_keep_the_interpreter_from_ending(tmp_path: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        from pytest_content_bias.vocabulary.errors import CallError
        from tests.unit.systems.test_python_endless import ENDLESS, ask

        try:
            ask(Path(sys.argv[1]), ENDLESS["a function"], 0.05)
        except CallError:
            print("left behind")
    """
    command = [sys.executable, "-c", dedent(script), str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )

    assert done.stdout == "left behind\n", done.stderr
