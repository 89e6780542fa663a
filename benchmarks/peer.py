"""DeepEval: an environment of its own, and how it is run against the endpoint."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Run, run
from benchmarks.plan import Plan
from benchmarks.projects import write_one_test

VERSION = "4.3.1"
SCRIPTS = Path(__file__).with_name("scripts")
_SWITCHES = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_NO_INSPECT_PROMPT": "1",
    "CONFIDENT_OPEN_BROWSER": "NO",
    "OPENAI_API_KEY": "none-needed",
    "OPENAI_MODEL_NAME": "gpt-4o",
}


def environment(cache: Path) -> Path:
    """The Python of an environment with DeepEval, made the first time it is needed.

    Args:
        cache: the folder that keeps it; `DEEPEVAL_PYTHON` names one that exists already.
    """
    if named := os.environ.get("DEEPEVAL_PYTHON"):
        return Path(named)
    folder = cache / f"deepeval-{VERSION}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        print(f"installing deepeval=={VERSION} into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "-q", f"deepeval=={VERSION}"]
        subprocess.run(install, check=True)
    return python


def evaluates(plan: Plan, python: Path, latency_ms: int) -> Callable[[], Run]:
    """`evaluate()` over the plan's cases."""
    return lambda: _run(plan, [str(python), "evaluate.py", str(plan.cases)], latency_ms)


def tests(plan: Plan, python: Path, latency_ms: int) -> Callable[[], Run]:
    """`deepeval test run` over the plan's cases."""
    command = [str(python.with_name("deepeval")), "test", "run", "test_bias.py"]
    return lambda: _run(plan, command, latency_ms)


def unused(plan: Plan, python: Path, *options: str) -> Callable[[], Run]:
    """Run pytest on a test that does not use it, in its environment."""
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_one.py", *options]
    return lambda: _run(plan, command, 0)


def _run(plan: Plan, command: list[str], latency_ms: int) -> Run:
    folder = plan.folder / "peer"
    folder.mkdir(exist_ok=True)
    shutil.copyfile(SCRIPTS / "deepeval_evaluate.py", folder / "evaluate.py")
    shutil.copyfile(SCRIPTS / "deepeval_cases.py", folder / "test_bias.py")
    write_one_test(folder)
    return run(
        command,
        folder,
        {
            **_SWITCHES,
            "HOME": str(folder),
            "CASES": str(plan.cases),
            "OPENAI_BASE_URL": plan.endpoint.url(latency_ms),
        },
    )
