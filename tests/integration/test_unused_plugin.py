"""A project that merely has the plugin installed pays for none of it."""

import pytest

HEAVY = ("pydantic", "httpx", "vcr", "yaml", "asyncio")
OURS = [
    "pytest_content_bias",
    "pytest_content_bias.plugin",
    "pytest_content_bias.session",
    "pytest_content_bias.session.hookspecs",
    "pytest_content_bias.session.lookout",
    "pytest_content_bias.session.options",
    "pytest_content_bias.session.state",
]


def test_without_case_files_little_is_imported_and_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
        import sys

        def test_modules():
            assert [name for name in {HEAVY!r} if name in sys.modules] == []
            ours = [name for name in sys.modules if name.startswith("pytest_content_bias")]
            assert sorted(ours) == {OURS!r}
        """
    )
    others = ("hypothesispytest", "anyio", "xdist", "xdist.looponfail")
    result = pytester.runpytest_subprocess(*(f"-pno:{name}" for name in others))
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*content bias*")
