"""Whether recorded answers are those of the system as it is now."""

from collections.abc import Mapping

from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.files.project_file import Project
from pytest_content_bias.systems.fingerprint import compare, fingerprint, shortened, stale_system
from pytest_content_bias.vocabulary.errors import CallError
from pytest_content_bias.vocabulary.project import HttpSystemConfig


def system_now(project: Project, *, recording: bool) -> Mapping[str, str] | None:
    """The fingerprint of the project's system; None: none is wanted, or a URL was not reached.

    Args:
        project: the project file.
        recording: whether answers may be recorded, which a fingerprint must go with.

    Raises:
        SettingsError: it cannot be taken.
        CallError: its URL was not reached, while recording.
    """
    system = project.config.system
    if system is None or system.fingerprint is None:
        return None
    try:
        return fingerprint(system.fingerprint, project.path.parent)
    except CallError:
        if recording:
            raise
        return None


def freshness(
    project: Project, cassette: CaseCassette, case_id: str, record_command: str
) -> tuple[str, ...]:
    """Hold the recorded answers of a case against the system as it is now.

    Args:
        project: the project file.
        cassette: the case's cassette.
        case_id: the case.
        record_command: the command that runs the case, without the recording option.

    Returns:
        Notes for the result.

    Raises:
        StaleSystem: the system changed, and that is an error.
        CassetteError: the cassette cannot be used.
    """
    system = project.config.system
    if system is None or system.fingerprint is None or system.fingerprint_mismatch == "ignore":
        return ()
    recorded = cassette.recorded_systems()
    if recorded and not cassette.system:
        return ("`system.fingerprint.url` was not reached: the recorded answers may be stale",)
    changed = [line for old in recorded for line in compare(old or None, cassette.system)]
    if changed and system.fingerprint_mismatch == "error":
        raise stale_system(case_id, list(dict.fromkeys(changed)), record_command)
    return (f"the system changed since it was recorded: {', '.join(changed)}",) if changed else ()


def repetition(project: Project, cassette: CaseCassette) -> tuple[str, ...]:
    """Wonder at a service that changed and says the same as before: it may still run as it was.

    Args:
        project: the project file.
        cassette: the case's cassette, after the case was recorded.

    Returns:
        Notes for the result.
    """
    changed = compare(cassette.echoed, cassette.system) if cassette.echoed else ()
    if not changed or not isinstance(project.config.system, HttpSystemConfig):
        return ()
    return (
        f"the fingerprint of the system changed ({shortened(changed)}), but every answer is the "
        "same as before: was the service restarted?",
    )
