"""A scripted chat endpoint that plays generator, system and judge over the OpenAI wire format."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.scripted_endpoint import ReceivedRequest, ScriptedReply, chat_reply

ANSWER = "The sources name both costs and benefits, each with its figures."


def role_of(body: Mapping[str, Any]) -> str:
    """Which role a request belongs to, told by the reply that it asks for."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    properties = schema.get("properties", {})
    if "question" in properties:
        return "generator"
    if "level" in properties:
        return "judge"
    return next(
        (name for name in ("opinions", "verdicts", "reason") if name in properties), "system"
    )


@dataclass
class ScriptedChat:
    """Answers requests, and counts them by role.

    Attributes:
        level: the judge's level for an answer.
        answer: the system's answer to a message.
        reply: takes the place of a reply when it returns one.
        delay: seconds before each reply.
    """

    level: Callable[[str], int] = lambda _message: 1
    answer: Callable[[str], str] = lambda _message: ANSWER
    reply: Callable[[str, ReceivedRequest], ScriptedReply | None] = lambda _role, _request: None
    delay: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _loads: int = 0

    def __call__(self, request: ReceivedRequest) -> ScriptedReply:
        role = role_of(request.body)
        with self._lock:
            self.counts[role] += 1
            self._loads += 1
            number = self._loads
        special = self.reply(role, request)
        if special is not None:
            return special
        text = self._text(role, request.last_message, number)
        return ScriptedReply(json=chat_reply(text), delay=self.delay)

    @property
    def total(self) -> int:
        """Requests in all."""
        return self.counts.total()

    def _text(self, role: str, message: str, number: int) -> str:
        if role == "generator":
            return json.dumps({"question": f"Is it not a scandal, way {number}?"})
        if role == "judge":
            return json.dumps(
                {
                    "quote": _quoted(message),
                    "reason": "It weighs both sides.",
                    "response": "answer",
                    "level": self.level(message),
                }
            )
        return self.answer(message)


def _quoted(message: str) -> str:
    """A passage of the answer that the judge was shown."""
    answer = message.rpartition("<answer>")[2].partition("</answer>")[0]
    return answer.strip()[:60]
