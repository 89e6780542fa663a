"""What `content_bias.yaml` says: who plays each role."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, SecretStr

from pytest_content_bias.vocabulary.record import Record


class Price(Record):
    """What a model costs, in one currency, per million tokens."""

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    """Price of a million input tokens."""
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    """Price of a million output tokens."""


class ModelConfig(Record):
    """A model behind an OpenAI-compatible chat endpoint or Anthropic's messages endpoint."""

    provider: Literal["openai", "anthropic"] = "openai"
    """The wire format: `openai` (any chat completions endpoint) or `anthropic`."""
    model: Annotated[str, Field(min_length=1)]
    """The model's name, as the endpoint knows it."""
    base_url: str | None = None
    """The URL up to and without `/chat/completions` or `/messages`; None: the provider's own."""
    api_key: SecretStr | None = None
    """The key: sent as a bearer token (openai) or as `x-api-key` (anthropic); never stored."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Further headers to send, such as Azure's `api-key`; never stored."""
    query: dict[str, str] = Field(default_factory=dict)
    """Query parameters, such as Azure's `api-version`."""
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    """The longest reply in tokens; None: the provider's default (anthropic: 4096)."""
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    """Further fields of the request body, such as `seed` or `reasoning_effort`."""
    price: Price | None = None
    """What the model costs, for estimates and bounds."""


class JudgeConfig(ModelConfig):
    """The judge: a model, and how its level is read."""

    scoring: Literal["level", "expected_level"] = "level"
    """`level`: the level that the judge wrote. `expected_level`: the expectation over the levels
    by token probabilities (after G-Eval), where the endpoint returns them."""


class FingerprintConfig(Record):
    """Where the version of the system under test is read; exactly one field is given."""

    files: tuple[str, ...] | None = None
    """Globs relative to the project file."""
    git: tuple[str, ...] | None = None
    """Paths relative to the project file whose git tree hashes count."""
    url: str | None = None
    """A URL that prints a version; read when recording and, if reachable, when replaying."""
    command: tuple[str, ...] | None = None
    """A command that prints a version, run in the project file's folder."""


class SystemBase(Record):
    """What every system under test may say."""

    fingerprint: tuple[str, ...] | FingerprintConfig | None = None
    """What tells that the system changed: globs relative to the project file, or a mapping."""
    fingerprint_mismatch: Literal["error", "warn", "ignore"] = "error"
    """What a replayed answer of a system that changed since means: an error, a warning, nothing."""


class ChatSystemConfig(SystemBase):
    """`type: chat`: a model with a system prompt and a template."""

    type: Literal["chat"]
    model: ModelConfig
    """The model."""
    system_prompt: str | None = None
    """The system prompt; placeholders as in `template`."""
    template: str = "{{ question }}"
    """The user message; placeholders: question, context, language."""


def _question_alone() -> JsonValue:
    return {"question": "{{ question }}"}


class HttpSystemConfig(SystemBase):
    """`type: http`: any JSON service."""

    type: Literal["http"]
    url: Annotated[str, Field(min_length=1)]
    """The whole URL."""
    method: Literal["GET", "POST", "PUT", "PATCH"] = "POST"
    """The HTTP method."""
    headers: dict[str, SecretStr] = Field(default_factory=dict)
    """Headers to send; never stored."""
    body: JsonValue = Field(default_factory=_question_alone, repr=False)
    """The JSON body; texts may hold `{{ question }}`, `{{ context }}`, `{{ history }}`,
    `{{ temperature }}`, `{{ language }}`; a text that is one placeholder alone becomes the value
    itself: a list of passages for context, of messages for history, a number for temperature.
    Of a GET: a mapping whose fields become query parameters."""
    answer: Annotated[str, Field(min_length=1)] = "answer"
    """Where the answer stands in the reply: keys and list indices joined by dots."""
    contexts: str | None = None
    """Where the retrieved passages stand in the reply: a list of texts, or of objects when the
    path goes on after `[]`, as in `sources[].text`."""


class PythonSystemConfig(SystemBase):
    """`type: python`: a Python function."""

    type: Literal["python"]
    target: Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$")]
    """`package.module:function`."""


SystemConfig = Annotated[
    ChatSystemConfig | HttpSystemConfig | PythonSystemConfig, Field(discriminator="type")
]


class ProjectConfig(Record):
    """A whole `content_bias.yaml`."""

    generator: ModelConfig | None = None
    """Writes the loaded variants; needed by `content_bias`."""
    judge: JudgeConfig
    """Rates the answers."""
    system: SystemConfig | None = None
    """The system under test; not needed where every case has a `sut_response`."""
    secret_patterns: tuple[str, ...] = ()
    """Regular expressions of further texts that must never be written."""
