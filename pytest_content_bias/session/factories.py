"""The models, systems and metrics that ship with the package, as hook implementations.

They come last, so that any `conftest.py` or plugin that answers goes first.
"""

from pathlib import Path

import pytest

from pytest_content_bias.models.factory import chat_model
from pytest_content_bias.systems.chat import ChatSystem
from pytest_content_bias.systems.http import HttpSystem
from pytest_content_bias.vocabulary.names import MetricName
from pytest_content_bias.vocabulary.project import (
    ChatSystemConfig,
    HttpSystemConfig,
    ModelConfig,
    SystemConfig,
)
from pytest_content_bias.vocabulary.protocols import ChatModel, Metric, System
from pytest_content_bias.work.content_bias import score_content_bias

_METRICS: dict[str, Metric] = {MetricName.CONTENT_BIAS: score_content_bias}


@pytest.hookimpl(trylast=True)
def pytest_content_bias_make_chat_model(model: ModelConfig) -> ChatModel:
    """A model of one of the built-in providers."""
    return chat_model(model)


@pytest.hookimpl(trylast=True)
def pytest_content_bias_make_system(system: SystemConfig | None, folder: Path) -> System | None:
    """A system of one of the built-in types."""
    match system:
        case ChatSystemConfig():
            return ChatSystem(system, chat_model(system.model))
        case HttpSystemConfig():
            return HttpSystem(system)
        case _:
            return None


@pytest.hookimpl(trylast=True)
def pytest_content_bias_make_metric(name: str) -> Metric | None:
    """A built-in metric."""
    return _METRICS.get(name)
