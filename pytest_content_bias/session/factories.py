"""The players that ship with the package, as hook implementations.

They come last, so that any `conftest.py` or plugin that answers goes first.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_content_bias.models.factory import chat_model
from pytest_content_bias.session.players import METRICS, make_system
from pytest_content_bias.vocabulary.project import ModelConfig, SystemConfig
from pytest_content_bias.vocabulary.protocols import ChatModel, Metric, System


@pytest.hookimpl(trylast=True)
def pytest_content_bias_make_chat_model(model: ModelConfig) -> ChatModel:
    """A model of one of the built-in providers."""
    return chat_model(model)


@pytest.hookimpl(trylast=True)
def pytest_content_bias_make_system(system: SystemConfig | None, folder: Path) -> System | None:
    """A system of one of the built-in types."""
    return None if system is None else make_system(system, folder)


@pytest.hookimpl(trylast=True)
def pytest_content_bias_metrics() -> Mapping[str, Metric]:
    """The built-in metrics."""
    return METRICS
