"""No connection leaves this process while a case is replayed.

It is watched by an audit hook of Python: nothing is patched, so that other plugins' guards stay as
they are, and nobody who kept the original functions gets by. Out of its sight are libraries that
open sockets in C, child processes, and the name lookup inside `socket.connect` of a host by name;
the connection itself is seen.
"""

import socket
import sys
from collections.abc import Collection
from functools import lru_cache
from types import FrameType, TracebackType
from typing import Any, NoReturn

from pytest_content_bias.cassettes.allowed_hosts import AllowedHosts, is_address, is_looking_up
from pytest_content_bias.cassettes.user_answer import current_answer
from pytest_content_bias.rules.code_origin import is_own_or_python, is_users
from pytest_content_bias.vocabulary.errors import CallError, SettingsError

_CONNECTIONS = frozenset(("socket.connect", "socket.sendto", "socket.sendmsg"))
_LOOKUPS = frozenset(("socket.getaddrinfo", "socket.gethostbyname"))
_REVERSE_LOOKUPS = frozenset(("socket.gethostbyaddr", "socket.getnameinfo"))
_WATCHED = _CONNECTIONS | _LOOKUPS | _REVERSE_LOOKUPS
_PROBE = "pytest_content_bias.probe"


class NetworkRefused(CallError, ConnectionError):
    """A connection that may not be opened; an OSError, as callers expect of a network."""


class NetworkGuard:
    """Refuses connections of all threads inside its `with` block; blocks may be nested.

    Args:
        allowed: the hosts that may be reached.
    """

    def __init__(self, allowed: AllowedHosts) -> None:
        self.allowed = allowed

    def __enter__(self) -> None:
        _hook_in()
        _guards.append(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _guards.remove(self)


def network_guard(allowed_hosts: Collection[str]) -> NetworkGuard:
    """Refuse every connection of this process, except to some hosts, inside a `with` block.

    Unix sockets are allowed. Loopback addresses are not, unless they are among the hosts.

    Args:
        allowed_hosts: host names or addresses, each with or without `:port`.

    Raises:
        SettingsError: an entry is neither; or this Python lets nobody watch.
    """
    return NetworkGuard(_parsed(tuple(allowed_hosts)))


_guards: list[NetworkGuard] = []
_heard: list[str] = []
_parsed = lru_cache(AllowedHosts)


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _guards and event in _WATCHED:
        _judge(event, arguments)
    elif event == _PROBE:
        _heard.append(event)


def _hook_in() -> None:
    """Once for each process: a hook cannot be taken out again, but does nothing without a guard."""
    if not _heard:
        sys.addaudithook(_audit)
        sys.audit(_PROBE)
        if not _heard:
            raise SettingsError(
                "this Python refuses audit hooks, so that nothing could keep a replayed case from "
                "using the network; nothing was run"
            )


def _judge(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _CONNECTIONS:
        host, port = _peer(*arguments[:2])
    else:
        host, port = _looked_up(arguments)
        if event in _LOOKUPS and is_address(host):
            return
    if not host or is_looking_up():
        return
    if not all(guard.allowed.allow(host, port) for guard in tuple(_guards)):
        _refuse(event, host, port)


def _peer(sock: socket.socket, address: Any) -> tuple[str, int | None]:
    """The other end of a connection; no host: it stays on this machine, or is connected already."""
    if sock.family not in {socket.AF_INET, socket.AF_INET6} or not isinstance(address, tuple):
        return "", None
    return _text(address[0]) or "0.0.0.0", address[1]


def _looked_up(arguments: tuple[Any, ...]) -> tuple[str, int | None]:
    host, port = arguments[0], arguments[1] if len(arguments) > 1 else None
    if isinstance(host, tuple):
        host, port = host[0], None
    return _text(host), port if isinstance(port, int) else None


def _text(host: object) -> str:
    if isinstance(host, bytes | bytearray):
        return host.decode(errors="replace")
    return host if isinstance(host, str) else ""


def _refuse(event: str, host: str, port: int | None) -> NoReturn:
    verb = "connect to" if event in _CONNECTIONS else "look up"
    where = f"[{host}]" if ":" in host else host
    error = NetworkRefused(
        f"{_caller()} tried to {verb} {where}{f':{port}' if port else ''} while a case is "
        "replayed, which may not use the network. If it may, name the host: "
        f"content_bias_allowed_hosts = {host}"
    )
    answer = current_answer()
    if answer is not None and event not in _REVERSE_LOOKUPS:
        answer.blame(error)
    raise error


def _caller() -> str:
    """Who does it: the innermost code of the user, or else of an installed package."""
    frames = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    for wanted in (is_users, lambda name: not is_own_or_python(name)):
        for found in frames:
            code = found.f_code
            if wanted(code.co_filename):
                return f"{code.co_filename}:{found.f_lineno} (in {code.co_name})"
    return "code of an unknown place"
