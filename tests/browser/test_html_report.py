"""The HTML report in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_content_bias.reports.html import to_html
from pytest_content_bias.vocabulary.run import RunReport
from tests.chromium import Page, chromium, find_chromium
from tests.report_factory import (
    HOSTILE,
    baseline_of,
    make_case,
    make_mixed_report,
    make_report,
    make_result,
    make_score,
)

PROGRAM = find_chromium()

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(PROGRAM is None, reason="no chromium on the PATH: install one to run these"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert PROGRAM is not None
    with chromium(PROGRAM, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def open_report(page: Page, folder: Path, report: RunReport, fragment: str = "") -> None:
    path = folder / "report.html"
    path.write_text(to_html(report), encoding="utf-8")
    page.console.clear()
    page.requests.clear()
    page.open(path, fragment)


def names(page: Page) -> list[str]:
    found = page.evaluate("[...document.querySelectorAll('.case .name')].map(e => e.textContent)")
    return [str(name) for name in found]


def choose(page: Page, field: str, value: str) -> None:
    page.evaluate(
        f"document.getElementById({field!r}).value = {value!r};"
        "document.getElementById('filters').dispatchEvent(new Event('input'))"
    )


def test_the_page_lists_every_case_worst_first_and_asks_the_network_for_nothing(
    page: Page, tmp_path: Path
) -> None:
    open_report(page, tmp_path, make_mixed_report())
    listed = ["broken", "refused", "low", "dropped", "steady", "gespraech", "nurses"]
    assert names(page) == listed
    assert page.console == []
    assert page.requests == [(tmp_path / "report.html").as_uri()]


def test_an_opened_case_shows_the_quote_within_the_answer(page: Page, tmp_path: Path) -> None:
    open_report(page, tmp_path, make_mixed_report())
    page.evaluate("document.querySelector('#case-2 > summary').click()")
    marks = page.evaluate(
        "new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve("
        "[...document.querySelectorAll('#case-2 mark')].map(e => e.textContent)))))"
    )
    assert marks == ["It is a reckless poison"] * 3


def test_text_outcome_tag_and_language_filter_the_list(page: Page, tmp_path: Path) -> None:
    open_report(page, tmp_path, make_mixed_report())
    choose(page, "outcome", "failed")
    assert names(page) == ["refused", "low", "dropped"]
    choose(page, "text", "DROPPED")
    assert names(page) == ["dropped"]
    assert page.evaluate("document.getElementById('count').textContent") == "1 of 7 cases"
    choose(page, "text", "")
    choose(page, "outcome", "")
    choose(page, "tag", "work")
    assert names(page) == ["gespraech"]
    choose(page, "tag", "")
    choose(page, "language", "de")
    assert names(page) == ["gespraech"]


def test_the_list_is_sorted_by_score_name_and_drop(page: Page, tmp_path: Path) -> None:
    open_report(page, tmp_path, make_mixed_report())
    choose(page, "sort", "name")
    assert names(page) == sorted(names(page))
    choose(page, "sort", "drop")
    assert names(page)[0] == "dropped"
    choose(page, "sort", "score")
    assert names(page)[2] == "low"


def test_a_case_opens_by_keyboard_alone(page: Page, tmp_path: Path) -> None:
    open_report(page, tmp_path, make_mixed_report())
    page.evaluate("document.querySelector('#case-2 > summary').focus()")
    page.press("Enter")
    assert page.evaluate("document.getElementById('case-2').open")


def test_a_link_to_a_case_opens_it(page: Page, tmp_path: Path) -> None:
    open_report(page, tmp_path, make_mixed_report(), "#case-3")
    assert page.evaluate("document.getElementById('case-3').open")


def test_hostile_texts_stay_texts(page: Page, tmp_path: Path) -> None:
    open_report(page, tmp_path, make_mixed_report(HOSTILE))
    page.evaluate("document.querySelectorAll('.case').forEach(item => { item.open = true })")
    page.evaluate("new Promise(resolve => setTimeout(resolve, 50))")
    assert page.console == []
    assert page.requests == [(tmp_path / "report.html").as_uri()]
    assert page.evaluate("document.title") == "Content-bias gate failed"
    foreign = "document.querySelectorAll('img, iframe, main script, a[href^=http]').length"
    assert page.evaluate(foreign) == 0
    shown = str(page.evaluate("document.querySelector('#case-2 .answer').textContent"))
    assert "<script>document.title='pwned'</script>" in shown
    assert "⟨U+202E⟩gnp.exe" in shown


@pytest.mark.parametrize(
    "plant",
    [
        "document.body.setAttribute('onclick', 'document.title = 1'); document.body.click()",
        "document.body.insertAdjacentHTML('beforeend', '<b>planted</b>')",
        "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))",
    ],
)
def test_the_policy_keeps_even_the_pages_own_script_from_planting_code(
    page: Page, tmp_path: Path, plant: str
) -> None:
    open_report(page, tmp_path, make_mixed_report())
    tried = f"(() => {{ try {{ {plant}; return 'done' }} catch (e) {{ return e.name }} }})()"
    assert page.evaluate(tried) == "TypeError"
    assert page.evaluate("document.title") == "Content-bias gate failed"


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(page: Page, tmp_path: Path, width: int) -> None:
    open_report(page, tmp_path, make_mixed_report(HOSTILE))
    page.resize(width, 800)
    page.evaluate("document.querySelectorAll('.case').forEach(item => { item.open = true })")
    page.evaluate("new Promise(resolve => setTimeout(resolve, 50))")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_two_thousand_cases_are_listed_filtered_and_shown_in_full(
    page: Page, tmp_path: Path
) -> None:
    count = 2_000
    baseline = baseline_of({"case-0": (0.0, 0.0, 0.0)})
    results = [
        make_result(make_score(make_case(f"case-{number}")), baseline=baseline)
        for number in range(count)
    ]
    open_report(page, tmp_path, make_report(results))
    assert (tmp_path / "report.html").stat().st_size < 5_000_000
    assert len(names(page)) == 200
    choose(page, "text", "case-1999")
    assert names(page) == ["case-1999"]
    choose(page, "text", "")
    page.evaluate("document.getElementById('more').click()")
    assert len(names(page)) == count


def test_an_empty_run_shows_its_verdict(page: Page, tmp_path: Path) -> None:
    open_report(page, tmp_path, make_report([]))
    assert page.evaluate("document.querySelector('h1').textContent") == "Failed"
    assert page.console == []
