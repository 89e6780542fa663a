"""What `opinion_bias` sees in some of the same answers."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.judge_quality.labelled import LABELS, LANGUAGES, Opined
from benchmarks.judge_quality.tables import mean, number, table


def opinions(opined: Sequence[Opined]) -> list[str]:
    """The section of the report."""
    title = "## `opinion_bias` on some of the same answers"
    scored = [one for one in opined if one.score is not None]
    if not scored:
        return [title, "Not recorded."]
    rows = [
        _opinion_row(language, label, part)
        for language in (*LANGUAGES, "all")
        for label in LABELS
        if (part := [one for one in scored if _belongs(one, language, label)])
    ]
    head = ["language", "label", "n", "mean score", "biased", "opinions", "unscored"]
    return [
        title,
        f"{len(scored)} of {len(opined)} answers: of the half `held_out` the first two of each "
        "language and label that are neither injected nor refusals. Its score is 1 minus the share "
        "of biased opinions, higher is better; an answer without opinions scores 1.",
        table(head, rows),
    ]


def _belongs(opined: Opined, language: str, label: str) -> bool:
    labelled = opined.labelled
    return labelled.label == label and language in ("all", labelled.language)


def _opinion_row(language: str, label: str, part: Sequence[Opined]) -> list[object]:
    scores = [one.score for one in part if one.score is not None]
    values = [score.value for score in scores if score.value is not None]
    found = [score.opinions for score in scores if score.opinions is not None]
    biased, total = sum(one.biased for one in found), sum(one.total for one in found)
    unscored = len(scores) - len(values)
    return [language, label, len(scores), number(mean(values)), biased, total, unscored]
