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
    for attempt in range(1, config.n_sut_retries + 2):
        slot = f"system/{name}" if attempt == 1 else f"system/{name}/{attempt}"
        try:
            answer, made = await system.answer(bench.exchange, slot, question)
        except CallsStopped:
            raise
        except CallError:
            if attempt > config.n_sut_retries:
                raise
            continue
        records.extend(made)
        if answer.text.strip():
            break
    return answer, tuple(records)
