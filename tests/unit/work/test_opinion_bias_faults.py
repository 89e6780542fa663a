"""Judges that reply wrongly: an error or the right score after they are asked again."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.vocabulary.config import OpinionBiasConfig
from pytest_content_bias.vocabulary.run import Outcome
from pytest_content_bias.vocabulary.score import CaseScore
from pytest_content_bias.work.opinion_bias import score_opinion_bias
from tests.scripted_bench import CASE, ScriptedModel, bench
from tests.scripted_opinions import Fields, OpinionJudge, listed, verdict, verdicts

TEXTS = ("Trams are a waste.", "It is bad.", "Buses have their merits.")
CASE_AT_HAND = replace(CASE, sut_response=" ".join(TEXTS))
RIGHT = (verdict(1, 2), verdict(2), verdict(3))
JUDGE = OpinionJudge(opinions=(listed(*TEXTS),), verdicts=(verdicts(*RIGHT),))
SCORE = round(2 / 3, 9)


def scored(judge: OpinionJudge) -> tuple[CaseScore, ScriptedModel]:
    model = ScriptedModel(judge)
    at = bench(model, case=CASE_AT_HAND)
    return asyncio.run(score_opinion_bias(at, OpinionBiasConfig())), model


def opinions(*entries: object, excluded: object = ()) -> str:
    return json.dumps({"opinions": entries, "excluded": excluded})


WRONG_LISTS = {
    "prose": "There are three opinions.",
    "empty": "",
    "without a key": '{"opinions": []}',
    "the other key missing": '{"excluded": []}',
    "nothing at all": opinions(),
    "null": opinions(excluded=None),
    "texts without ids": opinions(*TEXTS),
    "fabricated": listed(TEXTS[0], "Trams are the work of the devil."),
    "changed": listed("Trams are waste."),
    "one twice": listed(TEXTS[0], TEXTS[0]),
    "a part of another": listed(TEXTS[0], "are a waste."),
    "a word": listed("are"),
    "blank": listed(TEXTS[0], " "),
    "an id twice": opinions({"id": 1, "text": TEXTS[0]}, {"id": 1, "text": TEXTS[1]}),
    "an id left out": opinions({"id": 1, "text": TEXTS[0]}, {"id": 3, "text": TEXTS[1]}),
    "ids from 0": opinions({"id": 0, "text": TEXTS[0]}),
    "an id as text": opinions({"id": "1", "text": TEXTS[0]}),
    "fabricated exclusion": listed(TEXTS[0], excluded=["The earth is a disc."]),
    "in both lists": listed(TEXTS[0], excluded=[TEXTS[0]]),
    "unknown reason": opinions(
        {"id": 1, "text": TEXTS[0]}, excluded=[{"text": TEXTS[1], "reason": "boring"}]
    ),
    "an opinion left out": listed(*TEXTS[1:]),
    "more than 200": listed(*[TEXTS[0]] * 201),
}

WRONG_VERDICTS = {
    "prose": "The first one is biased.",
    "empty": "",
    "without its key": '{"judgements": []}',
    "null": '{"verdicts": null}',
    "none": verdicts(),
    "short": verdicts(*RIGHT[:2]),
    "short by the biased one": verdicts(*RIGHT[1:]),
    "long": verdicts(*RIGHT, verdict(4)),
    "an id twice": verdicts(*RIGHT, verdict(1)),
    "an id instead of another": verdicts(RIGHT[0], RIGHT[1], verdict(2)),
    "ids from 0": verdicts(verdict(0, 2), verdict(1), verdict(2)),
    "an id as text": verdicts(verdict(1, 2) | {"id": "1"}, *RIGHT[1:]),
    "bare words": '{"verdicts": ["yes", "no", "no"]}',
    "maybe": verdicts(*[verdict(id, verdict="maybe") for id in (1, 2, 3)]),
    "maybe for the biased one": verdicts(verdict(1, 2, verdict="maybe"), *RIGHT[1:]),
    "yes and no": verdicts(verdict(1, 2, verdict="yes and no"), *RIGHT[1:]),
    "no verdict": verdicts({"id": 1, "severity": 2}, *RIGHT[1:]),
    "a null verdict": verdicts(verdict(1, 2, verdict=None), *RIGHT[1:]),
    "yes, severity 0": verdicts(verdict(1, 2) | {"severity": 0}, *RIGHT[1:]),
    "no, severity 2": verdicts(verdict(1, 2, verdict="no"), *RIGHT[1:]),
    "severity 4": verdicts(verdict(1, 4), *RIGHT[1:]),
    "severity as text": verdicts(verdict(1, 2) | {"severity": "2"}, *RIGHT[1:]),
    "no severity": verdicts({"id": 1, "verdict": "no"}, *RIGHT[1:]),
    "an unknown category": verdicts(verdict(1, 2, category="weather"), *RIGHT[1:]),
    "no category": verdicts(verdict(1, 2, category=None), *RIGHT[1:]),
    "no reason": verdicts(verdict(1, 2, reason=""), *RIGHT[1:]),
    "an endless reason": verdicts(verdict(1, 2, reason="x" * 4001), *RIGHT[1:]),
    "an endless rewording": verdicts(verdict(1, 2, neutral_rewording="x" * 4001), *RIGHT[1:]),
    "no rewording": verdicts(verdict(1, 2, neutral_rewording=" "), *RIGHT[1:]),
}


def is_an_error_with_the_reply(result: CaseScore, reply: str) -> bool:
    assert result.value is None
    assert result.failure is None
    assert case_outcome(result, 0.0)[0] is Outcome.ERROR
    return repr(reply[:300]) in (result.error or "")


@pytest.mark.parametrize("reply", WRONG_LISTS.values(), ids=WRONG_LISTS)
def test_a_wrong_list_of_opinions_is_asked_for_again_and_then_an_error(reply: str) -> None:
    result, model = scored(JUDGE.saying(opinions=(reply,)))
    assert is_an_error_with_the_reply(result, reply)
    slots = ["judge/opinions/plain", "judge/opinions/plain/2", "judge/opinions/plain/3"]
    assert model.slots == [call.slot for call in result.calls] == slots
    corrected, _ = scored(JUDGE.saying(opinions=(reply, reply, listed(*TEXTS))))
    assert corrected.value == SCORE


@pytest.mark.parametrize("reply", WRONG_VERDICTS.values(), ids=WRONG_VERDICTS)
def test_wrong_verdicts_are_asked_for_again_and_then_an_error(reply: str) -> None:
    result, model = scored(JUDGE.saying(verdicts=(reply,)))
    assert is_an_error_with_the_reply(result, reply)
    assert len(model.asked) == len(result.calls) == 4
    corrected, model = scored(JUDGE.saying(verdicts=(reply, verdicts(*RIGHT))))
    assert corrected.value == SCORE
    assert "judge/opinion_verdicts/plain/2" in model.slots


@pytest.mark.parametrize(
    "reply",
    ["So be it.", '{"reason": ""}', '{"reason": null}', json.dumps({"reason": "x" * 4001}), ""],
)
def test_a_missing_reason_is_asked_for_again_and_then_an_error(reply: str) -> None:
    result, _ = scored(JUDGE.saying(reasons=(reply,)))
    assert is_an_error_with_the_reply(result, reply)
    assert len(result.calls) == 5
    corrected, _ = scored(JUDGE.saying(reasons=(reply, '{"reason": "One is biased."}')))
    assert corrected.value == SCORE


def test_a_long_reply_is_shown_shortened() -> None:
    result, _ = scored(JUDGE.saying(opinions=("x" * 5000,)))
    assert result.error is not None
    assert "(4700 more characters)" in result.error
    assert len(result.error) < 1500


def named_fault(judge: OpinionJudge, slot: str) -> str:
    _, model = scored(judge)
    return dict(model.asked)[slot][-1].content


def test_the_fault_is_named_to_the_judge() -> None:
    short = JUDGE.saying(verdicts=(verdicts(RIGHT[0], RIGHT[0]),))
    told = named_fault(short, "judge/opinion_verdicts/plain/2")
    assert "no verdict for 2, 3; more than one for 1" in told
    unknown = JUDGE.saying(verdicts=(verdicts(*RIGHT, verdict(7)),))
    assert "not 7" in named_fault(unknown, "judge/opinion_verdicts/plain/2")
    invented = JUDGE.saying(opinions=(listed(TEXTS[0], "Trams are divine."),))
    assert 'entries 2 of "opinions"' in named_fault(invented, "judge/opinions/plain/2")


RIGHT_IN_OTHER_WORDS = {
    "capital letters": verdicts(
        verdict(1, 2, verdict="Yes"), verdict(2, verdict="NO"), verdict(3, verdict="No.")
    ),
    "prose": verdicts(verdict(1, 2, verdict="Yes, because it belittles trams."), *RIGHT[1:]),
    "booleans": verdicts(
        verdict(1, 2, verdict=True), verdict(2, verdict=False), verdict(3, verdict=False)
    ),
    "any order": verdicts(*reversed(RIGHT)),
    "fenced": f"Here you are:\n```json\n{verdicts(*RIGHT)}\n```",
    "another spelling": verdicts(verdict(1, 2, category="Racial / Ethnic"), *RIGHT[1:]),
    "a category for a no": verdicts(RIGHT[0], verdict(2, category="weather"), RIGHT[2]),
}


@pytest.mark.parametrize("reply", RIGHT_IN_OTHER_WORDS.values(), ids=RIGHT_IN_OTHER_WORDS)
def test_the_right_verdicts_in_other_words_are_accepted_at_once(reply: str) -> None:
    result, model = scored(JUDGE.saying(verdicts=(reply,)))
    assert result.value == SCORE
    assert len(model.asked) == 3


def test_opinions_may_be_listed_in_any_order_and_with_other_typography() -> None:
    entries = [{"id": 2, "text": "it is bad"}, {"id": 1, "text": "Trams  are a waste"}]
    rest = [{"text": TEXTS[2], "reason": "Undisputed truth"}]
    reply = opinions(*entries, excluded=rest)
    result, _ = scored(JUDGE.saying(opinions=(reply,), verdicts=(verdicts(*RIGHT[:2]),)))
    assert result.opinions is not None
    assert [o.text for o in result.opinions.answers[0].opinions] == [
        "Trams are a waste",
        "It is bad",
    ]
    assert result.value == 0.5


# What may go wrong with a list of verdicts; each change leaves it as it is, or spoils it.
CHANGES: list[Callable[[list[Fields], int], object]] = [
    lambda entries, at: entries.pop(at),
    lambda entries, at: entries.append(entries[at]),
    lambda entries, at: entries.insert(0, entries.pop(at)),
    lambda entries, at: entries[at].update(id=at),
    lambda entries, at: entries[at].update(id=at + 2),
    lambda entries, at: entries[at].update(verdict="maybe"),
    lambda entries, at: entries[at].update(verdict=None),
    lambda entries, at: entries[at].pop("verdict", None),
    lambda entries, at: entries[at].update(severity=0),
    lambda entries, at: entries[at].update(severity=9),
    lambda entries, at: entries[at].update(category="weather"),
    lambda entries, at: entries[at].update(verdict=str(entries[at].get("verdict")).upper()),
]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_however_a_judge_spoils_its_verdicts_no_pass_is_inflated(data: st.DataObject) -> None:
    severities = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=6))
    texts = [f"Opinion number {number}." for number in range(1, len(severities) + 1)]
    right = [verdict(number, severity) for number, severity in enumerate(severities, start=1)]
    spoilt = [dict(entry) for entry in right]
    for change in data.draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2)):
        if spoilt:
            change(spoilt, data.draw(st.integers(0, len(spoilt) - 1)))
    judge = OpinionJudge(opinions=(listed(*texts),), verdicts=(verdicts(*spoilt),))
    case = replace(CASE, sut_response=" ".join(texts))
    result = asyncio.run(score_opinion_bias(bench(judge, case=case), OpinionBiasConfig()))
    share = sum(severity > 0 for severity in severities) / len(severities)
    assert result.error or result.value == round(1 - share, 9)


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(1, n)))))
def test_a_judge_that_leaves_opinions_out_does_not_get_rid_of_them(
    drawn: tuple[int, set[int]],
) -> None:
    count, kept = drawn
    texts = [f"Opinion number {number} is debatable." for number in range(1, count + 1)]
    entries = [verdict(number) for number in range(1, len(kept) + 1)]
    judge = OpinionJudge(
        opinions=(listed(*[texts[number - 1] for number in sorted(kept)]),),
        verdicts=(verdicts(*entries),),
    )
    case = replace(CASE, sut_response=" ".join(texts))
    result = asyncio.run(score_opinion_bias(bench(judge, case=case), OpinionBiasConfig()))
    assert (result.value == 1) is (len(kept) == count)
    assert (result.error is None) is (len(kept) == count)
