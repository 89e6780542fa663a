import pytest

from pytest_content_bias.reports.merge import merge
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.run import CaseResult, RunReport, SuiteBars
from tests.report_factory import make_case, make_mixed_report, make_report, make_result, make_score


def result(name: str, bias: float = 0.1) -> CaseResult:
    return make_result(make_score(make_case(name), (bias, bias, bias)))


def shard(*results: CaseResult, not_run: tuple[str, ...] = (), **bars: float) -> RunReport:
    incomplete = f"{len(not_run)} cases were deselected" if not_run else ""
    suite = SuiteBars.model_validate({"incomplete": incomplete, "not_run": not_run, **bars})
    return make_report(results, bars=suite)


def test_shards_that_ran_everything_together_are_complete() -> None:
    a, b = result("a", 0.3), result("b", 0.1)
    shards = [
        shard(a, not_run=(b.node_id,), min_mean=0.75),
        shard(b, not_run=(a.node_id,), min_mean=0.75),
    ]
    assert [check.state for check in shards[0].checks] == ["passed", "not_applied"]
    merged = merge(shards)
    assert [check.state for check in merged.checks] == ["passed", "passed"]
    assert (len(merged.results), merged.means) == (2, {"content_bias": 0.8})
    assert merged.verdict.startswith("content-bias gate: FAILED - 1 of 2 cases")


def test_a_case_that_no_shard_ran_leaves_the_whole_incomplete() -> None:
    merged = merge([shard(result("a"), not_run=("x::b::content_bias",), min_mean=0.5)])
    assert merged.bars.not_run == ("x::b::content_bias",)
    assert merged.checks[1].message == "not applied: 1 collected cases ran in no report"


def test_a_shard_that_was_cut_short_leaves_the_whole_incomplete() -> None:
    cut = make_report([result("a")], bars=SuiteBars(incomplete="the run was stopped", min_mean=0.5))
    assert merge([cut, shard(result("b"), min_mean=0.5)]).checks[1].state == "not_applied"


def test_a_case_that_crashed_in_one_shard_fails_the_whole_unless_another_ran_it() -> None:
    crashed = result("a").node_id
    cut = make_report([result("b")], bars=SuiteBars(crashed=(crashed,), not_run=(crashed,)))
    assert not merge([cut, make_report([result("c")])]).passed
    assert merge([cut, make_report([result("a")])]).passed


def test_the_same_result_twice_counts_once() -> None:
    again = result("a").model_copy(update={"duration": 9.0})
    assert len(merge([shard(result("a")), shard(again)]).results) == 1


def test_two_different_results_of_one_case_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"::a::content_bias stands in two reports"):
        merge([shard(result("a", 0.1)), shard(result("a", 0.2))])


def test_reports_that_were_gated_differently_are_refused() -> None:
    with pytest.raises(SettingsError, match="different suite bars"):
        merge([shard(result("a"), min_mean=0.5), shard(result("b"), min_mean=0.9)])


def test_no_report_is_refused() -> None:
    with pytest.raises(SettingsError, match="no report"):
        merge([])


def test_merging_one_report_changes_nothing() -> None:
    report = make_mixed_report()
    assert merge([report]) == report
