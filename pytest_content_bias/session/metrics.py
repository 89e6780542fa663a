"""The metrics that a folder's cases may name."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pytest_content_bias.session import factories
from pytest_content_bias.vocabulary.protocols import Metric

_FOUND: pytest.StashKey[dict[Path, Mapping[str, Metric]]] = pytest.StashKey()


def metrics_of(node: pytest.Item | pytest.Collector) -> Mapping[str, Metric]:
    """The metrics by name: those of the nearest `conftest.py` first, the built-in ones last."""
    found = node.config.stash.setdefault(_FOUND, {})
    folder = node.path.parent
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
    return ChainMap(*(dict(metrics) for metrics in given))
