"""Every call that was paid is counted, whatever became of its case."""

import pytest
from pydantic import JsonValue

from tests.integration.conftest import Project
from tests.scripted_endpoint import ReceivedRequest, ScriptedReply

APP = """
import httpx

def answer(question):
    with httpx.Client(verify=False) as client:
        body = {"model": "small", "messages": [{"role": "user", "content": question}]}
        client.post("%s/v1/chat/completions", json=body)
    raise ValueError("the index is empty")
"""


BROKEN_METRIC = """
from pytest_content_bias.vocabulary.case import Message

async def brevity(bench, config):
    asked = [Message(role="user", content="How brief is it?")]
    await bench.roles.judge.complete(
        bench.exchange, "judge/plain", asked, temperature=0.0, timeout=60.0
    )
    raise ValueError("no rule for brevity")

def pytest_content_bias_metrics(config):
    return {"brevity": brevity}
"""


def judge_refuses(role: str, _request: ReceivedRequest) -> ScriptedReply | None:
    refusal: JsonValue = {"error": {"message": "the model is not for sale"}}
    return ScriptedReply(status=403, json=refusal) if role == "judge" else None


@pytest.fixture
def unjudged(project: Project) -> Project:
    """A case that pays its generator and its system, and ends without a score."""
    project.chat.reply = judge_refuses
    return project


def test_what_a_case_paid_that_ends_without_a_score_is_shown(unjudged: Project) -> None:
    result = unjudged.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "calls: 0 replayed, 6 paid (66 tokens in, 42 out)",
            "  *::wind::content_bias: 0 replayed, 6 paid (66 tokens in, 42 out)",
        ]
    )


def test_it_is_in_every_report(unjudged: Project) -> None:
    unjudged.record("--content-bias-report=run.md", "--content-bias-report=run.html")
    assert "generator: 3 calls paid, 0 replayed" in read(unjudged, "run.md")
    assert "system: 3 calls paid, 0 replayed" in read(unjudged, "run.md")
    assert '<tr><th scope="row">generator</th><td>3</td><td>0</td>' in read(unjudged, "run.html")
    report = unjudged.reported("--content-bias-record=missing")
    assert [(call.slot.partition("/")[0], call.replayed) for call in report.results[0].calls] == [
        *[("generator", True)] * 3,
        *[("system", True)] * 3,
    ]


def read(project: Project, name: str) -> str:
    return (project.path / name).read_text(encoding="utf-8")


def test_each_metric_of_a_case_has_its_own_calls(unjudged: Project) -> None:
    unjudged.cases("wind", head="metrics: [content_bias, opinion_bias]\n")
    result = unjudged.record()
    result.stdout.fnmatch_lines(["  *::wind::content_bias: 0 replayed, 6 paid *"])
    result.stdout.fnmatch_lines(["  *::wind::opinion_bias: 0 replayed, * paid *"])


def test_what_user_code_paid_before_it_failed_is_counted(project: Project) -> None:
    project.write("rag/app.py", APP % project.endpoint.url)
    project.configure(system="{type: python, target: 'rag.app:answer'}")
    result = project.record()
    result.assert_outcomes(errors=1)
    assert project.chat.counts == {"generator": 3, "system": 3}
    result.stdout.fnmatch_lines(["calls: 0 replayed, 6 paid (66 tokens in, 42 out)"])


def test_what_a_metric_of_a_conftest_paid_before_it_failed_is_counted(project: Project) -> None:
    project.write("conftest.py", BROKEN_METRIC)
    project.cases("wind", head="metrics: [brevity]\n")
    result = project.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ValueError: no rule for brevity", "calls: 0 replayed, 1 paid *"])


def test_a_case_that_a_hook_breaks_keeps_its_calls(project: Project) -> None:
    project.write("conftest.py", "def pytest_runtest_teardown(item): raise RuntimeError('broke')\n")
    result = project.record()
    result.stdout.fnmatch_lines(["calls: 0 replayed, 9 paid *"])


def test_calls_of_a_case_that_ends_without_a_score_are_counted_on_workers(
    unjudged: Project,
) -> None:
    result = unjudged.record("-n1", "-p", "xdist")
    result.stdout.fnmatch_lines(["calls: 0 replayed, 6 paid (66 tokens in, 42 out)"])
