"""The project file, `content_bias.yaml`: who plays each role."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_content_bias.files.findings import refuse
from pytest_content_bias.files.project_checks import check_project
from pytest_content_bias.files.project_values import ProjectValues
from pytest_content_bias.files.validation import validate
from pytest_content_bias.files.yaml_reader import read_yaml
from pytest_content_bias.vocabulary.project import ProjectConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project file once read.

    Attributes:
        config: who plays each role; keys that no variable gives are None.
        path: the file.
        secrets: values that must never be written, by the name of their variable, or by their
            place where they stand in the file itself.
    """

    config: ProjectConfig
    path: Path
    secrets: Mapping[str, str] = field(repr=False)


def find_project_file(start: Path, root: Path, name: str) -> Path | None:
    """The nearest project file above a case file, up to the root directory.

    Args:
        start: the case file.
        root: where the search ends; of a file elsewhere, only the own folder is searched.
        name: the project file's name, or its path relative to each of the folders.
    """
    folders = [start.parent, *start.parent.parents]
    depth = folders.index(root) if root in folders else 0
    candidates = (folder / name for folder in folders[: depth + 1])
    return next((path for path in candidates if path.is_file()), None)


def read_project_file(path: Path, environ: Mapping[str, str], *, recording: bool) -> Project:
    """Read a project file.

    Args:
        path: the file.
        environ: the variables that `${NAME}` stands for.
        recording: whether calls may be sent. Otherwise variables that only matter for sending
            (`api_key`, `headers`, `base_url`, `query`, `price`) may be missing, and their fields
            are left out; secrets in `url` and `body` of a system may, and a placeholder, the same
            as in recordings, takes their place.

    Raises:
        UserFileError: the file cannot be used; names the first problem and the lines of others.
    """
    document = read_yaml(path)
    values = ProjectValues(document, environ, recording)
    resolved = values.resolved()
    if values.findings:
        refuse(document, values.findings)
    config = validate(document, ProjectConfig, resolved)
    if findings := list(check_project(config)):
        refuse(document, findings)
    return Project(config=config, path=path, secrets=values.secrets)
