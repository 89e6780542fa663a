"""The one patch of the HTTP libraries, in force while the system's own code runs."""

import http.client
import importlib
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from types import FunctionType
from typing import Any
from unittest import mock

from pytest_content_bias.cassettes.user_router import Router
from pytest_content_bias.cassettes.user_threads import follow_threads

_LIBRARIES = ("httpx", "httpx2")
_IN_PROCESS = ("WSGITransport", "ASGITransport", "MockTransport")
_METHODS = ("handle_request", "handle_async_request")


def patch_libraries(router: Router, stack: ExitStack) -> None:
    """Let every request of a library that vcrpy knows ask a router, until the stack is closed.

    Two things differ from vcrpy's own use. Transports that end in this process stay as they are:
    an application that they call has to run. And vcrpy's stubs do not lift the patch while they
    connect: under threads they would restore it wrongly, and requests would slip through.

    Args:
        router: what is asked.
        stack: undoes it.
    """
    from vcr import patch, stubs  # type: ignore[import-untyped]

    found = list(_in_process())
    secure = _knowing_itself(stubs.HTTPSConnection)
    stack.enter_context(mock.patch.object(patch, "force_reset", nullcontext))
    stack.enter_context(mock.patch.object(stubs.VCRHTTPSConnection, "_baseclass", secure))
    for patcher in patch.CassettePatcherBuilder(router).build():
        stack.enter_context(patcher)
    for transport, name, method in found:
        stack.enter_context(mock.patch.object(transport, name, method))
    follow_threads(stack)


def _knowing_itself(genuine: type[Any]) -> type[Any]:
    """A class for HTTPS that does not look itself up in its module, where the patch stands."""
    made = vars(genuine)["__init__"]
    names = {**vars(http.client), "HTTPSConnection": genuine}
    init = FunctionType(made.__code__, names, closure=made.__closure__)
    init.__defaults__, init.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
    return type("HTTPSConnection", (genuine,), {"__init__": init})


def _in_process() -> Iterator[tuple[type, str, Any]]:
    for library in _LIBRARIES:
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        for transport in (getattr(module, name) for name in _IN_PROCESS):
            for name in set(_METHODS) & set(vars(transport)):
                yield transport, name, vars(transport)[name]
