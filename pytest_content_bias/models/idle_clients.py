"""One HTTP client for each call in flight, used again and again."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from ssl import SSLContext
from types import MethodType

import httpx

if find_spec("sniffio") is None:
    # httpcore looks for it at every lock that it makes; a search that has to fail takes longer
    # than all else that a call costs, and this way it fails at once.
    sys.modules["sniffio"] = None  # type: ignore[assignment]


class IdleClients:
    """Clients that keep their connections alive; belongs to one event loop.

    A client that all calls share would look at each of its connections for each call. The client
    that was used last is taken first, so that no more connections are opened than are in use.
    """

    def __init__(self) -> None:
        self._tls: SSLContext | None = None
        self._idle: list[httpx.AsyncClient] = []

    @contextmanager
    def one(self) -> Iterator[httpx.AsyncClient]:
        """A client that nobody else uses inside of the block."""
        client = self._idle.pop() if self._idle else self._new()
        try:
            yield client
        finally:
            self._idle.append(client)

    async def aclose(self) -> None:
        """Close the connections; later calls open them anew."""
        while self._idle:
            await self._idle.pop().aclose()

    def _new(self) -> httpx.AsyncClient:
        if self._tls is None:  # slow to make, so all share it
            self._tls = httpx.create_ssl_context()
        client = httpx.AsyncClient(
            verify=self._tls,
            timeout=None,
            follow_redirects=False,
            headers={"accept-encoding": "identity"},
        )
        _shield(client)
        return client


def _shield(client: httpx.AsyncClient) -> None:
    """Send past whatever is patched into httpx's classes: these calls have their own recorder."""
    genuine = inspect.unwrap(httpx.AsyncHTTPTransport.handle_async_request)
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.AsyncHTTPTransport):
            vars(transport)["handle_async_request"] = MethodType(genuine, transport)
