from pytest_content_bias.rules.baseline import updated_baseline
from pytest_content_bias.rules.lowered_bars import lowered_bars
from pytest_content_bias.vocabulary.run import SuiteBars
from tests.report_factory import baseline_of, make_case, make_result, make_score

NODE = "cases/medicine.bias.yaml::drug-x::content_bias"
ACCEPTED = baseline_of({"drug-x": (0.0, 0.1, 0.2)})


def test_a_lowered_threshold_and_a_raised_drop_are_listed() -> None:
    result = make_result(threshold=0.7, max_drop=0.2)
    assert lowered_bars(ACCEPTED, [result], complete=True) == (
        f"max drop raised from 0.05 to 0.2: {NODE}",
        f"threshold lowered from 0.8 to 0.7: {NODE}",
    )


def test_raising_the_bar_is_not_listed() -> None:
    result = make_result(threshold=0.9, max_drop=0.01)
    assert lowered_bars(ACCEPTED, [result], complete=True) == ()


def test_a_deleted_case_is_listed_after_complete_runs_only() -> None:
    assert lowered_bars(ACCEPTED, [], complete=True) == (f"case deleted: {NODE}",)
    assert lowered_bars(ACCEPTED, [], complete=False) == ()


def test_a_setting_that_touches_many_cases_is_one_sentence() -> None:
    names = [f"case-{number}" for number in range(8)]
    baseline = baseline_of(dict.fromkeys(names, (0.0, 0.0, 0.0)))
    results = [make_result(make_score(make_case(name)), threshold=0.5) for name in names]
    (sentence,) = lowered_bars(baseline, results, complete=True)
    assert sentence.startswith("threshold lowered from 0.8 to 0.5: ")
    assert sentence.endswith("and 3 more")


def test_suite_bars_are_bars_too() -> None:
    accepted = updated_baseline([make_result()], SuiteBars(min_mean=0.9, max_mean_drop=0.02))
    now = SuiteBars(min_mean=0.8)
    assert lowered_bars(accepted, [make_result()], True, now) == (
        "min mean lowered from 0.9 to 0.8",
        "max mean drop raised from 0.02 to off",
    )
