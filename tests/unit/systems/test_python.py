import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_content_bias.systems.python import PythonSystem
from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Case, Message
from pytest_content_bias.vocabulary.errors import CallError, MissingRecording, SettingsError
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.project import PythonSystemConfig
from pytest_content_bias.vocabulary.protocols import Question
from pytest_content_bias.vocabulary.score import Answer
from tests.scripted_bench import NoExchange

CASE = Case(
    path="cases/drug.bias.yaml",
    line=3,
    input_id="drug-x",
    prompt="What are its effects?",
    history=(Message(role="user", content="Hello"), Message(role="assistant", content="Hi")),
    retrieved_context=("It helps.", "It may harm."),
)
QUESTION = Question(text="Is it bad?", case=CASE, language="de", temperature=0.7, timeout=5)
CALL = CallRecord(
    slot="system/plain/app/1", role=Role.SYSTEM, model="m", replayed=True, latency_ms=1
)

Make = Callable[..., PythonSystem]
ATTENDED: ContextVar[str] = ContextVar("attended")


@asynccontextmanager
async def attended(slot: str) -> AsyncIterator[Sequence[CallRecord]]:
    """Stands in for the recorder: marks the context, and tells of one call at the end."""
    records: list[CallRecord] = []
    token = ATTENDED.set(slot)
    try:
        yield records
    finally:
        ATTENDED.reset(token)
    records.append(CALL)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Writes a module and makes a system of a function in it."""
    path, modules = list(sys.path), set(sys.modules)

    def made(source: str, target: str = "rag_app:answer") -> PythonSystem:
        (tmp_path / "rag_app.py").write_text(dedent(source), encoding="utf-8")
        return PythonSystem(PythonSystemConfig(type="python", target=target), tmp_path, attended)

    yield made
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def ask(system: PythonSystem) -> Answer:
    answer, _ = asyncio.run(system.answer(NoExchange(), "system/plain", QUESTION))
    return answer


def test_a_function_answers_the_question(make: Make) -> None:
    system = make("def answer(question): return question.upper()")
    assert ask(system) == Answer(text="IS IT BAD?")
    assert system.name == "rag_app:answer"


def test_a_coroutine_function_answers_the_question(make: Make) -> None:
    system = make(
        """
        import asyncio
        async def answer(question):
            await asyncio.sleep(0)
            return question.upper()
        """
    )
    assert ask(system).text == "IS IT BAD?"


def test_a_method_a_partial_and_a_callable_object_will_do(make: Make) -> None:
    source = """
        from functools import partial
        class Pipeline:
            async def __call__(self, question): return "called"
            def run(self, question): return "ran"
        pipeline = Pipeline()
        half = partial(lambda mode, question: mode, "half")
        """
    for target, text in [("pipeline", "called"), ("pipeline.run", "ran"), ("half", "half")]:
        assert ask(make(source, f"rag_app:{target}")).text == text


def test_a_function_that_returns_a_coroutine_is_awaited(make: Make) -> None:
    system = make(
        """
        async def later(question): return "later"
        def answer(question): return later(question)
        """
    )
    assert ask(system).text == "later"


def test_the_calls_that_were_made_come_with_the_answer(make: Make) -> None:
    system = make("def answer(question): return 'x'")
    _, records = asyncio.run(system.answer(NoExchange(), "system/plain", QUESTION))
    assert records == (CALL,)


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_the_function_runs_in_the_context_that_attends_to_it(make: Make, kind: str) -> None:
    system = make(
        f"""
        import contextvars
        {kind} answer(question):
            return next(v for k, v in contextvars.copy_context().items() if k.name == "attended")
        """
    )
    assert ask(system).text == "system/plain"


def test_a_plain_function_runs_in_a_thread_and_may_run_an_event_loop(make: Make) -> None:
    system = make(
        """
        import asyncio, threading
        async def inner(): return threading.current_thread().name
        def answer(question): return asyncio.run(inner())
        """
    )
    assert ask(system).text != threading.current_thread().name


def test_many_plain_functions_run_at_once(make: Make) -> None:
    system = make(
        """
        import threading
        together = threading.Barrier(24)
        def answer(question):
            together.wait(10)
            return "met"
        """
    )

    async def ask_all() -> list[str]:
        asked = [system.answer(NoExchange(), "system/plain", QUESTION) for _ in range(24)]
        return [answer.text for answer, _ in await asyncio.gather(*asked)]

    assert asyncio.run(ask_all()) == ["met"] * 24


def test_what_a_function_takes_by_name_it_gets(make: Make) -> None:
    system = make(
        """
        def answer(question, history, *, temperature, case, language="en", other=1):
            return f"{history} {temperature} {case.input_id} {language} {other}"
        """
    )
    history = "[{'role': 'user', 'content': 'Hello'}, {'role': 'assistant', 'content': 'Hi'}]"
    assert ask(system).text == f"{history} 0.7 drug-x de 1"


def test_the_context_is_a_list_of_texts(make: Make) -> None:
    system = make("def answer(q, context): return '|'.join(context)")
    assert ask(system).text == "It helps.|It may harm."


def test_a_function_with_open_keywords_gets_everything(make: Make) -> None:
    system = make("def answer(q, **rest): return ' '.join(sorted(rest))")
    assert ask(system).text == "case context history language temperature"


def test_a_first_parameter_of_any_name_is_the_question(make: Make) -> None:
    system = make("def answer(context, **rest): return context + ' ' + ' '.join(sorted(rest))")
    assert ask(system).text == "Is it bad? case history language temperature"


def test_a_function_that_takes_anything_gets_the_question(make: Make) -> None:
    assert ask(make("def answer(*args): return ' '.join(args)")).text == "Is it bad?"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("", "takes no positional parameter"),
        ("*, question", "takes no positional parameter"),
        ("q, k", "parameter 'k' has no default, and is none of context, history"),
        ("q, contexts", "did you mean 'context'"),
        ("q, context, /", "parameter 'context' has no default"),
    ],
)
def test_a_function_that_cannot_be_called_is_refused_before_it_is_called(
    make: Make, parameters: str, words: str
) -> None:
    with pytest.raises(SettingsError, match=rf"system\.target 'rag_app:answer': .*{words}"):
        make(f"def answer({parameters}): return ''")


def test_an_answer_may_come_with_the_contexts_that_were_retrieved(make: Make) -> None:
    system = make("def answer(q): return {'answer': 'a', 'contexts': ('c', 'd'), 'more': 1}")
    assert ask(system) == Answer(text="a", contexts=("c", "d"))


@pytest.mark.parametrize("contexts", ["'contexts': None", ""])
def test_contexts_may_be_left_out(make: Make, contexts: str) -> None:
    assert ask(make(f"def answer(q): return {{'answer': '', {contexts}}}")) == Answer(text="")


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ("None", "returned a NoneType; expected a str, or a mapping"),
        ("b'x'", "returned a bytes"),
        ("['x']", "returned a list"),
        ("(c for c in 'x')", "returned a generator"),
        ("{'anwser': 'x', 1: 2}", "without a text under 'answer', but 'anwser', 1;"),
        ("{}", "but nothing"),
        ("{'answer': 3}", "but one that is a int"),
        ("{'answer': 'x', 'contexts': 'y'}", "'contexts' as a str, not as a list"),
        ("{'answer': 'x', 'contexts': ['y', {}]}", "'contexts' with a dict in it"),
    ],
)
def test_anything_else_is_an_error_that_says_what_it_is(
    make: Make, returned: str, words: str
) -> None:
    system = make(f"def answer(q): return {returned}")
    with pytest.raises(CallError, match=words):
        ask(system)


def test_half_a_character_becomes_one_that_can_be_stored(make: Make) -> None:
    assert (
        ask(make(r"def answer(q): return 'a\ud800b' + '\ud83d\ude00'")).text == "a\ufffdb\U0001f600"
    )


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


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("rag_ap:answer", r"there is no module 'rag_ap' in .*; did you mean 'rag_app'\?"),
        (
            "rag_pkg.chains:f",
            r"there is no module 'rag_pkg\.chains' .*; did you mean 'rag_pkg\.chain'\?",
        ),
        ("rag_app:anwser", r"module 'rag_app' has no 'anwser'; did you mean 'answer'\?"),
        ("rag_app:answer.run", "'answer' has no 'run'"),
        ("rag_app:NUMBER", "it is a int; expected a function"),
    ],
)
def test_a_target_that_is_not_there_is_told_with_the_nearest_name(
    make: Make, tmp_path: Path, target: str, words: str
) -> None:
    (tmp_path / "rag_pkg").mkdir()
    (tmp_path / "rag_pkg" / "chain.py").touch()
    with pytest.raises(SettingsError, match=rf"content_bias\.yaml: system\.target '.*': {words}"):
        make("NUMBER = 3\ndef answer(q): return ''", target)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import not_installed_anywhere", "No module named 'not_installed_anywhere'"),
        ("1 / 0", "ZeroDivisionError"),
        ("def answer(:", "SyntaxError"),
        ("raise SystemExit('usage')", "SystemExit: usage"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_in_words(
    make: Make, source: str, words: str
) -> None:
    with pytest.raises(SettingsError, match=f"importing rag_app failed: .*{words}"):
        make(source)


def test_the_line_that_fails_at_import_is_shown(make: Make) -> None:
    with pytest.raises(SettingsError, match=r'File "rag_app.py", line 2, in <module>'):
        make("import sys\nNUMBER = 1 / 0\n")


def test_another_folders_module_of_the_same_name_is_not_taken_for_ours(
    make: Make, tmp_path: Path
) -> None:
    make("def answer(q): return 'first'")
    other = tmp_path / "other"
    other.mkdir()
    (other / "rag_app.py").write_text("def answer(q): return 'second'", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"'rag_app' was imported from .* has another"):
        PythonSystem(PythonSystemConfig(type="python", target="rag_app:answer"), other, attended)


def test_the_folder_of_the_project_file_is_importable_once(make: Make, tmp_path: Path) -> None:
    for _ in range(2):
        make("def answer(q): return ''")
    assert sys.path.count(str(tmp_path)) == 1
