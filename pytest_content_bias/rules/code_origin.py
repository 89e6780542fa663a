"""Whose code a file holds: the user's, or that of Python, an installed package, or this one."""

import sysconfig
from functools import cache
from os.path import abspath, dirname, normcase, sep

_INSTALLED = ("site-packages", "dist-packages")


@cache
def is_own_or_python(filename: str) -> bool:
    """Whether a file belongs to this package, or to Python itself.

    Args:
        filename: as a code object names it.
    """
    if filename.startswith("<frozen"):
        return True
    return _normal(filename).startswith(_roots()) and not is_installed(filename)


@cache
def is_installed(filename: str) -> bool:
    """Whether a file belongs to another installed package.

    Args:
        filename: as a code object names it.
    """
    parts = _normal(filename).split(sep)
    return any(folder in parts for folder in _INSTALLED) and not _is_own(filename)


@cache
def is_users(filename: str) -> bool:
    """Whether a file belongs neither to Python nor to an installed package.

    Args:
        filename: as a code object names it.
    """
    return not is_own_or_python(filename) and not is_installed(filename)


def _is_own(filename: str) -> bool:
    return _normal(filename).startswith(_own())


def _own() -> str:
    return _folder(dirname(dirname(abspath(__file__))))


@cache
def _roots() -> tuple[str, ...]:
    names = ("stdlib", "platstdlib", "scripts")
    return (_own(), *(_folder(path) for name in names if (path := sysconfig.get_path(name))))


def _folder(path: str) -> str:
    return _normal(path) + sep


def _normal(path: str) -> str:
    return normcase(abspath(path))
