"""Anthropic's messages."""

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from pydantic import BaseModel, JsonValue

from pytest_content_bias.models.wire import Ask, ChatOverHttp, Reading
from pytest_content_bias.vocabulary.case import Message

_TOOL = "reply"
_BETWEEN_TURNS = "\n\n"


class AnthropicChat(ChatOverHttp):
    """A model behind Anthropic's endpoint; `base_url` may end in `/v1` or before it."""

    wire: ClassVar[str] = "anthropic"
    default_url: ClassVar[str] = "https://api.anthropic.com"
    path: ClassVar[str] = "/v1/messages"
    optional: ClassVar[Mapping[str, str | None]] = {
        "temperature": None,
        "tool_choice": None,
        "tools": None,
    }
    usage_fields: ClassVar[tuple[str, str]] = ("input_tokens", "output_tokens")
    stopped_at_limit: ClassVar[frozenset[str]] = frozenset(
        {"max_tokens", "model_context_window_exceeded"}
    )
    withheld: ClassVar[frozenset[str]] = frozenset({"refusal"})
    no_reply: ClassVar[frozenset[str]] = frozenset({"tool_use", "pause_turn"})
    default_max_tokens: ClassVar[int | None] = 4096
    gives_alternatives: ClassVar[bool] = False

    def base_url(self) -> str:
        """The URL before `/v1`."""
        return super().base_url().removesuffix("/v1")

    def body(self, ask: Ask) -> dict[str, JsonValue]:
        """The request body, without the configuration's `parameters`."""
        system = [m.content for m in ask.messages if m.role == "system"]
        body: dict[str, JsonValue] = {
            "model": self.config.model,
            "messages": _turns([m for m in ask.messages if m.role != "system"]),
            "max_tokens": self.max_tokens,
            "temperature": ask.temperature,
            "stream": False,
        }
        if system:
            body["system"] = _BETWEEN_TURNS.join(system)
        if ask.schema is not None:
            body |= _forced_tool(ask.schema)
        return body

    def headers(self) -> dict[str, str]:
        """The key, and the version of the wire format."""
        key = self.config.api_key
        return {"anthropic-version": "2023-06-01"} | (
            {"x-api-key": key.get_secret_value()} if key else {}
        )

    def read(self, body: JsonValue, ask: Ask) -> Reading:
        """Read the input of the forced tool as JSON text, otherwise the text."""
        reply = _Reply.model_validate(body)
        for block in reply.content:
            if block.name == _TOOL and ask.schema is not None:
                text = json.dumps(block.input, ensure_ascii=False)
                finish = None if reply.stop_reason == "tool_use" else reply.stop_reason
                return Reading(text=text, finish=finish)
        text = "".join(block.text for block in reply.content if block.type == "text")
        return Reading(text=text, finish=reply.stop_reason)


class _Block(BaseModel):
    type: str
    text: str = ""
    name: str = ""
    input: JsonValue = None


class _Reply(BaseModel):
    content: list[_Block]
    stop_reason: str | None = None


def _forced_tool(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The endpoint's way to a reply of a given form: a tool whose input is the reply."""
    tool: JsonValue = {
        "name": _TOOL,
        "description": "Give the reply.",
        "input_schema": dict(schema),
    }
    return {"tools": [tool], "tool_choice": {"type": "tool", "name": _TOOL}}


def _turns(messages: Sequence[Message]) -> list[JsonValue]:
    """The endpoint wants roles to alternate: neighbours of one role become one message."""
    return [
        {"role": role, "content": _BETWEEN_TURNS.join(message.content for message in turn)}
        for role, turn in groupby(messages, key=lambda message: message.role)
    ]
