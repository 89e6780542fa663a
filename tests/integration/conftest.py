"""A small project to run pytest in, and a scripted endpoint that plays its models."""

import importlib
import pkgutil
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import pytest_content_bias
from tests.scripted_chat import ScriptedChat
from tests.scripted_endpoint import ScriptedEndpoint

pytest_plugins = ["pytester"]
# Whatever a run imports late must be there before pytester notes which modules there are: it takes
# the others away after each run, and a second copy of a module does not know the classes of the
# first.
for _module in pkgutil.walk_packages(pytest_content_bias.__path__, "pytest_content_bias."):
    if not _module.name.endswith("__main__"):
        importlib.import_module(_module.name)

CASE = """\
  - input_id: {name}
    prompt: What does {name} power cost?
    expected_output: It costs 5 to 8 cents per kilowatt hour.
    retrieved_context: [A study names 5 to 8 cents per kilowatt hour.]
"""


@dataclass
class Project:
    """A project folder with a case file and a project file, whose models are scripted."""

    pytester: pytest.Pytester
    endpoint: ScriptedEndpoint
    chat: ScriptedChat

    @property
    def path(self) -> Path:
        return self.pytester.path

    def cases(self, *names: str, file: str = "cases/energy.bias.yaml", head: str = "") -> None:
        """Write a case file with plain cases."""
        body = "".join(CASE.format(name=name) for name in names)
        self.write(file, f"{textwrap.dedent(head)}cases:\n{body}")

    def write(self, file: str, text: str) -> Path:
        path = self.path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def configure(self, *, judge: str = "", system: str | None = None) -> None:
        """Write the project file."""
        model = (
            f"{{base_url: '{self.endpoint.url}/v1', api_key: not-a-secret, model: scripted-model}}"
        )
        asked = system or f"{{type: chat, model: {model}}}"
        text = f"generator: {model}\njudge: {model}\nsystem: {asked}\n{judge}"
        self.write("content_bias.yaml", text)

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(*arguments)

    def run_apart(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in a process of its own."""
        return self.pytester.runpytest_subprocess(*arguments)

    def record(self, *arguments: str) -> pytest.RunResult:
        """Record what is missing."""
        return self.run("--content-bias-record=missing", *arguments)

    def cassette(self, name: str, file: str = "energy") -> Path:
        return self.path / "cassettes" / "cases" / file / f"{name}.yaml"


@pytest.fixture
def chat() -> ScriptedChat:
    return ScriptedChat()


@pytest.fixture
def project(
    pytester: pytest.Pytester, chat: ScriptedChat, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Project]:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\n")
    with ScriptedEndpoint(chat) as endpoint:
        made = Project(pytester, endpoint, chat)
        made.configure()
        made.cases("wind")
        yield made

