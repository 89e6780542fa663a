import json
import sysconfig
from pathlib import Path

import pluggy
import pytest

from pytest_content_bias.rules import code_origin
from pytest_content_bias.rules.code_origin import is_installed, is_own_or_python, is_users


@pytest.mark.parametrize("filename", [__file__, "app/rag.py", "/srv/app.py", "<string>"])
def test_files_elsewhere_are_the_users(filename: str) -> None:
    assert is_users(filename)


@pytest.mark.parametrize(
    "filename",
    [
        json.__file__,
        code_origin.__file__,
        "<frozen importlib._bootstrap>",
        str(Path(sysconfig.get_path("scripts")) / "pytest"),
    ],
)
def test_python_its_scripts_and_this_package_are_not_the_users(filename: str) -> None:
    assert is_own_or_python(filename)
    assert not is_users(filename)


@pytest.mark.parametrize("filename", [pluggy.__file__, "/usr/lib/python3/dist-packages/x/y.py"])
def test_installed_packages_are_neither(filename: str) -> None:
    assert is_installed(filename)
    assert not is_own_or_python(filename)
    assert not is_users(filename)


def test_this_package_is_ours_wherever_it_is_installed() -> None:
    assert not is_installed(code_origin.__file__)
