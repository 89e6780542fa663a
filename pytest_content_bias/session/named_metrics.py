"""Metrics that settings name and no case has: a slip of the pen must not loosen a gate."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

from pytest_content_bias.session.options import PREFIX
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.names import MetricName

INI = "content_bias_metric_thresholds"


def refuse_unknown_metrics(thresholds: Mapping[str, float], node_ids: Iterable[str]) -> None:
    """Refuse thresholds of the command line for metrics that are neither built in nor of any case.

    Args:
        thresholds: metric to threshold; the empty name is for all metrics.
        node_ids: the cases.

    Raises:
        SettingsError: a metric is not known.
    """
    known = {str(name) for name in MetricName} | metrics_in(node_ids)
    for metric in thresholds.keys() - known - {""}:
        raise _unknown(f"{PREFIX}threshold", metric, _meant(metric, known))


def refuse_misspelt_metrics(
    thresholds: Mapping[str, float], known: Collection[str], *, whole_project: bool
) -> None:
    """Refuse thresholds of the ini file for metrics that there are not.

    Args:
        thresholds: metric to threshold; the empty name is for all metrics.
        known: every metric that is known to this run.
        whole_project: whether that is every metric; otherwise a `conftest.py` that was not read
            may define more, and only what looks like a known name is refused.

    Raises:
        SettingsError: a metric is not known.
    """
    for metric in thresholds.keys() - set(known) - {""}:
        meant = _meant(metric, known)
        if whole_project or meant:
            raise _unknown(INI, metric, meant)


def metrics_in(node_ids: Iterable[str]) -> set[str]:
    """The metrics of some cases.

    Args:
        node_ids: the cases' items.
    """
    return {node_id.rpartition("::")[2] for node_id in node_ids}


def _meant(metric: str, known: Collection[str]) -> str:
    return next(iter(get_close_matches(metric, sorted(known), n=1)), "")


def _unknown(where: str, metric: str, meant: str) -> SettingsError:
    hint = f"; did you mean {meant}?" if meant else ""
    return SettingsError(f"{where}: no case has the metric {metric!r}{hint}")
