"""The format of a prompt file, and the prompts that there are with their placeholders."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from pytest_content_bias.files.case_format import MessageFormat
from pytest_content_bias.files.document import Location
from pytest_content_bias.files.findings import Finding, suggestion
from pytest_content_bias.files.wording import quoted
from pytest_content_bias.rules.templates import placeholders
from pytest_content_bias.vocabulary.names import BiasKind
from pytest_content_bias.vocabulary.record import Record


class PromptFormat(Record):
    """A prompt: a chat whose contents hold `{{ placeholders }}`."""

    absent: str
    """The text put in for an empty placeholder."""
    messages: Annotated[tuple[MessageFormat, ...], Field(min_length=1)]
    """The chat; earlier turns serve as examples."""


@dataclass(frozen=True, slots=True)
class Placeholders:
    """What a prompt must hold, and what it may hold beside that."""

    needed: frozenset[str]
    optional: frozenset[str] = frozenset()


def _needs(*names: str, optional: tuple[str, ...] = ()) -> Placeholders:
    return Placeholders(frozenset(names), frozenset(optional))


PROMPTS: dict[str, Placeholders] = {
    **{
        f"rewrite_{kind}": _needs("question", optional=("reference", "context"))
        for kind in BiasKind
    },
    "judge": _needs("question", "answer", optional=("context", "reference")),
    "reask": _needs("fault"),
    "opinions": _needs("answer"),
    "opinion_verdicts": _needs("opinions", "categories"),
    "opinion_reason": _needs("score", "biased"),
}
"""Name of each prompt to its placeholders."""


def check_prompt(name: str, prompt: PromptFormat) -> Iterator[Finding]:
    """What is wrong with the placeholders of a prompt.

    Args:
        name: one of `PROMPTS`.
        prompt: the prompt.
    """
    known = PROMPTS[name]
    allowed = known.needed | known.optional
    held = [placeholders(message.content) for message in prompt.messages]
    unknown = [(index, word) for index, words in enumerate(held) for word in words - allowed]
    for index, word in sorted(unknown):
        location: Location = ("messages", index, "content")
        hint = suggestion(word, allowed, "placeholders")
        yield Finding(location, f"unknown placeholder {quoted(word)}; {hint}")
    for word in sorted(known.needed.difference(*held)) if not unknown else ():
        text = f"the prompt '{name}' lacks {{{{ {word} }}}}: put it where it belongs"
        yield Finding(("messages",), text)
