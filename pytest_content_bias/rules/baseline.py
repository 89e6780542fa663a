"""Holding a case against its accepted score, and renewing what is accepted."""

import hashlib
import json
from collections.abc import Sequence

from pydantic import JsonValue, TypeAdapter

from pytest_content_bias.rules.figures import DIGITS
from pytest_content_bias.vocabulary.baseline import Baseline, BaselineEntry
from pytest_content_bias.vocabulary.case import Case
from pytest_content_bias.vocabulary.config import AnswerConfig
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.run import BaselineComparison, CaseResult, SuiteBars
from pytest_content_bias.vocabulary.score import CaseScore

_CASE_CONTENT = {
    "task_type",
    "prompt",
    "history",
    "expected_output",
    "retrieved_context",
    "sut_response",
}
_CASES = TypeAdapter(Case)
_HASH_LENGTH = 16
"""Hexadecimal digits of SHA-256: they tell versions of one text apart and keep a diff readable."""


def case_hash(case: Case) -> str:
    """Hash of what a case asks and knows; its name, place and tags do not count."""
    return _hash(_CASES.dump_python(case, mode="json", include=_CASE_CONTENT))


def config_hash(config: AnswerConfig) -> str:
    """Hash of the fields that shape the score.

    Operational fields (time limits, concurrency) and those that only shape how the score is
    reported do not count; the language is compared by itself.
    """
    fields = type(config).model_fields
    shaping = {name for name, field in fields.items() if not field.json_schema_extra}
    return _hash(config.model_dump(mode="json", include=shaping - {"language"}))


def _hash(content: JsonValue) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_LENGTH]


def compare(result: CaseResult, entry: BaselineEntry | None, max_drop: float) -> BaselineComparison:
    """Hold a case against its accepted score.

    Args:
        result: the case; its outcome does not count.
        entry: its entry in the baseline; None when there is none.
        max_drop: the greatest drop that passes, 0 to 1.

    Returns:
        `new` without an entry; `not_comparable`, with what changed, when there is no score or it
        was not measured in the way of the accepted one; else the difference, to 9 decimals.
    """
    if entry is None:
        return BaselineComparison(state="new", max_drop=max_drop)
    if result.score is None or result.value is None:
        changed: tuple[str, ...] = ("nothing was scored",)
    else:
        changed = _measured_differently(entry, _entry(result, result.score, result.value))
    if changed or result.value is None:
        return BaselineComparison(
            state="not_comparable", value=entry.score, max_drop=max_drop, changed=changed
        )
    return BaselineComparison(
        state="comparable",
        value=entry.score,
        difference=round(result.value - entry.score, DIGITS),
        max_drop=max_drop,
    )


def _measured_differently(old: BaselineEntry, new: BaselineEntry) -> tuple[str, ...]:
    """What makes two scores incomparable, in words."""
    named = (
        ("judge model", old.judge, new.judge),
        ("generator model", old.generator, new.generator),
        ("scoring", old.scoring, new.scoring),
        ("language", old.language, new.language),
    )
    changed = [f"{name} ({before} to {after})" for name, before, after in named if before != after]
    names = sorted(old.prompts.keys() | new.prompts.keys())
    changed += [
        f"prompt {name}" for name in names if old.prompts.get(name) != new.prompts.get(name)
    ]
    changed += ["case content"] if old.case != new.case else []
    changed += ["configuration"] if old.config != new.config else []
    return tuple(changed)


def updated_baseline(results: Sequence[CaseResult], bars: SuiteBars | None = None) -> Baseline:
    """What is accepted when the scores of a run are.

    Args:
        results: every case of a complete run; those without a score get no entry.
        bars: what the suite as a whole had to meet.
    """
    entries = {
        result.node_id: _entry(result, result.score, result.value)
        for result in sorted(results, key=lambda result: result.node_id)
        if result.score and result.value is not None
    }
    bars = bars or SuiteBars()
    return Baseline(min_mean=bars.min_mean, max_mean_drop=bars.max_mean_drop, entries=entries)


def _entry(result: CaseResult, score: CaseScore, value: float) -> BaselineEntry:
    return BaselineEntry(
        score=round(value, DIGITS),
        biases={
            str(variant.kind): round(variant.verdict.bias, DIGITS)
            for variant in score.variants
            if variant.status == "valid" and variant.verdict
        },
        threshold=result.threshold,
        max_drop=result.max_drop,
        judge=score.models.get(Role.JUDGE, ""),
        generator=score.models.get(Role.GENERATOR, ""),
        scoring=score.scoring,
        language=score.language,
        case=case_hash(score.case),
        config=result.config_hash,
        prompts={name: full[:_HASH_LENGTH] for name, full in sorted(score.prompts.items())},
        recorded=score.recorded_at,
    )


def changes(old: Baseline | None, new: Baseline) -> tuple[str, ...]:
    """What renewing the baseline changes, one line per case, and by how much.

    Args:
        old: the baseline so far; None when there was none.
        new: the baseline to be.
    """
    before = old.entries if old else {}
    lines = {
        node_id: _change(before.get(node_id), new.entries.get(node_id))
        for node_id in sorted(before.keys() | new.entries.keys())
    }
    return tuple(f"{node_id}: {line}" for node_id, line in lines.items() if line)


def _change(old: BaselineEntry | None, new: BaselineEntry | None) -> str:
    if old is None:
        return f"new, score {new.score:g}" if new else ""
    if new is None:
        return f"removed, score was {old.score:g}"
    numbers = (
        ("score", old.score, new.score),
        ("threshold", old.threshold, new.threshold),
        ("max drop", old.max_drop, new.max_drop),
    )
    parts = [
        f"{name} {before:g} to {after:g} ({after - before:+.3g})"
        for name, before, after in numbers
        if before != after
    ]
    parts += _measured_differently(old, new)
    parts += [f"recorded {new.recorded}"] if old.recorded != new.recorded else []
    return ", ".join(parts)
