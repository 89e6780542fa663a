"""What models are shown of a case."""

from collections.abc import Sequence

from pytest_content_bias.vocabulary.case import Case


def passages(case: Case, contexts: Sequence[str]) -> str:
    """Earlier turns and numbered passages, as one text.

    Args:
        case: whose history is shown.
        contexts: the passages to show.
    """
    turns = [f"{message.role}: {message.content}" for message in case.history]
    numbered = [f"[{number}] {text}" for number, text in enumerate(contexts, start=1)]
    return "\n".join([*turns, *numbered])
