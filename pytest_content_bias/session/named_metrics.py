"""Metrics that the command line names and no case has: a slip of the pen must not loosen a gate."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from pytest_content_bias.session.options import PREFIX
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.names import MetricName


def refuse_unknown_metrics(thresholds: Mapping[str, float], node_ids: Iterable[str]) -> None:
    """Refuse thresholds for metrics that are neither built in nor used by any case.

    Args:
        thresholds: metric to threshold, as on the command line; the empty name is for all metrics.
        node_ids: the cases.

    Raises:
        SettingsError: a metric is not known.
    """
    known = {str(name) for name in MetricName}
    known |= {node_id.rpartition("::")[2] for node_id in node_ids}
    for metric in thresholds.keys() - known - {""}:
        close = get_close_matches(metric, sorted(known), n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise SettingsError(f"{PREFIX}threshold: no case has the metric {metric!r}{hint}")
