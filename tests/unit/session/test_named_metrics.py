"""Metrics that settings name and no case has."""

import pytest

from pytest_content_bias.session.named_metrics import (
    refuse_misspelt_metrics,
    refuse_unknown_metrics,
)
from pytest_content_bias.vocabulary.errors import SettingsError

NODES = ("cases/a.bias.yaml::wind::brevity",)


@pytest.mark.parametrize("name", ["", "content_bias", "opinion_bias", "brevity"])
def test_all_metrics_built_in_metrics_and_those_of_cases_are_known(name: str) -> None:
    refuse_unknown_metrics({name: 0.8}, NODES)


@pytest.mark.parametrize(
    ("name", "meant"), [("contnt_bias", "content_bias"), ("brevety", "brevity")]
)
def test_any_other_is_refused_with_the_name_that_was_probably_meant(name: str, meant: str) -> None:
    with pytest.raises(SettingsError, match=f"the metric '{name}'; did you mean {meant}"):
        refuse_unknown_metrics({"": 0.8, name: 0.8}, NODES)


def test_a_name_that_resembles_nothing_is_refused_without_a_guess() -> None:
    with pytest.raises(SettingsError, match=r"the metric 'zzz'$"):
        refuse_unknown_metrics({"zzz": 0.8}, NODES)


def test_of_some_cases_only_what_looks_misspelt_is_refused() -> None:
    known = ("content_bias", "brevity")
    refuse_misspelt_metrics({"": 0.8, "brevity": 0.8, "zzz": 0.8}, known, whole_project=False)
    with pytest.raises(
        SettingsError,
        match=r"^content_bias_metric_thresholds: no case has the metric 'brevety'; did you mean br",
    ):
        refuse_misspelt_metrics({"brevety": 0.8}, known, whole_project=False)


def test_of_all_cases_whatever_is_unknown_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"the metric 'zzz'$"):
        refuse_misspelt_metrics({"zzz": 0.8}, ("content_bias",), whole_project=True)
