"""The models, systems and metrics that ship with the package."""

from collections.abc import Mapping
from pathlib import Path

from pytest_content_bias.cassettes.user_calls import answering
from pytest_content_bias.models.factory import chat_model
from pytest_content_bias.systems.chat import ChatSystem
from pytest_content_bias.systems.http import HttpSystem
from pytest_content_bias.systems.python import PythonSystem
from pytest_content_bias.vocabulary.names import MetricName
from pytest_content_bias.vocabulary.project import (
    ChatSystemConfig,
    HttpSystemConfig,
    ProjectConfig,
    PythonSystemConfig,
    SystemConfig,
)
from pytest_content_bias.vocabulary.protocols import Metric, Roles, System
from pytest_content_bias.work.content_bias import score_content_bias
from pytest_content_bias.work.opinion_bias import score_opinion_bias

METRICS: Mapping[str, Metric] = {
    MetricName.CONTENT_BIAS: score_content_bias,
    MetricName.OPINION_BIAS: score_opinion_bias,
}
"""Name to metric."""


def make_system(config: SystemConfig, folder: Path) -> System:
    """A system of a built-in type.

    Args:
        config: the system as the project file describes it.
        folder: the project file's folder.

    Raises:
        SettingsError: the system cannot be made.
    """
    match config:
        case ChatSystemConfig():
            return ChatSystem(config, chat_model(config.model))
        case HttpSystemConfig():
            return HttpSystem(config)
        case PythonSystemConfig():
            return PythonSystem(config, folder, answering)


def make_roles(config: ProjectConfig, folder: Path) -> Roles:
    """All roles of a project, played by what ships with the package.

    Args:
        config: the project file.
        folder: its folder.

    Raises:
        SettingsError: a role cannot be made.
    """
    return Roles(
        judge=chat_model(config.judge),
        generator=None if config.generator is None else chat_model(config.generator),
        system=None if config.system is None else make_system(config.system, folder),
        scoring=config.judge.scoring,
    )
