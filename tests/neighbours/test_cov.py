"""pytest-cov: the code of a `python` system is measured while its cases are replayed."""

import json
from pathlib import Path

from tests.neighbours.conftest import Move, Neighbourhood

PLAIN = """\
import httpx

def answer(question):
    body = {"model": "small", "messages": [{"role": "user", "content": question}]}
    reply = httpx.post("%s/v1/chat/completions", json=body, trust_env=False).json()
    return reply["choices"][0]["message"]["content"]

def never():
    return "never"
"""
ASYNC = """\
import httpx

async def answer(question):
    body = {"model": "small", "messages": [{"role": "user", "content": question}]}
    async with httpx.AsyncClient(trust_env=False) as client:
        reply = (await client.post("%s/v1/chat/completions", json=body)).json()
    return reply["choices"][0]["message"]["content"]

def never():
    return "never"
"""
APPS = {"plain": PLAIN, "later": ASYNC}
"""Folders, each with a system whose last line does not run."""
OWN = "import plain_app\n\ndef test_own():\n    assert callable(plain_app.answer)\n"


def missing(made: Neighbourhood, *arguments: str) -> dict[str, list[int]]:
    """The lines of each file that did not run."""
    covered = [f"--cov={name}" for name in APPS]
    result = made.run(*covered, "--cov-report=json:cov.json", *arguments)
    result.assert_outcomes(passed=3)
    read = json.loads((made.path / "cov.json").read_text(encoding="utf-8"))
    return {Path(name).name: file["missing_lines"] for name, file in read["files"].items()}


def test_the_code_of_python_systems_is_measured(beside: Move) -> None:
    made = beside("pytest_cov", "xdist")
    (made.path / "cases/energy.bias.yaml").unlink()
    for name, source in APPS.items():
        made.write(f"{name}/{name}_app.py", source % made.endpoint.url)
        made.cases(name, file=f"{name}/{name}.bias.yaml")
        made.configure(folder=name, system=f"{{type: python, target: '{name}_app:answer'}}")
    made.write("plain/test_own.py", OWN)
    made.record_alone()
    expected = {f"{name}_app.py": [len(text.splitlines())] for name, text in APPS.items()}
    expected["test_own.py"] = []
    assert missing(made) == expected
    assert missing(made, "-n", "2") == expected
    assert made.chat.total == 0
