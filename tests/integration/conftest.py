"""A small project to run pytest in, and a scripted endpoint that plays its models."""

import importlib
import json
import pkgutil
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue

import pytest_content_bias
from pytest_content_bias.cli.main import main
from pytest_content_bias.reports.json_report import read_report
from pytest_content_bias.vocabulary.run import RunReport
from tests.scripted_chat import ANSWER, ScriptedChat
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply, chat_reply

# Whatever a run imports late must be there before pytester notes which modules there are: it takes
# the others away after each run, and a second copy of a module does not know the classes of the
# first.
for _module in pkgutil.walk_packages(pytest_content_bias.__path__, "pytest_content_bias."):
    if not _module.name.endswith("__main__"):
        importlib.import_module(_module.name)
for _name in ("httpcore", "vcr.patch"):
    importlib.import_module(_name)

CASE = """\
  - input_id: {name}
    prompt: What does {name} power cost?
    expected_output: It costs 5 to 8 cents per kilowatt hour.
    retrieved_context: [A study of {name} names 5 to 8 cents per kilowatt hour.]
"""
LEAN = "-p no:cacheprovider -p no:hypothesispytest -p no:anyio"
"""Leaves out plugins that are installed for this suite and slow to start."""
CALLS = 9
"""Calls of one case: three of each role."""
OF_THE_MACHINE = (
    "CI",
    "BUILD_NUMBER",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "TF_BUILD",
    "NO_COLOR",
    "FORCE_COLOR",
    "PY_COLORS",
    "PYTEST_ADDOPTS",
)


Run = Callable[..., tuple[int, str]]


@dataclass
class Project:
    """A project folder with a case file and a project file, whose models are scripted."""

    pytester: pytest.Pytester
    endpoint: ScriptedEndpoint
    chat: ScriptedChat

    @property
    def path(self) -> Path:
        return self.pytester.path

    def cases(
        self, *names: str, file: str = "cases/energy.bias.yaml", head: str = "", each: str = ""
    ) -> None:
        """Write a case file with plain cases; `head` stands before them, `each` in each of them."""
        body = "".join(
            CASE.format(name=name) + textwrap.indent(textwrap.dedent(each), "    ")
            for name in names
        )
        self.write(file, f"{textwrap.dedent(head)}cases:\n{body}")

    def write(self, file: str, text: str) -> Path:
        path = self.path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def ini(self, *lines: str) -> None:
        """Write pytest.ini."""
        self.write("pytest.ini", "\n".join(["[pytest]", f"addopts = {LEAN}", *lines]))

    @property
    def model(self) -> str:
        """A scripted model, as the project file describes one."""
        return self.model_named("scripted-model")

    def model_named(self, name: str) -> str:
        return f"{{base_url: '{self.endpoint.url}/v1', api_key: not-a-secret, model: {name}}}"

    def configure(
        self,
        *,
        more: str = "",
        judge: str | None = None,
        system: str | None = None,
        folder: str = ".",
    ) -> None:
        """Write the project file."""
        asked = system or f"{{type: chat, model: {self.model}}}"
        self.write(
            f"{folder}/content_bias.yaml",
            f"generator: {self.model}\njudge: {judge or self.model}\nsystem: {asked}\n{more}",
        )

    def levels(self, **by_case: int) -> None:
        """Have the judge give every answer of a case the same level."""

        def level(message: str) -> int:
            return next(
                given for name, given in by_case.items() if f"study of {name} names" in message
            )

        self.chat.level = level

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(*arguments)

    def run_apart(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in a process of its own."""
        return self.pytester.runpytest_subprocess(*arguments)

    def record(self, *arguments: str) -> pytest.RunResult:
        """Record what is missing."""
        return self.run("--content-bias-record=missing", *arguments)

    def reported(self, *arguments: str) -> RunReport:
        """Run, and read the JSON report."""
        self.run("--content-bias-report=run.json", *arguments)
        return read_report(self.path / "run.json")

    def replies(self) -> int:
        """How many replies are on disk, also such as a killed process left beside a cassette."""
        found = set()
        for path in filter(Path.is_file, (self.path / "cassettes").rglob("*")):
            case = path.name.removeprefix(".").partition(".")[0]
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            found |= {(case, line) for line in lines if line.startswith("- slot: ")}
        return len(found)

    def cassette(self, name: str, file: str = "energy") -> Path:
        return self.path / "cassettes" / "cases" / file / f"{name}.yaml"


def no_opinions(role: str, request: ReceivedRequest) -> ScriptedReply | None:
    """For `ScriptedChat.reply`: a judge that finds no opinion in an answer."""
    if role != "opinions":
        return None
    listed: JsonValue = [{"text": ANSWER, "reason": "undisputed_truth"}]
    return ScriptedReply(json=chat_reply(json.dumps({"opinions": [], "excluded": listed})))


@pytest.fixture
def chat() -> ScriptedChat:
    return ScriptedChat()


@pytest.fixture
def project(
    pytester: pytest.Pytester, chat: ScriptedChat, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Project]:
    for name in OF_THE_MACHINE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    with ScriptedEndpoint(chat) as endpoint:
        made = Project(pytester, endpoint, chat)
        made.ini()
        made.configure()
        made.cases("wind")
        yield made


@pytest.fixture
def run(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run a command in the project's folder; gives exit status and output."""
    monkeypatch.chdir(project.path)

    def run(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        status = main(arguments)
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return run


@pytest.fixture
def recorded(project: Project) -> Project:
    """Two recorded cases with scores of 0.9 and 0.8, and their report."""
    project.cases("wind", "coal")
    project.levels(wind=1, coal=2)
    project.record("--content-bias-report=run.json").assert_outcomes(passed=2)
    project.chat.counts.clear()
    return project
