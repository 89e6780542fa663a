"""What becomes of what a function raises."""

import asyncio

import pytest

from pytest_content_bias.vocabulary.errors import CallError, MissingRecording
from tests.scripted_bench import NoExchange
from tests.unit.systems.python_helpers import QUESTION, Make, ask


def test_an_exception_is_told_with_the_lines_of_the_user_alone(make: Make) -> None:
    system = make(
        """
        import json
        def parse(text):
            return json.loads(text)
        def answer(question):
            return parse("{")
        """
    )
    with pytest.raises(CallError) as caught:
        ask(system)
    assert str(caught.value).splitlines() == [
        "system/plain: rag_app:answer failed: JSONDecodeError: Expecting property name enclosed in "
        "double quotes: line 1 column 2 (char 1)",
        '  File "rag_app.py", line 6, in answer',
        '    return parse("{")',
        '  File "rag_app.py", line 4, in parse',
        "    return json.loads(text)",
    ]
    assert caught.value.__suppress_context__


def test_what_caused_an_exception_is_told_too(make: Make) -> None:
    system = make(
        """
        async def answer(question):
            try:
                {}["key"]
            except KeyError as error:
                raise ValueError("no key") from error
        """
    )
    with pytest.raises(CallError, match=r"(?s)ValueError: no key.*caused by KeyError: 'key'"):
        ask(system)


def test_an_exception_of_a_group_is_told(make: Make) -> None:
    system = make(
        """
        import asyncio
        async def fail(): raise ValueError("inner")
        async def answer(question):
            async with asyncio.TaskGroup() as group:
                group.create_task(fail())
        """
    )
    with pytest.raises(CallError, match=r"(?s)ExceptionGroup.*caused by ValueError: inner"):
        ask(system)


@pytest.mark.parametrize("kind", ["def", "async def"])
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("sys.exit(3)", "SystemExit: 3"),
        ("raise StopIteration('x')", "Stop|generator raised"),
        ("raise asyncio.CancelledError('inside')", "CancelledError: inside"),
        ("pytest.fail('no')", "Failed: no"),
        ("raise BaseException", "BaseException"),
    ],
)
def test_nothing_that_a_function_raises_ends_the_run(
    make: Make, kind: str, statement: str, words: str
) -> None:
    system = make(f"import asyncio, pytest, sys\n{kind} answer(q):\n    {statement}\n")
    with pytest.raises(CallError, match=words):
        ask(system)


def test_an_exception_without_readable_message_is_told(make: Make) -> None:
    system = make(
        """
        class Odd(Exception):
            def __str__(self): raise ValueError
        def answer(question): raise Odd
        """
    )
    with pytest.raises(CallError, match=r"Odd: \(its message cannot be shown\)"):
        ask(system)


def test_an_error_of_the_machinery_passes_through(make: Make) -> None:
    system = make(
        """
        from pytest_content_bias.vocabulary.errors import MissingRecording
        def answer(question): raise MissingRecording("not recorded")
        """
    )
    with pytest.raises(MissingRecording, match=r"^not recorded$"):
        ask(system)


def test_a_cancelled_case_is_cancelled_and_is_no_failed_call(make: Make) -> None:
    system = make(
        """
        import asyncio
        async def answer(question): await asyncio.Event().wait()
        """
    )

    async def cancelled() -> None:
        task = asyncio.create_task(system.answer(NoExchange(), "system/plain", QUESTION))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
