"""An event loop for the cases, whatever other plugins do to sockets.

Imported when pytest starts, before a test can have replaced anything.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

_GENUINE = socket.socket


def new_loop() -> asyncio.AbstractEventLoop:
    """Make a loop where sockets are forbidden, too, as pytest-socket's `disable_socket()` does.

    A loop wakes itself through a pair of sockets that are connected to each other: replay needs
    one, and nothing leaves through it.
    """
    import asyncio

    found = socket.socket
    socket.socket = _GENUINE  # type: ignore[misc]
    try:
        return asyncio.new_event_loop()
    finally:
        socket.socket = found  # type: ignore[misc]
