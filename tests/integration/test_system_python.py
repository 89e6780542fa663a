"""A system under test that is a Python function, and its fingerprint."""

import textwrap
from pathlib import Path

import pytest

from tests.integration.conftest import Project

APP = """
import pathlib
import httpx

def answer(question, context):
    prompt = pathlib.Path(__file__).with_name("prompt.txt").read_text(encoding="utf-8")
    said = [{"role": "system", "content": prompt}, {"role": "user", "content": question}]
    with httpx.Client(verify=False) as client:
        body = {"model": "small", "messages": said}
        reply = client.post("%s/v1/chat/completions", json=body).json()
    return {"answer": reply["choices"][0]["message"]["content"], "contexts": context}
"""
FINGERPRINT = ", fingerprint: ['rag/*.py']"


@pytest.fixture
def app(project: Project) -> Project:
    """A project whose system is a function that asks a model."""
    project.write("rag/app.py", APP % project.endpoint.url)
    project.write("rag/prompt.txt", "Answer fairly and briefly.\n")
    configure(project)
    return project


def configure(project: Project, more: str = "") -> None:
    project.configure(system=f"{{type: python, target: 'rag.app:answer'{more}}}")


def files(project: Project) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (project.path / "cassettes").rglob("*.yaml")}


def test_the_function_runs_and_its_calls_are_recorded_and_replayed(app: Project) -> None:
    app.cases(*(f"wind-{number}" for number in range(8)))
    app.record().assert_outcomes(passed=8)
    assert app.chat.counts == {"generator": 24, "system": 24, "judge": 24}
    before = files(app)
    app.run().assert_outcomes(passed=8)
    assert app.chat.total == 72
    assert files(app) == before


def test_a_changed_prompt_is_never_a_pass_and_shows_the_changed_word(app: Project) -> None:
    app.record().assert_outcomes(passed=1)
    app.write("rag/prompt.txt", "Answer loudly and briefly.\n")
    result = app.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*system/*/app/1 of cases/energy.bias.yaml::wind:*(changed call)",
            "*messages[[]0[]].content: Answer [[]-fairly-[]]{+loudly+} and briefly*",
        ]
    )
    app.record().assert_outcomes(passed=1)
    app.run().assert_outcomes(passed=1)


def test_other_tests_between_the_cases_meet_their_libraries_as_they_are(app: Project) -> None:
    app.cases("sun", file="zz/sun.bias.yaml")
    app.write(
        "middle/test_live.py",
        f"""
        import httpx
        GENUINE = httpx.HTTPTransport.handle_request
        URL = "{app.endpoint.url}/v1/chat/completions"
        def test_live():
            assert httpx.HTTPTransport.handle_request is GENUINE
            assert httpx.post(URL, json={{"messages": [{{"content": "x"}}]}}).status_code == 200
        """,
    )
    app.record("cases", "middle", "zz").assert_outcomes(passed=3)
    app.run("cases", "middle", "zz").assert_outcomes(passed=3)


@pytest.mark.parametrize("system", ["python", "chat"])
def test_an_active_cassette_of_another_plugin_changes_nothing(app: Project, system: str) -> None:
    if system == "chat":
        app.configure()
    app.write(
        "conftest.py",
        """
        import pytest, vcr
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_protocol(item):
            with vcr.use_cassette("theirs.yaml", record_mode="none"):
                return (yield)
        """,
    )
    app.record().assert_outcomes(passed=1)
    app.run().assert_outcomes(passed=1)
    assert app.chat.total == 9
    assert not (app.path / "theirs.yaml").exists()


def test_an_exception_is_told_with_the_lines_of_the_users_files(app: Project) -> None:
    app.write("rag/app.py", "def answer(question):\n    return 1 / 0\n")
    result = app.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*rag.app:answer failed: ZeroDivisionError: division by zero",
            '*File "rag/app.py", line 2, in answer',
        ]
    )
    result.stdout.no_fnmatch_line("*site-packages*")


def test_a_connection_of_another_kind_is_refused_in_replay_unless_its_host_is_allowed(
    app: Project,
) -> None:
    host, port = app.endpoint.url.removeprefix("http://").split(":")
    source = f"""
    import socket
    def answer(question):
        with socket.create_connection(("{host}", {port})):
            return "Both costs and benefits are named."
    """
    app.write("rag/app.py", textwrap.dedent(source))
    app.record().assert_outcomes(passed=1)
    result = app.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*app.py:4 (in answer) tried to connect to 127.0.0.1:*"])
    app.ini(f"content_bias_allowed_hosts = {host}")
    app.run().assert_outcomes(passed=1)


def test_a_changed_file_makes_the_recorded_answers_stale(app: Project) -> None:
    configure(app, FINGERPRINT)
    app.record().assert_outcomes(passed=1)
    app.run().assert_outcomes(passed=1)
    app.write("rag/app.py", APP % app.endpoint.url + "\n# changed\n")
    result = app.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*cases/energy.bias.yaml::wind: the system changed since its answers were recorded",
            "*changed rag/app.py",
            "*--content-bias-record=system",
        ]
    )
    asked = app.chat.counts["judge"]
    app.run("--content-bias-record=system").assert_outcomes(passed=1)
    assert app.chat.counts["judge"] == asked
    app.run().assert_outcomes(passed=1)


@pytest.mark.parametrize("mismatch", ["warn", "ignore"])
def test_a_stale_answer_may_be_told_or_ignored(app: Project, mismatch: str) -> None:
    configure(app, FINGERPRINT)
    app.record().assert_outcomes(passed=1)
    app.write("rag/app.py", APP % app.endpoint.url + "\n# changed\n")
    configure(app, f"{FINGERPRINT}, fingerprint_mismatch: {mismatch}")
    report = app.reported()
    (result,) = report.results
    assert result.outcome == "passed"
    assert result.score is not None
    told = "the system changed since it was recorded: changed rag/app.py"
    assert (told in result.score.notes) == (mismatch == "warn")


def dry_run_that_fails(app: Project) -> list[str]:
    """What a dry run says, where it meets the failure too."""
    result = app.record("--content-bias-dry-run")
    return [str(result.stdout)] if result.ret else []


@pytest.mark.parametrize(
    "app_text",
    [
        "import os\nraise RuntimeError('no access with ' + os.environ['STORE_TOKEN'])\n",
        "import os\ndef answer(question):\n"
        "    raise RuntimeError('x' * 1970 + ' no access with ' + os.environ['STORE_TOKEN'])\n",
    ],
    ids=["at import", "where the message is cut off"],
)
def test_no_secret_is_shown_that_an_exception_tells(
    app: Project, app_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORE_TOKEN", "st-0123456789-abcdefghij")
    app.write("rag/app.py", app_text)

    reports = ("--content-bias-report=report.json", "--junitxml=junit.xml")
    result = app.record(*reports)

    result.assert_outcomes(errors=1)
    shown = [(app.path / name).read_text("utf-8") for name in ("report.json", "junit.xml")]
    for text in (str(result.stdout), *shown, *dry_run_that_fails(app)):
        assert "st-01234" not in text
        assert "<secret:STORE_TOKEN>" in text or "&lt;secret:STORE_TOKEN&gt;" in text
