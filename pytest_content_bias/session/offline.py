"""Options of other plugins that forbid the network: what they forbid is not recorded either."""

from collections.abc import Callable
from typing import Any

from pytest_content_bias.cassettes.modes import RecordMode

_FORBID = {"--block-network": "block_network", "--disable-socket": "disable_socket"}
"""Of pytest-recording and of pytest-socket. They guard test functions alone, so that nothing of
theirs would keep a case from being recorded."""
_PERMIT = "force_enable_socket"
"""Of pytest-socket: takes `--disable-socket` back, where that stands in an ini file."""


def forbidden_recording(asked: RecordMode, option: Callable[[str, Any], Any]) -> str:
    """Why nothing may be recorded that was asked for; empty when it may.

    Args:
        asked: what `--content-bias-record` says; it sends calls.
        option: the value of an option, or what to give when no plugin declares it.
    """
    given = [name for name, dest in _FORBID.items() if option(dest, False)]
    if option(_PERMIT, False) and "--disable-socket" in given:
        given.remove("--disable-socket")
    if not given:
        return ""
    forbid = "forbids" if len(given) == 1 else "forbid"
    return (
        f"{' and '.join(given)} {forbid} the network: cases were replayed, and "
        f"--content-bias-record={asked} recorded nothing"
    )
