"""OpenAI's chat completions, which most endpoints speak."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field, JsonValue, TypeAdapter

from pytest_content_bias.models.wire import Ask, ChatOverHttp, Reading
from pytest_content_bias.vocabulary.protocols import TokenAlternatives


class OpenAIChat(ChatOverHttp):
    """A model behind an OpenAI-compatible endpoint; `base_url` ends before `/chat/completions`."""

    wire: ClassVar[str] = "openai"
    default_url: ClassVar[str] = "https://api.openai.com/v1"
    path: ClassVar[str] = "/chat/completions"
    optional: ClassVar[Mapping[str, str | None]] = {
        "temperature": None,
        "response_format": None,
        "logprobs": None,
        "top_logprobs": None,
        "max_tokens": "max_completion_tokens",
    }
    usage_fields: ClassVar[tuple[str, str]] = ("prompt_tokens", "completion_tokens")
    stopped_at_limit: ClassVar[frozenset[str]] = frozenset({"length", "max_tokens"})
    withheld: ClassVar[frozenset[str]] = frozenset({"content_filter"})
    no_reply: ClassVar[frozenset[str]] = frozenset({"tool_calls", "function_call"})

    def body(self, ask: Ask) -> dict[str, JsonValue]:
        """The request body, without the configuration's `parameters`."""
        body: dict[str, JsonValue] = {
            "model": self.config.model,
            "messages": [{"role": m.role, "content": m.content} for m in ask.messages],
            "temperature": ask.temperature,
            "stream": False,
        }
        if self.max_tokens is not None:
            body["max_tokens"] = self.max_tokens
        if ask.schema is not None:
            reply: JsonValue = {"name": "reply", "strict": True, "schema": dict(ask.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": reply}
        if ask.alternatives:
            body |= {"logprobs": True, "top_logprobs": 20}
        return body

    def headers(self) -> dict[str, str]:
        """The key as a bearer token."""
        key = self.config.api_key
        return {"authorization": f"Bearer {key.get_secret_value()}"} if key else {}

    def read(self, body: JsonValue, ask: Ask) -> Reading:
        """Read the first choice."""
        choice = _Reply.model_validate(body).choices[0]
        return Reading(
            text=choice.message.text(),
            finish=choice.finish_reason,
            tokens=_tokens(choice.logprobs) if ask.alternatives else None,
        )


class _Part(BaseModel):
    type: str = "text"
    text: str | None = None


class _Message(BaseModel):
    content: str | list[_Part] | None
    refusal: str | None = None

    def text(self) -> str:
        """The content; what other parts than text hold, such as thoughts, is no reply."""
        content = self.content
        if isinstance(content, list):
            content = "".join(part.text or "" for part in content if part.type == "text")
        return content or self.refusal or ""


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None
    logprobs: JsonValue = None


class _Reply(BaseModel):
    choices: Annotated[list[_Choice], Field(min_length=1)]


class _Alternative(BaseModel):
    token: str
    logprob: float


class _Token(_Alternative):
    top_logprobs: list[_Alternative] = []


_TOKENS: TypeAdapter[list[_Token]] = TypeAdapter(list[_Token])


def _tokens(logprobs: JsonValue) -> Sequence[TokenAlternatives] | None:
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not content:
        return None
    return tuple(_with_alternatives(token) for token in _TOKENS.validate_python(content))


def _with_alternatives(token: _Token) -> TokenAlternatives:
    """Tokens of equal text, such as broken characters, count with the likeliest of them."""
    alternatives: dict[str, float] = {}
    for entry in (token, *token.top_logprobs):
        alternatives[entry.token] = max(entry.logprob, alternatives.get(entry.token, entry.logprob))
    return TokenAlternatives(token=token.token, alternatives=alternatives)
