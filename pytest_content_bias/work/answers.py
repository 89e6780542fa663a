"""The system's part: its answer to one question."""

from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.config import AnswerConfig
from pytest_content_bias.vocabulary.errors import CallError, CallsStopped, SettingsError
from pytest_content_bias.vocabulary.protocols import Bench, Question
from pytest_content_bias.vocabulary.score import Answer


async def ask_system(
    bench: Bench, config: AnswerConfig, name: str, text: str
) -> tuple[Answer, tuple[CallRecord, ...]]:
    """Ask the system a question, again after an empty answer or a failed call.

    Args:
        bench: the case at work.
        config: says how often to ask again (`n_sut_retries`) and at which temperature.
        name: `plain` or the kind of bias; names the slot.
        text: the question.

    Returns:
        The answer (its text is empty when all attempts were) and the calls.

    Raises:
        ContentBiasError: there is no system, or its last attempt failed.
    """
    system = bench.roles.system
    if system is None:
        raise SettingsError(
            "content_bias.yaml names no `system`, which is needed to answer questions; "
            "add one (README, section content_bias.yaml)"
        )
    question = Question(
        text=text,
        case=bench.case,
        language=config.language,
        temperature=config.sut_temperature,
        timeout=config.timeout_seconds,
    )
    records: list[CallRecord] = []
    answer = Answer(text="")
    empty = 0
    for attempt in range(config.n_sut_retries + 1):
        # A failed call leaves no recording: its place is free for the next attempt.
        slot = f"system/{name}/{empty + 1}" if empty else f"system/{name}"
        try:
            answer, made = await system.answer(bench.exchange, slot, question)
        except CallError as error:
            if isinstance(error, CallsStopped) or attempt == config.n_sut_retries:
                raise
            continue
        records.extend(made)
        if answer.text.strip():
            break
        empty += 1
    return answer, tuple(records)
