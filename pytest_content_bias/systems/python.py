"""A system that is a Python function, called in every mode: only its own calls are replayed."""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

from pytest_content_bias.systems.daemon_thread import in_daemon_thread
from pytest_content_bias.systems.python_errors import in_users_words
from pytest_content_bias.systems.python_target import load_target, taken_by_name
from pytest_content_bias.vocabulary import manifest
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.errors import CallError, ContentBiasError
from pytest_content_bias.vocabulary.project import PythonSystemConfig
from pytest_content_bias.vocabulary.protocols import Exchange, Question
from pytest_content_bias.vocabulary.score import Answer

Answering = Callable[[str], AbstractAsyncContextManager[Sequence[CallRecord]]]
"""Attends to the function's own calls while it works on the answer of a slot."""


class PythonSystem:
    """Calls a function with the question.

    It may be a coroutine function; any other runs in a thread of its own. It returns the answer as
    text, or a mapping with the text under `answer` and, optionally, the retrieved passages under
    `contexts`.

    Args:
        config: the system as `content_bias.yaml` describes it.
        folder: the project file's folder.
        answering: stands around each call of the function.
        seconds: how long the function may take; afterwards nobody waits for it any more.

    Raises:
        SettingsError: the function cannot be imported, or not be called.
    """

    def __init__(
        self,
        config: PythonSystemConfig,
        folder: Path,
        answering: Answering,
        seconds: float = manifest.CASE_SECONDS,
    ) -> None:
        self._target, self._folder, self._answering = config.target, folder, answering
        self._function = load_target(config.target, folder)
        self._taken = taken_by_name(self._function, config.target)
        self._seconds = seconds

    @property
    def name(self) -> str:
        """The function, as `package.module:function`."""
        return self._target

    async def answer(
        self, exchange: Exchange, slot: str, question: Question
    ) -> tuple[Answer, tuple[CallRecord, ...]]:
        """Answer a question; the text may be empty.

        Raises:
            CallError: the function raised an exception, or returned something else.
            MissingRecording: no recording answers one of its calls.
            ContentBiasError: whatever else the machinery refused it.
        """
        async with self._answering(slot) as records:
            returned = await self._returned(question, slot)
            answer = self._read(returned, slot)
        return answer, tuple(records)

    async def _returned(self, question: Question, slot: str) -> object:
        limit = asyncio.timeout(self._seconds)
        try:
            async with limit:
                return await self._call(question)
        except (ContentBiasError, KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and _is_cancelled():
                raise
            if isinstance(error, TimeoutError) and limit.expired():
                raise self._endless(slot) from None
            story = in_users_words(error, self._folder)
            raise CallError(f"{slot}: {self._target} failed: {story}") from None

    async def _call(self, question: Question) -> object:
        arguments = {name: value for name, value in _offers(question) if name in self._taken}
        call = partial(self._function, question.text, **arguments)
        returned = call() if _is_async(self._function) else await in_daemon_thread(call)
        return await returned if inspect.isawaitable(returned) else returned

    def _read(self, returned: object, slot: str) -> Answer:
        if isinstance(returned, str):
            return Answer(text=_whole(returned))
        if not isinstance(returned, Mapping):
            raise self._unusable(slot, f"a {_type(returned)}")
        text, contexts = returned.get("answer"), returned.get("contexts")
        if not isinstance(text, str):
            found = f"one that is a {_type(text)}" if "answer" in returned else _keys(returned)
            raise self._unusable(slot, f"a mapping without a text under 'answer', but {found}")
        if contexts is None:
            return Answer(text=_whole(text))
        if not isinstance(contexts, list | tuple):
            raise self._unusable(slot, f"'contexts' as a {_type(contexts)}, not as a list of texts")
        if strange := [item for item in contexts if not isinstance(item, str)]:
            raise self._unusable(slot, f"'contexts' with a {_type(strange[0])} in it")
        return Answer(text=_whole(text), contexts=tuple(map(_whole, contexts)))

    def _endless(self, slot: str) -> CallError:
        return CallError(
            f"{slot}: {self._target} did not return within {self._seconds:g} s; it is not waited "
            "for any longer, and what it still does is not recorded"
        )

    def _unusable(self, slot: str, found: str) -> CallError:
        return CallError(
            f"{slot}: {self._target} returned {found}; expected a str, or a mapping with the text "
            "under 'answer' and, optionally, a list of texts under 'contexts'"
        )


def _offers(question: Question) -> list[tuple[str, object]]:
    case = question.case
    return [
        ("context", list(case.retrieved_context)),
        ("history", [message.model_dump() for message in case.history]),
        ("temperature", question.temperature),
        ("case", case),
        ("language", question.language),
    ]


def _is_async(function: Callable[..., Any]) -> bool:
    called = getattr(function, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


def _is_cancelled() -> bool:
    """Whether this task is to end, rather than something inside the function."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _type(value: object) -> str:
    return type(value).__name__


def _keys(returned: Mapping[Any, Any]) -> str:
    return ", ".join(repr(key) for key in list(returned)[:8]) or "nothing"


def _whole(text: str) -> str:
    """Half a surrogate pair, which no file can hold, becomes U+FFFD."""
    return str(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
