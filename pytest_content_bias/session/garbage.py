"""The garbage collector, kept from looking through all cases again and again while they appear."""

import gc
from collections.abc import Generator

import pytest

_NAME = "content_bias_garbage"


def pause_garbage_collection(config: pytest.Config) -> None:
    """Pause it until pytest has collected everything: no case is garbage by then.

    Args:
        config: pytest's configuration.
    """
    if gc.isenabled() and not config.pluginmanager.hasplugin(_NAME):
        config.pluginmanager.register(_Pause(), _NAME)


class _Pause:
    """Ends with the collection, which pytest also says when an error ends it."""

    def __init__(self) -> None:
        gc.disable()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_finish(self) -> Generator[None]:
        gc.enable()
        yield
