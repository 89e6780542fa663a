"""A project that merely has the plugin installed pays for none of it."""

import pytest

HEAVY = ("pydantic", "httpx", "vcr", "yaml", "asyncio")


def test_without_case_files_nothing_heavy_is_imported(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
        import sys

        def test_modules():
            heavy = {HEAVY!r}
            ours = [name for name in sys.modules if name.startswith("pytest_content_bias")]
            assert "pytest_content_bias.plugin" in ours
            assert [name for name in heavy if name in sys.modules] == []
        """
    )
    others = ("hypothesispytest", "anyio", "xdist", "xdist.looponfail")
    result = pytester.runpytest_subprocess(*(f"-pno:{name}" for name in others))
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*content bias*")
