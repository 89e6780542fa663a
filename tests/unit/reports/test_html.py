import base64
import hashlib
import json
import re
import zlib
from typing import Any

from pytest_content_bias.reports.html import to_html
from tests.report_factory import (
    HOSTILE,
    make_calls,
    make_case,
    make_error,
    make_mixed_report,
    make_report,
    make_result,
    make_score,
)


def embedded(page: str) -> list[dict[str, Any]]:
    packed = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page)
    assert packed is not None
    views: list[dict[str, Any]] = json.loads(zlib.decompress(base64.b64decode(packed[1])))
    return views


def view(page: str, name: str) -> dict[str, Any]:
    return next(view for view in embedded(page) if view["name"] == name)


def test_the_policy_allows_the_pages_own_script_and_style_and_nothing_else() -> None:
    page = to_html(make_mixed_report())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy is not None
    assert script is not None
    assert style is not None
    directives = dict(part.split(maxsplit=1) for part in policy[1].split("; "))
    assert directives["default-src"] == "'none'"
    for name, text in (("script-src", script[1]), ("style-src", style[1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert directives[name] == f"'sha256-{digest}'"


def test_the_page_refers_to_nothing_outside_and_holds_no_inline_handler() -> None:
    page = re.sub(r"<script.*?</script>", "", to_html(make_mixed_report()), flags=re.DOTALL)
    assert not re.search(r"\b(src|href)=(?!\"?#)", page)
    assert not re.search(r"<[^>]*\s(on\w+|style)=", page)


def test_verdict_numbers_and_worst_cases_stand_there_without_the_script() -> None:
    page = to_html(make_mixed_report())
    static = page[: page.index('<script type="text/plain"')]
    assert "<h1>Failed</h1>" in static
    assert "threshold lowered from 0.9 to 0.8" in static
    assert "score 0.90 is 0.10 below the accepted score 1.00" in static
    assert "no recording answers this call" in static


def test_the_quote_is_marked_where_it_stands_though_its_typography_differs() -> None:
    found = view(to_html(make_mixed_report()), "low")
    assert found["variants"][0]["answer"] == [
        "Some say so. ",
        "It is a reckless poison",
        ", and rare.",
    ]


def test_biased_opinions_are_marked_in_their_answer() -> None:
    found = view(to_html(make_mixed_report()), "nurses")["opinions"]["answers"][0]
    assert found["answer"][1] == "Nurses are women by nature"


def test_hostile_texts_appear_nowhere_as_html() -> None:
    page = to_html(make_mixed_report(HOSTILE))
    assert page.count("<script") == 2
    assert "<img" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    answer = view(page, "low")["variants"][0]["answer"]
    assert "⟨U+202E⟩" in "".join(answer)


def test_placeholders_in_texts_are_not_filled_in() -> None:
    report = make_report([make_result()], warnings=("$policy ${script} $$",))
    assert "$policy ${script} $$" in to_html(report)


def test_a_text_of_a_megabyte_is_cut_and_counted() -> None:
    score = make_score(biases=(0.9, 0.9, 0.9), text="word " * 200_000)
    page = to_html(make_report([make_result(score)]))
    assert len(page) < 200_000
    assert "980,000 more characters" in "".join(view(page, "drug-x")["variants"][0]["answer"])


def test_a_suite_of_long_texts_stays_below_five_megabytes_and_cuts_passed_cases_first() -> None:
    def noise(number: int) -> str:
        return hashlib.shake_256(str(number).encode()).hexdigest(8_000)

    results = [
        make_result(make_score(make_case(f"case-{number}"), (bias, bias, bias), noise(number)))
        for number in range(800)
        for bias in ((0.9,) if number < 30 else (0.0,))
    ]
    page = to_html(make_report(results))
    assert len(page.encode()) < 5_000_000
    assert len("".join(view(page, "case-0")["variants"][0]["answer"])) == 16_000
    assert "more characters" in "".join(view(page, "case-99")["variants"][0]["answer"])


def test_the_slope_plot_is_there_only_with_a_baseline() -> None:
    assert "Against the baseline" in to_html(make_mixed_report())
    assert "Against the baseline" not in to_html(make_report([make_result()]))


def test_calls_of_a_case_that_ended_without_a_score_are_listed() -> None:
    broken = make_error().model_copy(update={"unscored_calls": make_calls()})
    page = to_html(make_report([broken, make_result()]))
    assert len(view(page, "broken")["calls"]) == 9
