"""A system that is a model with a system prompt and a template."""

from collections.abc import Sequence

from pytest_content_bias.rules.templates import (
    CHAT_PLACEHOLDERS,
    TemplateError,
    render,
)
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Message
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.project import ChatSystemConfig
from pytest_content_bias.vocabulary.protocols import ChatModel, Exchange, Question
from pytest_content_bias.vocabulary.score import Answer


class ChatSystem:
    """Asks a chat model: system prompt, earlier turns of the case, and the rendered template.

    Args:
        config: the system as `content_bias.yaml` describes it.
        model: the model that `config.model` describes.

    Raises:
        SettingsError: a text names an unknown placeholder, or the template is blank.
    """

    def __init__(self, config: ChatSystemConfig, model: ChatModel) -> None:
        self._config, self._model = config, model
        known = dict.fromkeys(CHAT_PLACEHOLDERS, "known")
        if not _rendered("system.template", config.template, known).strip():
            raise SettingsError("content_bias.yaml: system.template is blank; expected a question")
        _rendered("system.system_prompt", config.system_prompt or "", known)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def answer(
        self, exchange: Exchange, slot: str, question: Question
    ) -> tuple[Answer, tuple[CallRecord, ...]]:
        """Answer a question; the text may be empty.

        Raises:
            CallError, MissingRecording: as `Exchange.call`.
        """
        completion = await self._model.complete(
            exchange,
            slot,
            self._messages(question),
            temperature=question.temperature,
            timeout=question.timeout,
        )
        return Answer(text=completion.text), (completion.record,)

    def _messages(self, question: Question) -> Sequence[Message]:
        values = {
            "question": question.text,
            "context": _numbered(question.case.retrieved_context),
            "language": question.language,
        }
        prompt = render(self._config.system_prompt or "", values)
        system = (Message(role="system", content=prompt),) if prompt.strip() else ()
        text = render(self._config.template, values)
        if not text.strip():
            raise SettingsError(
                f"content_bias.yaml: system.template makes an empty message for "
                f"{question.case.case_id}; let it name {{{{ question }}}}"
            )
        return (*system, *question.case.history, Message(role="user", content=text))


def _numbered(passages: Sequence[str]) -> str:
    return "\n".join(f"[{number}] {passage}" for number, passage in enumerate(passages, start=1))


def _rendered(field: str, template: str, values: dict[str, str]) -> str:
    try:
        return render(template, values)
    except TemplateError as error:
        raise SettingsError(f"content_bias.yaml: {field}: {error}") from None
