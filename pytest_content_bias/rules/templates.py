"""Texts with `{{ placeholders }}`, and data that cannot leave its fence.

A prompt puts data between tags, `<answer>…</answer>`. Whoever wrote the data may have written tags
of their own into it, so that what follows reads as if the prompt said it; `fence_safe` takes the
tags in data apart.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TypeVar

from pydantic import JsonValue

from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.protocols import Prompt

CHAT_PLACEHOLDERS = ("question", "context", "language")
"""What `template` and `system_prompt` of a chat system may name."""
HTTP_PLACEHOLDERS = ("question", "context", "history", "temperature", "language")
"""What the `body` of an http system may name."""

_T = TypeVar("_T")

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_TAG = re.compile(r"</?([A-Za-z][\w-]*)>")

# Angle brackets and slashes with their full-width and typographic look-alikes.
_OPEN = r"[<\uff1c\ufe64\u2039\u3008\u27e8]|&lt;"
_CLOSE = r"[>\uff1e\ufe65\u203a\u3009\u27e9]|&gt;"
_SLASH = r"[/\\\uff0f\u2044\u2215]"
_GAP = r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*+"
_INSIDE = r"[^<>\uff1c\uff1e\ufe64\ufe65\u2039\u203a\u3008\u3009\u27e8\u27e9]{0,100}?"
_MAY_OPEN = re.compile(r"[<&\uff1c\ufe64\u2039\u3008\u27e8]")
_FULL_WIDTH = ord("\uff01") - ord("!")


class TemplateError(ValueError):
    """A template names a placeholder that does not exist."""


def placeholders(template: str) -> frozenset[str]:
    """The names of all placeholders in a template."""
    return frozenset(name.strip() for name in _PLACEHOLDER.findall(template))


def render(template: str, values: Mapping[str, str]) -> str:
    """Put values in the place of `{{ name }}`; what stands in a value is never a placeholder.

    Args:
        template: the text; the spaces inside the braces are optional.
        values: name to text.

    Raises:
        TemplateError: the template names a placeholder that has no value.
    """
    return _PLACEHOLDER.sub(lambda match: _value(match[1], values), template)


def render_json(value: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    """Put values into the texts of a JSON value; keys stay as they are.

    A text that is one placeholder alone becomes the value itself, such as a list or a number.
    Inside a longer text, a value that is not text is written as JSON.

    Raises:
        TemplateError: a text names a placeholder that has no value.
    """
    match value:
        case str():
            alone = _PLACEHOLDER.fullmatch(value.strip())
            return _value(alone[1], values) if alone else render(value, _as_texts(values))
        case list():
            return [render_json(item, values) for item in value]
        case dict():
            return {key: render_json(item, values) for key, item in value.items()}
        case _:
            return value


def render_prompt(prompt: Prompt, values: Mapping[str, str]) -> tuple[Message, ...]:
    """Put data into a prompt, unable to leave its fence; `prompt.absent` stands for a blank value.

    Raises:
        TemplateError: the prompt names a placeholder that has no value.
    """
    tags = _tags(prompt)
    data = {
        name: fence_safe(value, tags) if value.strip() else prompt.absent
        for name, value in values.items()
    }
    return tuple(_filled(message, data) for message in prompt.messages)


@cache
def _tags(prompt: Prompt) -> frozenset[str]:
    """The tags that fence data in a prompt."""
    return frozenset(tag for message in prompt.messages for tag in _TAG.findall(message.content))


def _filled(message: Message, data: Mapping[str, str]) -> Message:
    content = render(message.content, data)
    return message if content == message.content else Message(role=message.role, content=content)


def fence_safe(text: str, tags: Iterable[str]) -> str:
    """Turn look-alikes of tags into plain words, and leave all else word for word.

    `</answer>` becomes `(/answer)`; so does a tag with odd spacing, full-width characters, other
    angle brackets or invisible characters inside. So does a control token of chat formats such as
    `<|im_end|>`, which some servers obey inside of messages.

    Args:
        text: the data.
        tags: names of the tags that fence data in the prompt.
    """
    if not _MAY_OPEN.search(text):  # most texts, and much quicker than what follows
        return text
    whole, unclosed = _fences(frozenset(tags))
    return unclosed.sub("(", whole.sub(r"(\2)", text))


@cache
def _fences(tags: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What looks like one of these tags, and what looks like its start."""
    names = "|".join(_look_alike(tag) for tag in sorted(tags, key=len, reverse=True))
    tag = f"(?:{_SLASH}{_GAP})?(?:{names})(?![\\w-]){_INSIDE}" if names else "(?!)"
    token = r"[|\uff5c][^|\uff5c<>\s]{1,60}[|\uff5c]"
    whole = f"({_OPEN})({_GAP}(?:{tag}|{token}))({_CLOSE})"
    unclosed = f"({_OPEN})(?={_GAP}{_SLASH}{_GAP}(?:{names})(?![\\w-]))" if names else "(?!)()"
    return re.compile(whole, re.IGNORECASE), re.compile(unclosed, re.IGNORECASE)


def _look_alike(tag: str) -> str:
    return _GAP.join(f"[{re.escape(letter)}{_full_width(letter)}]" for letter in tag)


def _full_width(letter: str) -> str:
    return chr(ord(letter) + _FULL_WIDTH) if "!" <= letter <= "~" else ""


def _as_texts(values: Mapping[str, JsonValue]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in values.items()
    }


def _value(inside: str, values: Mapping[str, _T]) -> _T:
    name = inside.strip()
    if name not in values:
        known = ", ".join(f"`{known}`" for known in sorted(values))
        raise TemplateError(f"unknown placeholder `{{{{ {name} }}}}`; known: {known}")
    return values[name]
