"""What every reader of a result must know of how it came about."""

from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.files.project_file import Project
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.project import HttpSystemConfig


def notes(
    project: Project, mode: RecordMode, case_id: str, record_command: str, *, has_partial: bool
) -> tuple[str, ...]:
    """Notes for one case.

    Args:
        project: the case's project file.
        mode: what was replayed.
        case_id: the case.
        record_command: the command that runs the case, without the recording option.
        has_partial: whether a recording was begun that did not end.
    """
    found = []
    system = project.config.system
    unbound = isinstance(system, HttpSystemConfig) and system.fingerprint is None
    if unbound and not mode.anew(Role.SYSTEM):
        found.append(
            f"{project.path.name}: the system is a service without a `fingerprint`: replayed "
            "answers say nothing about changes of the service"
        )
    if has_partial and not mode.network:
        found.append(
            f"{case_id}: a recording was begun that did not end; "
            f"take it up: {record_command} --content-bias-record=missing"
        )
    return tuple(found)
