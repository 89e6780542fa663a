"""What one machine records with its secrets replays on another that has none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.conftest import Project
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply

SECRET = "s3cret/of_this=machine+1"
"""URLs write it in another way than it is."""
IN_A_URL = "s3cret-of_this=machine-1"
ASKED = "q: '{{ question }}'"
SERVICE_PLACES = {
    "header": "url: '%s/ask', headers: {x-key: '${SESAME}'}, body: {" + ASKED + "}",
    "header as bearer": "url: '%s/ask', headers: {a: 'Bearer ${SESAME}'}, body: {" + ASKED + "}",
    "query of the url": "url: '%s/ask?v=1&token=${SESAME}', body: {" + ASKED + "}",
    "userinfo of the url": "url: '%s/ask', body: {" + ASKED + "}",
    "api_key in the body": "url: '%s/ask', body: {api_key: '${SESAME}', " + ASKED + "}",
    "password in the body": "url: '%s/ask', body: {passWord: '${SESAME}', " + ASKED + "}",
    "token in the body": "url: '%s/ask', body: {token: '${SESAME}', " + ASKED + "}",
    "bearer in the body": "url: '%s/ask', body: {auth: 'Bearer ${SESAME}', " + ASKED + "}",
    "deep in the body": "url: '%s/ask', body: {auth: {by: ['${SESAME}']}, " + ASKED + "}",
    "key of a GET": "url: '%s/ask', method: GET, body: {api_key: '${SESAME}', " + ASKED + "}",
    "token of a GET": "url: '%s/ask', method: GET, body: {token: '${SESAME}', " + ASKED + "}",
}
MODEL_PLACES = {
    "api_key": "base_url: '%s/v1', api_key: '${SESAME}'",
    "header": "base_url: '%s/v1', headers: {x-key: 'Bearer ${SESAME}'}",
    "query": "base_url: '%s/v1', query: {sig: '${SESAME}'}",
    "userinfo": "base_url: '%s/v1'",
}


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    def echo(request: ReceivedRequest) -> ScriptedReply:
        """A service that says what it was sent, its key among it."""
        sent = f"{request.path} {request.headers} {request.raw.decode()}"
        return ScriptedReply(json={"answer": "It costs 6 cents.", "sent": sent})

    with ScriptedEndpoint(echo) as endpoint:
        yield endpoint


def address(endpoint: ScriptedEndpoint, place: str) -> str:
    user = "${USER_NAME}:${SESAME}@" if place.startswith("userinfo") else ""
    return endpoint.url.replace("//", f"//{user}")


def recorded_here_and_replayed_there(
    project: Project, monkeypatch: pytest.MonkeyPatch, secret: str = SECRET
) -> None:
    monkeypatch.setenv("SESAME", secret)
    monkeypatch.setenv("USER_NAME", "someone")
    project.run("--content-bias-record=missing").assert_outcomes(passed=1)
    project.chat.counts.clear()
    for name in ("SESAME", "USER_NAME"):
        monkeypatch.delenv(name)
    project.run("--content-bias-report=run.json").assert_outcomes(passed=1)
    assert project.chat.total == 0
    for path in written(project):
        assert "of_this" not in path.read_text(encoding="utf-8"), path


def written(project: Project) -> list[Path]:
    found = [project.cassette("wind"), project.path / "run.json"]
    assert all(path.is_file() for path in found)
    return found


@pytest.mark.parametrize("place", SERVICE_PLACES)
def test_a_secret_of_a_service_need_not_be_set_to_replay(
    project: Project, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    service = SERVICE_PLACES[place] % address(endpoint, place)
    project.configure(system=f"{{type: http, {service}}}")
    in_a_url = "url" in place  # where it stands as it is
    recorded_here_and_replayed_there(project, monkeypatch, IN_A_URL if in_a_url else SECRET)
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize("place", MODEL_PLACES)
def test_a_secret_of_a_model_need_not_be_set_to_replay(
    project: Project, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    model = MODEL_PLACES[place] % address(project.endpoint, place)
    system = f"{{type: chat, model: {{model: m, {model}}}}}"
    project.configure(judge=f"{{model: m, {model}}}", system=system)
    recorded_here_and_replayed_there(
        project, monkeypatch, IN_A_URL if place == "userinfo" else SECRET
    )


def test_a_secret_that_another_variable_holds_too_need_not_be_set_to_replay(
    project: Project, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANOTHER_API_KEY", SECRET)
    service = SERVICE_PLACES["token in the body"] % endpoint.url
    project.configure(system=f"{{type: http, {service}}}")
    recorded_here_and_replayed_there(project, monkeypatch)


def test_a_secret_of_the_body_is_needed_to_record(
    project: Project, endpoint: ScriptedEndpoint
) -> None:
    service = SERVICE_PLACES["token in the body"] % endpoint.url
    project.configure(system=f"{{type: http, {service}}}")
    result = project.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the variable SESAME is not set*"])
    assert endpoint.requests == []
