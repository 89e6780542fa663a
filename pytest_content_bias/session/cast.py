"""Who plays the roles of a case: from the project file, through the hooks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_content_bias.cassettes.secrets import SecretScreen, secrets_of_environment
from pytest_content_bias.files.project_file import Project, find_project_file, read_project_file
from pytest_content_bias.session.freshness import system_now
from pytest_content_bias.session.settings import Settings
from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.project import JudgeConfig, ModelConfig
from pytest_content_bias.vocabulary.protocols import ChatModel, Roles, System

if TYPE_CHECKING:
    from pytest_content_bias.session.collection import CaseItem


@dataclass(frozen=True, slots=True)
class Cast:
    """Roles, and what belongs to the project file that names them."""

    project: Project
    roles: Roles
    screen: SecretScreen
    system_now: Mapping[str, str] | None
    """The system's fingerprint, where one is wanted."""


class Casting:
    """Reads each project file once, and makes its roles once for each folder.

    The hooks are asked for each folder, since a folder's `conftest.py` may answer differently.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._casts: dict[Path, Cast] = {}
        self._screens: dict[Path, SecretScreen] = {}
        self._projects: dict[Path, Project] = {}

    def cast(self, item: CaseItem) -> Cast:
        """The roles of an item's folder.

        Raises:
            SettingsError: there is no project file, or a role cannot be made.
            UserFileError: the project file cannot be used.
        """
        folder = item.path.parent
        if folder not in self._casts:
            self._casts[folder] = self._make(item)
        return self._casts[folder]

    def screen(self, item: CaseItem) -> SecretScreen | None:
        """What knows the secrets of an item's project file; None: that could not be read."""
        return self._screens.get(item.path.parent)

    def _make(self, item: CaseItem) -> Cast:
        project = self._project(item.path)
        config, writer = project.config, project.config.generator
        # The project's own names go first: a recording holds them, whatever else is set here.
        secrets = dict(project.secrets) | secrets_of_environment(os.environ)
        screen = SecretScreen(secrets, config.secret_patterns)
        self._screens[item.path.parent] = screen
        roles = Roles(
            judge=_chat_model(item, "judge", config.judge),
            generator=None if writer is None else _chat_model(item, "generator", writer),
            system=_system(item, project),
            scoring=config.judge.scoring,
        )
        return Cast(project, roles, screen, system_now(project, recording=self._recording))

    @property
    def _recording(self) -> bool:
        return self._settings.record.network and not self._settings.dry_run

    def _project(self, case_file: Path) -> Project:
        name, root = self._settings.project_file, self._settings.root
        path = find_project_file(case_file, root, name)
        if path is None:
            raise SettingsError(
                f"no {name} beside {case_file} or in a folder above it up to {root}; it names the "
                "models and the system under test (README, section content_bias.yaml)"
            )
        if path not in self._projects:
            found = read_project_file(path, os.environ, recording=self._recording)
            self._projects[path] = found
        return self._projects[path]


def _chat_model(item: CaseItem, role: str, model: ModelConfig | JudgeConfig) -> ChatModel:
    made: ChatModel | None = item.ihook.pytest_content_bias_make_chat_model(
        config=item.config, role=role, model=model
    )
    if made is None:
        raise SettingsError(f"no plugin makes a chat model of provider {model.provider!r}")
    return made


def _system(item: CaseItem, project: Project) -> System | None:
    made: System | None = item.ihook.pytest_content_bias_make_system(
        config=item.config, system=project.config.system, folder=project.path.parent
    )
    if made is None and project.config.system is not None:
        raise SettingsError(f"no plugin makes a system of type {project.config.system.type!r}")
    return made
