"""Connections that are kept alive, one for each call in flight.

A call goes straight through httpx's transport: what a client adds (cookies, redirections, flows of
authentication, a pool that looks at all of its connections for each call) no call here needs, and
it costs a third of the time that httpx takes.
"""

import inspect
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from ssl import SSLContext
from urllib.request import getproxies, proxy_bypass

import httpx

if find_spec("sniffio") is None:
    # httpcore looks for it at every lock that it makes; a search that has to fail takes longer
    # than all else that a call costs, and this way it fails at once.
    sys.modules["sniffio"] = None  # type: ignore[assignment]

_genuine = inspect.unwrap(httpx.AsyncHTTPTransport.handle_async_request)
"""Past whatever is patched into httpx's classes: these calls have their own recorder."""


class Connections:
    """Connections that no call uses at the moment; belongs to one event loop.

    The one that was used last is taken first, so that no more are opened than are in use. Proxies
    are those of the environment.
    """

    def __init__(self) -> None:
        self._tls: SSLContext | None = None
        self._proxies: dict[tuple[str, str, int | None], str | None] = {}
        self._idle: dict[str | None, list[httpx.AsyncHTTPTransport]] = {}

    @asynccontextmanager
    async def response(self, request: httpx.Request) -> AsyncIterator[httpx.Response]:
        """Send a request over a connection that nobody else uses inside of the block.

        Args:
            request: the request, whole.

        Raises:
            httpx.TransportError: there is no response.
        """
        proxy = self._proxy(request.url)
        idle = self._idle.setdefault(proxy, [])
        transport = idle.pop() if idle else self._new(proxy)
        try:
            response = await _genuine(transport, request)
            try:
                yield response
            finally:
                await response.aclose()
        finally:
            idle.append(transport)

    async def aclose(self) -> None:
        """Close the connections; later calls open them anew."""
        for idle in self._idle.values():
            while idle:
                await idle.pop().aclose()

    def _proxy(self, url: httpx.URL) -> str | None:
        place = (url.scheme, url.host, url.port)
        if place not in self._proxies:
            self._proxies[place] = _proxy_of_environment(*place)
        return self._proxies[place]

    def _new(self, proxy: str | None) -> httpx.AsyncHTTPTransport:
        if self._tls is None:  # slow to make, so all share it
            self._tls = httpx.create_ssl_context()
        return httpx.AsyncHTTPTransport(verify=self._tls, proxy=proxy)


def _proxy_of_environment(scheme: str, host: str, port: int | None) -> str | None:
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if not proxy or proxy_bypass(host) or proxy_bypass(f"{host}:{port}"):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
