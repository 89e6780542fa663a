"""`results.md`: what was measured, and what it is worth."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Sequence

from benchmarks.judge_quality.labelled import LABELS, Judged, Opined
from benchmarks.judge_quality.opinion_table import opinions
from benchmarks.judge_quality.separation import (
    BANDS,
    LOWEST_BAND,
    area_under_curve,
    band_of,
    clean,
    held,
    slices,
    weighed,
    written,
)
from benchmarks.judge_quality.tables import mean, number, table
from pytest_content_bias.vocabulary.score import Verdict

CONTRASTS = (("blatant", "none"), ("mild", "none"), ("blatant", "mild"))
SCALES: dict[str, Callable[[Verdict], float]] = {"expected level": weighed, "level": written}
_WORTH = """\
What this is worth:

- Answers and labels were written within this project, by the same hand as the judge prompt. There
  is no second rater, so nobody knows how far people would agree with the labels. The figures in
  the sources are made up or rounded.
- It is small: 15 answers for each language and half, of which 11 at most enter the separation. One
  answer judged differently can move an AUC of one language and half by a third, or more.
- The prompt was tuned on the English answers of the half `tune`, and on nothing else: those rows
  flatter it. The German and French prompts are translations. No topic stands in both halves.
- The forms that `rules/judge_address.py` looks for were written with this set at hand, and it takes
  exactly the injected text out of every injected answer here. What is left is the clean answer,
  asked in the same words, and the higher level counts: that an answer held follows from the rule,
  and says nothing about other wordings. The column `whole text` shows what the judge makes of the
  injected answer where the rule does not help.
- The numbers describe this model with these prompts, and no other judge. Measure yours: name it in
  `content_bias.yaml` in this folder, and record."""


def report(judged: Sequence[Judged], opined: Sequence[Opined], model: str) -> str:
    """Write the report.

    Args:
        judged: every answer of the set; at least one was recorded.
        opined: the answers that `opinion_bias` was to score.
        model: the judge.
    """
    found = [one for one in judged if one.status != "missing"]
    parts = [
        "# Quality of the judge",
        _head(found, judged, model),
        _WORTH,
        "## Separation",
        "AUC is the chance that an answer of the first label gets a higher level than one of the "
        "second; ties count one half, 0.5 is chance. Injected answers, refusals and what could not "
        "be judged are left out. Levels run from 0 to 10.",
        _separation(found),
        "## Written level by label and trait",
        _confusion(found),
        _exceptions(found),
        "## Answers with text aimed at the judge",
        "Bias, 0 to 1, of the same answer without and with the injected text, as the product gives "
        "it. Held: not lower by more than 0.1. No verdict: one of them could not be judged, which "
        "makes an invalid variant in a gate.",
        _pairs(found),
        *opinions(opined),
    ]
    return "\n\n".join(parts) + "\n"


def _head(found: Sequence[Judged], judged: Sequence[Judged], model: str) -> str:
    calls = [call for one in found for call in one.calls]
    dates = sorted({call.recorded for call in calls})
    seconds = statistics.median(call.latency_ms for call in calls) / 1000
    days = " to ".join(sorted({dates[0], dates[-1]}))
    return (
        f"Recorded on {days} with `{model}` at temperature 0: {len(found)} of {len(judged)} "
        f"answers, {len(calls)} calls, median {seconds:.1f} s a call."
        f"{_lacking(judged)} Each answer was judged by `work.judging.judge_answer` with the "
        "prompts that ship, `scoring: expected_level`. "
        "`python -m benchmarks.judge_quality.measure` makes this file again from the recordings, "
        "offline."
    )


def _lacking(judged: Sequence[Judged]) -> str:
    """Which part of the set no recording answers for."""
    missing = Counter(
        f"{j.labelled.language} {j.labelled.half}" for j in judged if j.status == "missing"
    )
    if not missing:
        return ""
    parts = ", ".join(f"{count} of {part}" for part, count in missing.items())
    return f" **Incomplete, not recorded: {parts}; `--record` goes on from here.**"


def _separation(found: Sequence[Judged]) -> str:
    rows = []
    for half, language, part in slices(clean(found)):
        verdicts = {
            label: [j.verdict for j in part if j.verdict and j.labelled.label == label]
            for label in LABELS
        }
        for name, scale in SCALES.items() if part else ():
            values = {label: [scale(v) for v in group] for label, group in verdicts.items()}
            areas = [number(area_under_curve(values[a], values[b])) for a, b in CONTRASTS]
            means = [number(mean(values[label])) for label in LABELS]
            sizes = "/".join(str(len(values[label])) for label in LABELS)
            rows.append([half, language, name, sizes, *areas, *means])
    contrasts = [f"AUC {high}/{low}" for high, low in CONTRASTS]
    means_head = [f"mean {label}" for label in LABELS]
    sizes_head = f"n {'/'.join(LABELS)}"
    return table(["half", "language", "scale", sizes_head, *contrasts, *means_head], rows)


def _confusion(found: Sequence[Judged]) -> str:
    keys = sorted({(LABELS.index(j.labelled.label), j.labelled.trait) for j in found})
    columns = [*BANDS, "refused", "unreadable"]
    rows = []
    for index, trait in keys:
        part = [
            band_of(j)
            for j in found
            if (j.labelled.label, j.labelled.trait) == (LABELS[index], trait)
        ]
        rows.append([LABELS[index], trait, len(part), *(part.count(name) for name in columns)])
    heads = [f"{label} {band}" for label, band in zip(LABELS, BANDS, strict=True)]
    return table(["label", "trait", "n", *heads, "refused", "unreadable"], rows)


def _exceptions(found: Sequence[Judged]) -> str:
    refusals = [j for j in found if j.labelled.trait == "refusal"]
    wrong = [j for j in found if j.status == "refused" and j.labelled.trait != "refusal"]
    again = [j for j in found if j.asked_again]
    unreadable = [j for j in found if j.status == "unreadable"]
    seen = sum(j.status == "refused" for j in refusals)
    fair = [j for j in clean(found) if j.labelled.label == LABELS[0]]
    slanted = [j for j in clean(found) if j.labelled.label != LABELS[0]]
    alarms = [j for j in fair if band_of(j) != LOWEST_BAND]
    misses = [j for j in slanted if band_of(j) == LOWEST_BAND]
    return "\n".join(
        [
            f"- False alarms, fair answers at level 3 or higher: {_listed(alarms, len(fair))}",
            f"- Misses, mild or blatant answers at level 0 to 2: {_listed(misses, len(slanted))}",
            f"- Refusals recognised: {seen} of {len(refusals)}.",
            f"- Answers taken for a refusal: {_listed(wrong, len(found) - len(refusals))}",
            f"- Asked again for a fault of the reply: {len(again)} of {len(found)} answers.",
            f"- Unreadable after all three attempts: {_listed(unreadable, len(found))}",
        ]
    )


def _listed(some: Sequence[Judged], size: int) -> str:
    names = ", ".join(j.labelled.id for j in some)
    return f"{len(some)} of {size}{f' ({names})' if names else ''}."


def _pairs(found: Sequence[Judged]) -> str:
    by_id = {j.labelled.id: j for j in found}
    words = {True: "yes", False: "NO", None: "no verdict"}
    rows = [
        [
            injected.labelled.id,
            injected.labelled.half,
            injected.labelled.label,
            f"{_bias(partner)} -> {_bias(injected)}",
            words[held(partner, injected)],
            number(injected.whole),
        ]
        for injected in found
        if (partner := by_id.get(injected.labelled.pair or ""))
    ]
    return table(["injected answer", "half", "label", "bias", "held", "whole text"], rows)


def _bias(judged: Judged) -> str:
    return number(judged.verdict.bias) if judged.verdict else judged.status
