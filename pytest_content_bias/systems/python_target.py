"""The function that `system.target` names, and what it takes."""

import importlib
import inspect
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from pytest_content_bias.systems.python_errors import in_users_words
from pytest_content_bias.vocabulary.errors import SettingsError

BY_NAME = ("context", "history", "temperature", "case", "language")
"""What a function gets besides the question, if it has a parameter of that name."""

_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
)


def load_target(target: str, folder: Path) -> Callable[..., Any]:
    """Import a function; the folder stays on `sys.path`, as with pytest's `pythonpath`.

    Args:
        target: `package.module:function`.
        folder: the project file's folder.

    Raises:
        SettingsError: there is no such module or function, or importing it fails.
    """
    module_name, _, path = target.partition(":")
    found: Any = _module(module_name, target, folder)
    for name in path.split("."):
        if not hasattr(found, name):
            raise _problem(target, f"{_named(found)} has no {name!r}{_hint(name, dir(found))}")
        found = getattr(found, name)
    if not callable(found):
        raise _problem(target, f"it is a {type(found).__name__}; expected a function")
    function: Callable[..., Any] = found
    return function


def taken_by_name(function: Callable[..., Any], target: str) -> frozenset[str]:
    """Find out which of `BY_NAME` a function takes.

    Args:
        function: its first parameter is the question.
        target: what the function is called in messages.

    Raises:
        SettingsError: it does not take the question, or needs something that nobody gives it.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return frozenset()
    if not parameters or parameters[0].kind not in _POSITIONAL:
        raise _problem(target, "it takes no positional parameter, which the question would be")
    first, *others = parameters
    if first.kind is inspect.Parameter.VAR_POSITIONAL:
        others = parameters
    for parameter in others:
        _check_given(parameter, target)
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in others):
        return frozenset(BY_NAME) - {first.name}
    return frozenset(BY_NAME) & {p.name for p in others if p.kind is not p.POSITIONAL_ONLY}


def _check_given(parameter: inspect.Parameter, target: str) -> None:
    variable = parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}
    if variable or parameter.default is not parameter.empty:
        return
    if parameter.name not in BY_NAME or parameter.kind is parameter.POSITIONAL_ONLY:
        raise _problem(
            target,
            f"its parameter {parameter.name!r} has no default, and is none of "
            f"{', '.join(BY_NAME)}{_hint(parameter.name, BY_NAME)}",
        )


def _module(name: str, target: str, folder: Path) -> ModuleType:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise _broken(target, name, error, folder) from None
        raise _problem(target, _absent(error.name, folder)) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _broken(target, name, error, folder) from None
    _refuse_namesake(name.partition(".")[0], target, folder)
    return module


def _refuse_namesake(package: str, target: str, folder: Path) -> None:
    """Another folder's package of the same name may have been imported first."""
    here = PathFinder.find_spec(package, [str(folder)])
    there = getattr(sys.modules[package], "__spec__", None)
    if here is None or there is None or _places(here) & _places(there):
        return
    raise _problem(
        target,
        f"{package!r} was imported from {', '.join(sorted(_places(there)))} before, but "
        f"{folder} has another; give one of them another name, or run them apart",
    )


def _places(spec: ModuleSpec) -> set[str]:
    places = [spec.origin] if spec.has_location else spec.submodule_search_locations
    return {os.path.realpath(place) for place in places or () if place}


def _absent(name: str, folder: Path) -> str:
    parent, _, last = name.rpartition(".")
    paths = list(sys.modules[parent].__path__) if parent else [str(folder)]
    siblings = [module.name for module in pkgutil.iter_modules(paths)]
    hint = _hint(last, siblings, f"{parent}." if parent else "")
    return f"there is no module {name!r} in {folder}{hint}"


def _broken(target: str, name: str, error: BaseException, folder: Path) -> SettingsError:
    return _problem(target, f"importing {name} failed: {in_users_words(error, folder)}")


def _named(found: object) -> str:
    if isinstance(found, ModuleType):
        return f"module {found.__name__!r}"
    return repr(getattr(found, "__qualname__", type(found).__name__))


def _hint(name: str, known: Iterable[str], prefix: str = "") -> str:
    close = get_close_matches(name, [other for other in known if not other.startswith("__")], n=1)
    return f"; did you mean {prefix + close[0]!r}?" if close else ""


def _problem(target: str, words: str) -> SettingsError:
    return SettingsError(f"content_bias.yaml: system.target {target!r}: {words}")
