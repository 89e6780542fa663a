"""The hooks that this plugin calls; write them in a `conftest.py`.

A project that may run without this plugin marks its implementations with
`@pytest.hookimpl(optionalhook=True)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_content_bias.vocabulary.project import ModelConfig, SystemConfig
    from pytest_content_bias.vocabulary.protocols import ChatModel, Metric, System
    from pytest_content_bias.vocabulary.run import CaseResult, RunReport


@pytest.hookspec(firstresult=True)
def pytest_content_bias_make_chat_model(
    config: pytest.Config, role: str, model: ModelConfig
) -> ChatModel | None:
    """Called when a role's chat model is needed; the first result that is not None is used."""


@pytest.hookspec(firstresult=True)
def pytest_content_bias_make_system(
    config: pytest.Config, system: SystemConfig | None, folder: Path
) -> System | None:
    """Called when the system under test is needed; `folder` is that of the project file."""


def pytest_content_bias_metrics(config: pytest.Config) -> Mapping[str, Metric]:  # type: ignore[empty-body]
    """Called for each folder with case files: metrics by name, beside or instead of built-in ones.

    Of several metrics with one name, that of the nearest `conftest.py` is used.
    """


def pytest_content_bias_case_scored(config: pytest.Config, result: CaseResult) -> None:
    """Called on the controller when a case has been gated."""


def pytest_content_bias_gated(config: pytest.Config, report: RunReport) -> None:
    """Called on the controller when the whole run has been gated."""
