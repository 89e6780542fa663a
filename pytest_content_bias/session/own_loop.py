"""An event loop for the cases, whatever other plugins do to sockets."""

import asyncio
import socket


def new_loop() -> asyncio.AbstractEventLoop:
    """Make a loop where sockets are forbidden, too, as pytest-socket's `disable_socket()` does.

    A loop wakes itself through a pair of sockets that are connected to each other: replay needs
    one, and nothing leaves through it.
    """
    found = socket.socket
    socket.socket = _genuine(found)  # type: ignore[misc]
    try:
        return asyncio.new_event_loop()
    finally:
        socket.socket = found  # type: ignore[misc]


def _genuine(found: type[socket.socket]) -> type[socket.socket]:
    """The class of the standard library, of which a class that guards it is a subclass."""
    bases = getattr(found, "__mro__", ())
    return next((base for base in bases if base.__module__ == "socket"), found)
