"""The HTML report: one file that needs no network and lets nothing in it run but its own script."""

import base64
import hashlib
import json
import zlib
from importlib.resources import files
from string import Template

from pytest_content_bias.reports import html_panels, html_summary
from pytest_content_bias.reports.html_data import CaseViews
from pytest_content_bias.reports.order import worst_first
from pytest_content_bias.vocabulary.run import Outcome, RunReport

_ASSETS = files("pytest_content_bias.reports") / "html_assets"
_SCRIPTS = ("elements.js", "evidence.js", "list.js")
_MOST_BYTES = 4_900_000
_LONGEST_TEXTS = (
    (20_000, 20_000),
    (20_000, 600),
    (5_000, 300),
    (1_000, 200),
    (300, 100),
    (100, 30),
)
"""Characters of a text of a case that did not pass, and of one that did: the first pair at which
the page is small enough counts."""


def to_html(report: RunReport) -> str:
    """The report as one self-contained page.

    The evidence is embedded compressed and unfolded by the page's script; verdict, checks, plots
    and the worst cases stand there without it. A strict content security policy allows this one
    script and this one style sheet, by their hashes, and nothing else.

    Args:
        report: the run. Of a text beyond 20,000 characters the rest is left out and counted; so
            that the page stays below 5 MB, those of large suites are bounded further, those of
            cases that passed first.
    """
    for longest, longest_passed in _LONGEST_TEXTS:
        page = _page(report, longest, longest_passed)
        if len(page.encode()) <= _MOST_BYTES:
            break
    return page


def _page(report: RunReport, longest: int, longest_passed: int) -> str:
    cases = list(enumerate(worst_first(report.results)))
    views = {outcome: CaseViews(report, longest) for outcome in Outcome}
    views[Outcome.PASSED] = CaseViews(report, longest_passed)
    style = _asset("style.css")
    script = "".join(_asset(name) for name in _SCRIPTS)
    return Template(_asset("template.html")).substitute(
        policy=_policy(script, style),
        title="passed" if report.passed else "failed",
        style=style,
        script=script,
        header=html_summary.header(report),
        tiles=html_summary.tiles(report),
        notices=html_summary.notices(report),
        plots=html_panels.plots(cases),
        calls=html_panels.call_table(report),
        cases=html_summary.static_cases(report, cases),
        data=_compressed([views[result.outcome].of(result) for _, result in cases]),
    )


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)};"
        " base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _source(text: str) -> str:
    """A text by its hash (Content Security Policy Level 3, 2.3.1)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _compressed(data: object) -> str:
    """Deflated JSON in base 64: a third of its size, and free of signs that HTML could read."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
