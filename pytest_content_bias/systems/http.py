"""A system that is any JSON service."""

import json
import re
from urllib.parse import urlencode, urlsplit

from pydantic import JsonValue

from pytest_content_bias.rules.templates import HTTP_PLACEHOLDERS, TemplateError, render_json
from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CallError, SettingsError
from pytest_content_bias.vocabulary.names import secret_placeholder
from pytest_content_bias.vocabulary.project import HttpSystemConfig
from pytest_content_bias.vocabulary.protocols import Exchange, Question
from pytest_content_bias.vocabulary.score import Answer

_PLACEHOLDER = re.compile(r"%3Csecret%3A(\w+)%3E")
"""`secret_placeholder`, URL-encoded."""


class HttpSystem:
    """Sends a question to a service and finds the answer in its JSON reply.

    The body's fields are the query parameters of a GET.

    Args:
        config: the system as `content_bias.yaml` describes it.

    Raises:
        SettingsError: the body names an unknown placeholder, or a GET's body is no mapping.
    """

    def __init__(self, config: HttpSystemConfig) -> None:
        self._config = config
        if config.method == "GET" and not isinstance(config.body, dict | None):
            raise SettingsError("content_bias.yaml: system.body of a GET must be a mapping")
        try:
            render_json(config.body, dict.fromkeys(HTTP_PLACEHOLDERS))
        except TemplateError as error:
            raise SettingsError(f"content_bias.yaml: system.body: {error}") from None

    @property
    def name(self) -> str:
        """The service's method and path."""
        return f"{self._config.method} {urlsplit(self._config.url).path or '/'}"

    async def answer(
        self, exchange: Exchange, slot: str, question: Question
    ) -> tuple[Answer, tuple[CallRecord, ...]]:
        """Answer a question; the text may be empty.

        Raises:
            CallError: the call failed, or the reply has no answer where it should stand.
            MissingRecording: as `Exchange.call`.
        """
        request = self._request(slot, question)
        reply = await exchange.call(request)
        where = self._config
        try:
            text = _text_at(reply.body, where.answer)
            contexts = _texts_at(reply.body, where.contexts) if where.contexts else None
        except _Misplaced as error:
            raise CallError(
                f"{slot}: the reply of {self.name} at {reply.host}: {error}. "
                "Check `answer` and `contexts` of the system in content_bias.yaml."
            ) from None
        return Answer(text=text, contexts=contexts), (self._record(request, reply),)

    def _request(self, slot: str, question: Question) -> CallRequest:
        config = self._config
        url, body = config.url, render_json(config.body, _values(question))
        if config.method == "GET" and isinstance(body, dict):
            url, body = _with_query(url, body), None
        parts = urlsplit(url)
        path = (parts.path or "/") + (f"?{_with_placeholders(parts.query)}" if parts.query else "")
        return CallRequest(
            slot=slot,
            method=config.method,
            url=url,
            identity={"method": config.method, "path": path, "body": body},
            body=body,
            headers={name: value.get_secret_value() for name, value in config.headers.items()},
            timeout=question.timeout,
        )

    def _record(self, request: CallRequest, reply: CallReply) -> CallRecord:
        return CallRecord(
            slot=request.slot,
            role=request.role,
            model=self.name,
            replayed=reply.replayed,
            latency_ms=reply.latency_ms,
            host=reply.host,
            omitted=reply.omitted,
            recorded=reply.recorded,
        )


def _values(question: Question) -> dict[str, JsonValue]:
    return {
        "question": question.text,
        "context": list(question.case.retrieved_context),
        "history": [{"role": m.role, "content": m.content} for m in question.case.history],
        "temperature": question.temperature,
        "language": question.language,
    }


def _with_query(url: str, fields: dict[str, JsonValue]) -> str:
    texts = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in fields.items()
    }
    return url + ("&" if urlsplit(url).query else "?") + urlencode(texts)


def _with_placeholders(query: str) -> str:
    """A query with placeholders of missing secrets as recordings write them, unencoded."""
    return _PLACEHOLDER.sub(lambda match: secret_placeholder(match[1]), query)


class _Misplaced(Exception):
    """Something does not stand where the configuration says."""


def _text_at(body: JsonValue, path: str) -> str:
    value = _at(body, path)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Misplaced(f"`{path}` is {_kind(value)}, expected text")
    return value


def _texts_at(body: JsonValue, path: str) -> tuple[str, ...] | None:
    """The passages at a path; None where the service says null.

    After `[]`, the path goes on inside of each item.
    """
    outer, _, inner = path.partition("[]")
    items = _at(body, outer)
    if items is None:
        return None
    if not isinstance(items, list):
        raise _Misplaced(f"`{outer}` is {_kind(items)}, expected a list")
    return tuple(_passage(item, f"{outer}.{i}", inner) for i, item in enumerate(items))


def _passage(item: JsonValue, place: str, inner: str) -> str:
    value = _at(item, inner.removeprefix("."), place) if inner else item
    if not isinstance(value, str):
        raise _Misplaced(f"`{place}{inner}` is {_kind(value)}, expected text")
    return value


def _at(value: JsonValue, path: str, start: str = "") -> JsonValue:
    """The value at keys and list indices joined by dots."""
    walked = [start] if start else []
    for key in path.split(".") if path else []:
        match value:
            case dict() if key in value:
                value = value[key]
            case list() if key.isdecimal() and int(key) < len(value):
                value = value[int(key)]
            case _:
                where = f"`{'.'.join(walked)}`" if walked else "it"
                raise _Misplaced(f"{where} has no `{key}`; {where} {_holding(value)}")
        walked.append(key)
    return value


def _holding(value: JsonValue) -> str:
    match value:
        case dict():
            keys = ", ".join(f"`{key}`" for key in list(value)[:20])
            return f"has the keys {keys}" if keys else "has no keys"
        case list():
            return f"is a list of {len(value)}"
        case _:
            return f"is {_kind(value)}"


def _kind(value: JsonValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return f"the text {value[:80]!r}"
        case list():
            return "a list"
        case _:
            return "an object"
