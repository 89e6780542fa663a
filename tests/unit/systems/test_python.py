"""Systems that are functions: how they are called, and what they may return."""

import asyncio
import threading

import pytest

from pytest_content_bias.vocabulary.errors import CallError, SettingsError
from pytest_content_bias.vocabulary.score import Answer
from tests.scripted_bench import NoExchange
from tests.unit.systems.python_helpers import CALL, QUESTION, Make, ask


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
