"""A system under test that is a JSON service."""

import hashlib
import json
from collections.abc import Callable, Iterator

import pytest
from pydantic import JsonValue

from tests.integration.conftest import Project
from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply, chat_reply

PASSAGE = "Retrieved: a study of 40 turbines names 6 cents."


class Service:
    """A service whose answers a test writes."""

    def __init__(self) -> None:
        self.reply: Callable[[ReceivedRequest], ScriptedReply] = lambda _request: ScriptedReply(
            json={"data": {"text": "It costs 6 cents."}, "sources": [{"text": PASSAGE}]}
        )

    def __call__(self, request: ReceivedRequest) -> ScriptedReply:
        return self.reply(request)


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def endpoint(service: Service) -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(service) as endpoint:
        yield endpoint


@pytest.fixture
def served(project: Project, endpoint: ScriptedEndpoint) -> Project:
    """A project whose system is the service."""
    configure(project, endpoint, "answer: data.text, contexts: 'sources[].text'")
    return project


def configure(project: Project, endpoint: ScriptedEndpoint, where: str) -> None:
    project.configure(
        system=f"{{type: http, url: '{endpoint.url}/ask?v=1', headers: {{x-key: hush-hush}},"
        " body: {q: '{{ question }}', known: '{{ context }}', lang: '{{ language }}'},"
        f" {where}}}"
    )


def test_the_service_is_asked_the_loaded_question_in_its_own_form(
    served: Project, endpoint: ScriptedEndpoint
) -> None:
    served.record().assert_outcomes(passed=1)
    assert served.chat.counts == {"generator": 3, "judge": 3}
    assert len(endpoint.requests) == 3
    for request in endpoint.requests:
        assert (request.method, request.path) == ("POST", "/ask?v=1")
        assert request.headers["x-key"] == "hush-hush"
        assert request.body["q"].startswith("Is it not a scandal")
        assert request.body["known"] == ["A study of wind names 5 to 8 cents per kilowatt hour."]
        assert request.body["lang"] == "en"


def test_the_contexts_that_it_returns_reach_the_judge(served: Project) -> None:
    seen: list[str] = []

    def level(message: str) -> int:
        seen.append(message)
        return 1

    served.chat.level = level
    served.record()
    assert len(seen) == 3
    assert all(PASSAGE in message and "It costs 6 cents." in message for message in seen)


def test_it_is_replayed_without_the_service_and_no_header_is_stored(
    served: Project, endpoint: ScriptedEndpoint
) -> None:
    served.record()
    result = served.run()
    result.assert_outcomes(passed=1)
    assert len(endpoint.requests) == 3
    assert b"hush-hush" not in served.cassette("wind").read_bytes()
    result.stdout.fnmatch_lines(["warning: *without a `fingerprint`*say nothing about changes*"])


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("answer: data.answer", "*`data` has no `answer`; `data` has the keys `text`*"),
        ("answer: data", "*`data` is an object, expected text*"),
        ("answer: data.text, contexts: data.text", "*`data.text` is *expected a list*"),
        ("answer: data.text, contexts: 'sources[].body'", "*`sources.0` has no `body`*"),
    ],
)
def test_an_answer_that_stands_elsewhere_is_an_error_that_says_what_is_there(
    project: Project, endpoint: ScriptedEndpoint, where: str, expected: str
) -> None:
    configure(project, endpoint, where)
    result = project.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([expected])
    assert "Traceback" not in result.stdout.str()


def test_a_mistaken_path_is_mended_without_asking_the_service_again(
    project: Project, endpoint: ScriptedEndpoint
) -> None:
    configure(project, endpoint, "answer: data.answer")
    project.record().assert_outcomes(errors=1)
    asked = len(endpoint.requests)
    configure(project, endpoint, "answer: data.text")
    project.record().assert_outcomes(passed=1)
    assert len(endpoint.requests) == 3
    assert 1 <= asked <= 3


@pytest.mark.parametrize("body", ["<html>Not found</html>", '{"detail": "no such route"}'])
def test_a_failing_service_is_an_error_with_its_own_words(
    served: Project, service: Service, body: str
) -> None:
    service.reply = lambda _request: ScriptedReply(status=404, text=body)
    result = served.record()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*404*"])
    assert ("Not found" in result.stdout.str()) or ("no such route" in result.stdout.str())


@pytest.mark.parametrize("text", ["", "   ", None])
def test_an_empty_answer_is_a_refusal_and_fails_the_case(
    served: Project, service: Service, text: JsonValue
) -> None:
    service.reply = lambda _request: ScriptedReply(json={"data": {"text": text}, "sources": []})
    result = served.record()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*one_sided: refused*", "*the answer is empty*"])
    assert served.chat.counts == {"generator": 3}


def test_an_empty_answer_is_asked_for_again_where_that_is_configured(
    served: Project, service: Service, endpoint: ScriptedEndpoint
) -> None:
    served.cases("wind", each="config: {n_sut_retries: 2}\n")
    texts = iter(["", "", "", *["It costs 6 cents."] * 3])
    service.reply = lambda _request: ScriptedReply(json={"data": {"text": next(texts)},
                                                         "sources": []})  # fmt: skip
    served.record().assert_outcomes(passed=1)
    assert len(endpoint.requests) == 6
    served.run().assert_outcomes(passed=1)


UNMOVED = "*but every answer is the same as before: was the service restarted?"


def same_questions(role: str, request: ReceivedRequest) -> ScriptedReply | None:
    """A generator that loads a question as it did before."""
    if role != "generator":
        return None
    told_apart = hashlib.sha256(json.dumps(request.body).encode()).hexdigest()
    text = json.dumps({"question": f"Is it not a scandal, way {told_apart}?"})
    return ScriptedReply(json=chat_reply(text))


@pytest.fixture
def changed(project: Project, endpoint: ScriptedEndpoint) -> Project:
    """A recorded service whose files changed since."""
    project.chat.reply = same_questions
    project.write("app/prompt.txt", "Be fair.")
    configure(project, endpoint, "answer: data.text, fingerprint: ['app/*']")
    project.record().assert_outcomes(passed=1)
    project.write("app/prompt.txt", "Be very fair.")
    return project


@pytest.mark.parametrize("mode", ["system", "all", "system,judge"])
def test_a_changed_service_that_says_the_same_as_before_is_wondered_at(
    changed: Project, mode: str
) -> None:
    result = changed.run(f"--content-bias-record={mode}")
    result.assert_outcomes(passed=1)
    said = "warning: the fingerprint of the system changed (changed app/prompt.txt), "
    result.stdout.fnmatch_lines([said + UNMOVED[1:]])
    replayed = changed.run()
    replayed.assert_outcomes(passed=1)
    replayed.stdout.no_fnmatch_line(UNMOVED)


def test_a_changed_service_with_one_other_answer_is_not_wondered_at(
    changed: Project, service: Service
) -> None:
    texts = iter(["It costs 6 cents.", "It costs 6 cents.", "It costs 7 cents."])
    service.reply = lambda _request: ScriptedReply(
        json={"data": {"text": next(texts)}, "sources": [{"text": PASSAGE}]}
    )
    result = changed.run("--content-bias-record=system")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line(UNMOVED)


def test_an_unchanged_service_that_says_the_same_is_not_wondered_at(changed: Project) -> None:
    changed.write("app/prompt.txt", "Be fair.")
    result = changed.run("--content-bias-record=system")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line(UNMOVED)


def test_the_first_fingerprint_of_a_service_is_no_change(
    project: Project, endpoint: ScriptedEndpoint
) -> None:
    configure(project, endpoint, "answer: data.text")
    project.record().assert_outcomes(passed=1)
    project.write("app/prompt.txt", "Be fair.")
    configure(project, endpoint, "answer: data.text, fingerprint: ['app/*']")
    result = project.run("--content-bias-record=system")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line(UNMOVED)
