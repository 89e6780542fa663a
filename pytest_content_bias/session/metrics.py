"""The metrics that a folder's cases may name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import pytest

from pytest_content_bias.session import factories
from pytest_content_bias.vocabulary.protocols import Metric

_FOUND: pytest.StashKey[dict[str, Mapping[str, Metric]]] = pytest.StashKey()


def metrics_of(node: pytest.Item | pytest.Collector) -> Mapping[str, Metric]:
    """The metrics by name: those of the nearest `conftest.py` first, the built-in ones last."""
    found = node.config.stash.setdefault(_FOUND, {})
    folder = os.path.dirname(node.path)
    if folder not in found:
        found[folder] = _asked(node)
    return found[folder]


def _asked(node: pytest.Item | pytest.Collector) -> Mapping[str, Metric]:
    manager = node.config.pluginmanager
    if not manager.is_registered(factories):
        manager.register(factories, "content_bias_factories")
    given: Sequence[Mapping[str, Metric]] = node.ihook.pytest_content_bias_metrics(
        config=node.config
    )
    return {name: metric for metrics in reversed(given) for name, metric in metrics.items()}
