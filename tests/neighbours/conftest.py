"""One environment that holds this package and other plugins, and projects that use both."""

import importlib.metadata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from pytest_content_bias.reports.json_report import read_report
from pytest_content_bias.vocabulary.run import RunReport
from tests.environments import CHECKOUT, Environment
from tests.integration.conftest import OF_THE_MACHINE, Project
from tests.scripted_chat import ScriptedChat
from tests.scripted_endpoint import ScriptedEndpoint

INSTALLED = {
    "asyncio": "pytest-asyncio",
    "pytest_cov": "pytest-cov",
    "randomly": "pytest-randomly",
    "recording": "pytest-recording",
    "rerunfailures": "pytest-rerunfailures",
    "socket": "pytest-socket",
    "timeout": "pytest-timeout",
    "vcr": "pytest-vcr",
}
"""The plugins that are installed: the names they register by, and those of their packages."""
PRESENT = ("anyio", "hypothesispytest", "xdist")
"""The plugins that are there already: they come with the dependencies of these tests."""
KEPT = ("pytest", "vcrpy", "pytest-xdist", "coverage")
"""What stays as it is here: a plugin that needs another version gives way."""
SUITE = {"wind": 0, "coal": 1, "sun": 2, "tide": 7, "heat": 1}
"""Cases, and the levels that the judge gives their answers: `tide` fails."""


def found(report: RunReport) -> list[object]:
    """All that must be the same in each run."""
    results = [result.model_copy(update={"duration": 0.0}) for result in report.results]
    return [report.passed, report.verdict, report.means, report.checks, results]


@dataclass
class Neighbourhood(Project):
    """A project whose runs have other plugins beside this package's."""

    environment: Environment
    neighbours: tuple[str, ...]

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest with the neighbours, and with every warning as an error."""
        others = [name for name in (*INSTALLED, *PRESENT) if name not in self.neighbours]
        left_out = [word for name in others for word in ("-p", f"no:{name}")]
        command = [self.environment.python, "-m", "pytest", "-Werror", *left_out, *arguments]
        return self.pytester.run(*command, timeout=120)

    def run_alone(self, *arguments: str) -> pytest.RunResult:
        """Run pytest without any neighbour."""
        return super().run(*arguments)

    def record_alone(self, *arguments: str) -> None:
        """Record without any neighbour, and forget that it was paid for."""
        self.run_alone("--content-bias-record=missing", *arguments)
        self.chat.counts.clear()

    def suite(self) -> None:
        """Write a suite of cases of which one fails."""
        self.cases(*SUITE)
        self.levels(**SUITE)

    def found_alone(self) -> list[object]:
        """What a run without any neighbour finds."""
        self.run_alone("--content-bias-report=alone.json", "cases")
        return found(read_report(self.path / "alone.json"))

    def found(self, *arguments: str) -> list[object]:
        """What a run beside the neighbours finds."""
        return found(self.reported(*arguments))


Move = Callable[..., Neighbourhood]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = Environment.make(tmp_path_factory.mktemp("neighbours") / "env", CHECKOUT)
    kept = [f"{name}=={importlib.metadata.version(name)}" for name in KEPT]
    made.pip("install", *kept, *INSTALLED.values())
    return made


@pytest.fixture
def beside(
    pytester: pytest.Pytester, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Move]:
    """Make a project whose runs have the plugins that are named."""
    for name in (*OF_THE_MACHINE, "PYTHONPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    chat = ScriptedChat()
    with ScriptedEndpoint(chat) as endpoint:

        def move(*neighbours: str) -> Neighbourhood:
            made = Neighbourhood(pytester, endpoint, chat, environment, neighbours)
            made.ini()
            made.configure()
            made.cases("wind")
            return made

        yield move
