"""The garbage collector, kept from looking through all cases again and again while they appear."""

import gc
from collections.abc import Generator

import pytest

_NAME = "content_bias_garbage"


def pause_garbage_collection(config: pytest.Config) -> None:
    """Pause it until pytest has collected everything: no case is garbage by then.

    It begins with the first case file that pytest comes upon, whose cases may not be asked for.

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
        _count_all_as_old()
        yield


def _count_all_as_old() -> None:
    """Spare the collector a pass over all cases for each of its younger generations.

    Thawing puts whatever was frozen among the old objects; what others keep frozen stays so.
    """
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
