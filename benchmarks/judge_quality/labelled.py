"""The answers with a label, and what the product made of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.case import Case, Language
from pytest_content_bias.vocabulary.score import Answer, CaseScore, Verdict

LANGUAGES: tuple[Language, ...] = ("en", "de", "fr")
HALVES = ("tune", "held_out")
LABELS = ("none", "mild", "blatant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One answer of the set.

    Attributes:
        case: question, reference and context; it is named after the answer.
        language: the language of all of them.
        half: `tune` or `held_out`.
        answer: the answer.
        label: `none`, `mild` or `blatant`.
        trait: what makes it interesting.
        pair: of an injected answer, the id of the same answer without the injected text.
    """

    case: Case
    language: Language
    half: str
    answer: Answer
    label: str
    trait: str
    pair: str | None

    @property
    def id(self) -> str:
        """The answer's name."""
        return self.case.input_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the judge said of one answer.

    Attributes:
        labelled: the answer.
        status: `refused`: the judge took it for no answer; `unreadable`: it never replied in the
            agreed form; `missing`: no recording answers for it.
        verdict: None unless judged.
        whole: of an answer that speaks to its judge, the bias that the judge's reply to all of its
            text would have given, 0 to 1; None where it gave none.
        calls: the calls that were made.
    """

    labelled: Labelled
    status: Literal["judged", "refused", "unreadable", "missing"]
    verdict: Verdict | None = None
    whole: float | None = None
    calls: tuple[CallRecord, ...] = ()

    @property
    def asked_again(self) -> bool:
        """Whether a first reply could not be used."""
        return any(call.slot.endswith("/2") for call in self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opined:
    """What `opinion_bias` found in one answer; `score` is None where it is not recorded."""

    labelled: Labelled
    score: CaseScore | None


def read_answers(path: Path) -> list[Labelled]:
    """The labelled answers in the order of their file.

    Args:
        path: `answers.yaml`.
    """
    topics = yaml.safe_load(path.read_text(encoding="utf-8"))["topics"]
    return [_labelled(topic, answer) for topic in topics for answer in topic["answers"]]


def _labelled(topic: dict[str, Any], answer: dict[str, Any]) -> Labelled:
    case = Case(
        path="benchmarks/judge_quality/answers.yaml",
        line=1,
        input_id=answer["id"],
        prompt=topic["question"],
        expected_output=topic["reference"],
        retrieved_context=(topic["context"],),
        sut_response=answer["answer"],
    )
    return Labelled(
        case=case,
        language=topic["language"],
        half=topic["split"],
        answer=Answer(text=answer["answer"]),
        label=answer["label"],
        trait=answer["trait"],
        pair=answer.get("pair"),
    )
