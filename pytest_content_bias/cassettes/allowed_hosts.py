"""The hosts that may be reached although nothing else may, from `content_bias_allowed_hosts`."""

import ipaddress
import socket
import threading
from collections.abc import Collection
from functools import lru_cache
from urllib.parse import urlsplit

from pytest_content_bias.vocabulary.errors import SettingsError

_addresses: dict[str, set[str]] = {}
"""Host name to all addresses that it was found at."""
_looking_up = threading.local()


class AllowedHosts:
    """Hosts, each with or without a port.

    Args:
        entries: such as `localhost`, `db.example.org:5432`, `10.0.0.7` or `[::1]:6333`.

    Raises:
        SettingsError: an entry is none of these.
    """

    def __init__(self, entries: Collection[str] = ()) -> None:
        self._hosts = tuple(_parsed(entry) for entry in entries)

    def allow_url(self, url: str) -> bool:
        """Whether a URL's host is among them, by its name alone."""
        if not self._hosts:
            return False
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        return any(parts.hostname == host for host, _ in self._on(port))

    def allow(self, host: str, port: int | None) -> bool:
        """Whether a host is among them, or an address belongs to one of them.

        Args:
            host: a name or an address.
            port: None: whatever it is.
        """
        host = _plain(host)
        hosts = [allowed for allowed, _ in self._on(port)]
        if host in hosts or not is_address(host):
            return host in hosts
        names = [name for name in hosts if not is_address(name)]
        return any(host in _addresses.get(name, ()) for name in names) or any(
            host in _looked_up(name) for name in names
        )

    def _on(self, port: int | None) -> list[tuple[str, int | None]]:
        return [(host, only) for host, only in self._hosts if only is None or port in {None, only}]


def is_address(host: str) -> bool:
    """Whether a host is given by address.

    Args:
        host: a name or an address.
    """
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_looking_up() -> bool:
    """Whether this thread is finding out the addresses of an allowed host."""
    return getattr(_looking_up, "active", False)


def _looked_up(name: str) -> set[str]:
    """Names move: an address that one was found at before stays valid for the run."""
    known = _addresses.setdefault(name, set())
    _looking_up.active = True
    try:
        known |= {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except OSError:
        return known
    finally:
        _looking_up.active = False
    return known


@lru_cache
def _parsed(entry: str) -> tuple[str, int | None]:
    if is_address(entry):
        return _plain(entry), None
    try:
        parts = urlsplit(f"//{entry}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or entry.strip("/") != parts.netloc or "@" in entry:
        raise SettingsError(
            f"content_bias_allowed_hosts: {entry!r} is neither a host nor host:port"
        )
    return _plain(host), port


def _plain(host: str) -> str:
    return host.lower().removesuffix(".")
