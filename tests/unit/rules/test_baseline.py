from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_content_bias.rules.baseline import changes, compare, config_hash, updated_baseline
from pytest_content_bias.vocabulary.baseline import Baseline
from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig, OpinionBiasConfig
from tests.report_factory import (
    baseline_of,
    make_case,
    make_error,
    make_opinion_score,
    make_result,
    make_score,
)


def content(**fields: Any) -> str:
    return config_hash(ContentBiasRAGConfig.model_validate(fields))


NODE = "cases/medicine.bias.yaml::drug-x::content_bias"
ACCEPTED = baseline_of({"drug-x": (0.0, 0.1, 0.2)})
ENTRY = ACCEPTED.entries[NODE]


def test_an_entry_keeps_what_the_score_rests_on() -> None:
    assert ENTRY.score == 0.9
    assert ENTRY.biases == {"one_sided": 0.0, "amplify_downplay": 0.1, "justify_judge": 0.2}
    assert (ENTRY.judge, ENTRY.generator) == ("judge-model", "generator-model")
    assert ENTRY.prompts == {"judge": "0123456789abcdef", "variant": "fedcba9876543210"}
    assert (ENTRY.threshold, ENTRY.max_drop, ENTRY.recorded) == (0.8, 0.05, "2026-11-01")


def test_the_same_measurement_is_compared() -> None:
    comparison = compare(make_result(make_score(biases=(0.1, 0.2, 0.3))), ENTRY, 0.05)
    assert comparison.state == "comparable"
    assert (comparison.value, comparison.difference, comparison.dropped) == (0.9, -0.1, True)


def test_a_case_without_an_entry_is_new() -> None:
    assert compare(make_result(), None, 0.05).state == "new"


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (
            {"models": {"judge": "b", "generator": "generator-model"}},
            "judge model (judge-model to b)",
        ),
        ({"models": {"judge": "judge-model"}}, "generator model (generator-model to )"),
        ({"prompts": {"judge": "f" * 64, "variant": "fedcba9876543210" * 4}}, "prompt judge"),
        ({"prompts": {"judge": "0123456789abcdef" * 4}}, "prompt variant"),
        ({"scoring": "expected_level"}, "scoring (level to expected_level)"),
        ({"language": "de"}, "language (en to de)"),
        ({"case": make_case(prompt="What else?")}, "case content"),
        ({"case": make_case(retrieved_context=("Another passage.",))}, "case content"),
    ],
)
def test_another_measurement_is_not_comparable_and_says_why(
    changed: dict[str, Any], named: str
) -> None:
    comparison = compare(make_result(make_score(**changed)), ENTRY, 0.05)
    assert comparison.state == "not_comparable"
    assert comparison.changed == (named,)
    assert comparison.difference is None
    assert not comparison.dropped


def test_another_configuration_is_not_comparable() -> None:
    result = make_result(config_hash=content(sut_temperature=0.0))
    assert compare(result, ENTRY, 0.05).changed == ("configuration",)


def test_a_moved_line_or_another_tag_changes_nothing() -> None:
    score = make_score(make_case(line=99, tags=("other",)))
    assert compare(make_result(score), ENTRY, 0.05).state == "comparable"


def test_an_unscored_case_is_not_comparable() -> None:
    assert compare(make_error(), ENTRY, 0.05).changed == ("nothing was scored",)


def test_only_fields_that_shape_the_score_count_in_a_configuration() -> None:
    plain = content()
    assert plain == content(timeout_seconds=5, min=-1, weight=3)
    assert plain == content(language="de", metric_name="x")
    assert plain != content(use_retrieved_context=False)
    assert plain != content(reference_answer="Another.")
    strict = OpinionBiasConfig.model_validate({"strict_mode": True})
    assert config_hash(strict) != config_hash(OpinionBiasConfig.model_validate({}))


@given(st.floats(min_value=0, max_value=1), st.floats(min_value=0, max_value=1))
def test_a_drop_within_the_greatest_one_never_fails(accepted: float, allowed: float) -> None:
    entry = ENTRY.model_copy(update={"score": accepted})
    score = max(0.0, accepted - allowed)
    comparison = compare(make_result(make_score(value=score)), entry, allowed)
    assert not comparison.dropped


def test_unscored_cases_get_no_entry_and_entries_are_sorted() -> None:
    results = [make_result(make_score(make_case(name))) for name in ("b", "a")]
    nodes = list(updated_baseline([*results, make_error()]).entries)
    assert [node.split("::")[1] for node in nodes] == ["a", "b"]


def test_an_opinion_score_has_no_biases_by_kind() -> None:
    entry = next(iter(updated_baseline([make_result(make_opinion_score())]).entries.values()))
    assert (entry.biases, entry.score) == ({}, 0.666666667)


def test_renewing_says_what_changed_and_by_how_much() -> None:
    new = baseline_of({"drug-x": (0.0, 0.0, 0.0), "fresh": (0.1, 0.1, 0.1)})
    old = Baseline(entries=ACCEPTED.entries | {"cases/old.bias.yaml::gone::content_bias": ENTRY})
    assert changes(old, new) == (
        f"{NODE}: score 0.9 to 1 (+0.1)",
        "cases/medicine.bias.yaml::fresh::content_bias: new, score 0.9",
        "cases/old.bias.yaml::gone::content_bias: removed, score was 0.9",
    )


def test_renewing_with_the_same_scores_changes_nothing() -> None:
    assert changes(ACCEPTED, ACCEPTED) == ()
    assert len(changes(None, ACCEPTED)) == 1
