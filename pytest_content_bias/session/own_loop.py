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
    from unittest import mock

    with mock.patch.object(socket, "socket", _GENUINE):
        return asyncio.new_event_loop()
