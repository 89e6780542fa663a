"""What the types of a project file cannot say: addresses, templates, fingerprints, patterns."""

import re
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from pydantic import JsonValue

from pytest_content_bias.files.document import Location
from pytest_content_bias.files.findings import Finding, suggestion
from pytest_content_bias.files.validation import label
from pytest_content_bias.files.wording import quoted
from pytest_content_bias.rules.templates import CHAT_PLACEHOLDERS, HTTP_PLACEHOLDERS, placeholders
from pytest_content_bias.vocabulary.project import (
    ChatSystemConfig,
    FingerprintConfig,
    HttpSystemConfig,
    ModelConfig,
    ProjectConfig,
    SystemBase,
)

_SYSTEM = "system"


def check_project(config: ProjectConfig) -> Iterator[Finding]:
    """What is wrong with a project whose values have the right types."""
    yield from _check_patterns(config.secret_patterns)
    yield from _check_model(config.judge, ("judge",))
    if config.generator:
        yield from _check_model(config.generator, ("generator",))
    match config.system:
        case ChatSystemConfig() as chat:
            yield from _check_model(chat.model, (_SYSTEM, "model"))
            yield from _check_chat(chat)
        case HttpSystemConfig() as http:
            yield from _check_url(http.url, (_SYSTEM, "url"))
            yield from _check_body(http)
    if config.system:
        yield from _check_fingerprint(config.system)


def _check_model(model: ModelConfig, location: Location) -> Iterator[Finding]:
    if model.base_url is not None:
        yield from _check_url(model.base_url, (*location, "base_url"))


def _check_url(url: str, location: Location) -> Iterator[Finding]:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1)
    except ValueError:
        usable = False
    if not usable:
        text = "expected an address such as https://host/path"
        yield Finding(location, label(location) + text)


def _check_chat(chat: ChatSystemConfig) -> Iterator[Finding]:
    template: Location = (_SYSTEM, "template")
    unknown = list(_check_placeholders(chat.template, CHAT_PLACEHOLDERS, template))
    yield from unknown
    yield from _check_placeholders(
        chat.system_prompt or "", CHAT_PLACEHOLDERS, (_SYSTEM, "system_prompt")
    )
    if not unknown and "question" not in placeholders(chat.template):
        yield _without_question(template)


def _check_body(http: HttpSystemConfig) -> Iterator[Finding]:
    body: Location = (_SYSTEM, "body")
    if http.method == "GET" and not isinstance(http.body, dict):
        yield Finding(body, label(body) + "expected a mapping, the query parameters of a GET")
    texts = list(_texts(http.body, body))
    unknown = [
        finding
        for location, text in texts
        for finding in _check_placeholders(text, HTTP_PLACEHOLDERS, location)
    ]
    yield from unknown
    if not unknown and not any("question" in placeholders(text) for _, text in texts):
        yield _without_question(body)


def _without_question(location: Location) -> Finding:
    text = "the question would never be asked: put {{ question }} where it belongs"
    return Finding(location, label(location) + text)


def _check_placeholders(
    text: str, allowed: Collection[str], location: Location
) -> Iterator[Finding]:
    for name in sorted(placeholders(text) - set(allowed)):
        problem = f"unknown placeholder {quoted(name)}; "
        hint = suggestion(name, allowed, "placeholders")
        yield Finding(location, label(location) + problem + hint)


def _texts(value: JsonValue, location: Location) -> Iterator[tuple[Location, str]]:
    match value:
        case str():
            yield location, value
        case list():
            for index, item in enumerate(value):
                yield from _texts(item, (*location, index))
        case dict():
            for key, item in value.items():
                yield from _texts(item, (*location, key))


def _check_fingerprint(system: SystemBase) -> Iterator[Finding]:
    location: Location = (_SYSTEM, "fingerprint")
    match system.fingerprint:
        case FingerprintConfig() as fingerprint:
            given = [name for name, value in fingerprint if value]
            if len(given) != 1:
                names = ", ".join(FingerprintConfig.model_fields)
                found = " and ".join(given) or "none"
                text = f"expected exactly one of {names}; found {found}"
                yield Finding(location, label(location) + text)
        case ():
            yield Finding(location, label(location) + "expected at least one entry, found none")


def _check_patterns(patterns: tuple[str, ...]) -> Iterator[Finding]:
    for index, pattern in enumerate(patterns):
        location: Location = ("secret_patterns", index)
        try:
            matches_nothing = re.compile(pattern).search("")
        except (re.error, OverflowError, RecursionError) as error:
            yield Finding(location, label(location) + f"not a regular expression: {str(error)!r}")
        else:
            if matches_nothing:
                yield Finding(location, label(location) + "the pattern matches any text")
