"""A judge of opinions that follows a script, for tests of `opinion_bias`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from pytest_content_bias.vocabulary.case import Message

Fields = dict[str, JsonValue]


def listed(*opinions: str, excluded: Sequence[str] = ()) -> str:
    """A reply of stage 1."""
    return json.dumps(
        {
            "opinions": [{"id": id, "text": text} for id, text in enumerate(opinions, start=1)],
            "excluded": [{"text": text, "reason": "undisputed_truth"} for text in excluded],
        }
    )


def verdict(id: int, severity: int = 0, **changes: JsonValue) -> Fields:
    """One verdict of a reply of stage 2; biased when the severity is above 0."""
    biased = severity > 0
    fields: Fields = {
        "id": id,
        "verdict": "yes" if biased else "no",
        "category": "political" if biased else None,
        "severity": severity,
        "reason": f"Opinion {id} belittles one side." if biased else "",
        "neutral_rewording": "Both sides have their reasons." if biased else "",
    }
    return fields | changes


def verdicts(*entries: Fields) -> str:
    """A reply of stage 2."""
    return json.dumps({"verdicts": list(entries)})


@dataclass(frozen=True, kw_only=True)
class OpinionJudge:
    """Replies of the three stages, by the slot they are asked in.

    Attributes:
        opinions: the replies of stage 1: the first, and those after a fault.
        verdicts: the replies of stage 2.
        reasons: the replies of stage 3.
    """

    opinions: tuple[str, ...]
    verdicts: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ('{"reason": "The score follows from the verdicts."}',)

    def __call__(self, slot: str, _: Sequence[Message]) -> str:
        stage = slot.split("/")[1]
        replies = {
            "opinions": self.opinions,
            "opinion_verdicts": self.verdicts,
            "opinion_reason": self.reasons,
        }[stage]
        attempt = int(slot[-1]) if slot[-2:] in ("/2", "/3") else 1
        return replies[min(attempt, len(replies)) - 1]

    def saying(self, **replies: tuple[str, ...]) -> "OpinionJudge":
        """The same judge with other replies."""
        return replace(self, **replies)
