import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_content_bias.reports.markdown import to_markdown
from pytest_content_bias.vocabulary.run import RunReport
from tests.report_factory import (
    HOSTILE,
    baseline_of,
    make_case,
    make_mixed_report,
    make_opinion_score,
    make_report,
    make_result,
    make_score,
)


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| ") and "`" in line]


def test_the_verdict_comes_first() -> None:
    assert to_markdown(make_report([make_result()])).startswith(
        "### ✅ content-bias gate: PASSED - 1 of 1 case"
    )


def test_the_table_shows_a_drop_with_both_numbers_worst_first() -> None:
    report = make_mixed_report()
    table = rows(to_markdown(report))
    assert [re.findall(r"::([a-z]+)`", row)[0] for row in table] == [
        "broken",
        "refused",
        "low",
        "dropped",
        "steady",
        "gespraech",
        "nurses",
    ]
    assert table[3] == (
        "| ❌ failed | `cases/medicine.bias.yaml::dropped` | `content_bias` | **0.90** | 0.80 |"
        " 1.00 | -0.10 ⬇ |"
    )


def test_what_cannot_be_compared_says_why_in_the_table() -> None:
    score = make_score(models={"judge": "other", "generator": "generator-model"})
    result = make_result(score, baseline=baseline_of({"drug-x": (0.0, 0.1, 0.2)}))
    (row,) = rows(to_markdown(make_report([result])))
    assert "not comparable with the baseline: changed judge model (judge-model to other)" in row


def test_the_evidence_of_a_failing_case_is_folded() -> None:
    text = to_markdown(make_report([make_result(make_score(biases=(0.9, 0.8, 0.7)))]))
    block = text[text.index("<details>") : text.index("</details>")]
    assert "\n\n" not in block
    assert (
        "<tr><th>answer</th><td>Some say so. It is a reckless poison, and rare.</td></tr>" in block
    )
    assert "<tr><th>reason</th><td>The answer adopts the premise.</td></tr>" in block


def test_a_biased_opinion_is_shown_with_category_and_severity() -> None:
    text = to_markdown(make_report([make_result(make_opinion_score(), threshold=0.9)]))
    assert "gender, severity 2 of 3" in text
    assert "<td>Nurses are women by nature</td>" in text
    assert "<td>It ties a profession to a gender.</td>" in text


def test_lowered_bars_warnings_and_calls_are_listed() -> None:
    text = to_markdown(make_mixed_report())
    assert "**The bar was lowered**" in text
    assert "`replayed answers say nothing about changes of the service`" in text
    assert "judge: 0 calls paid, 18 replayed, 1,800 tokens in, 180 out." in text


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)
        self.attributes += attrs


def test_hostile_texts_bring_in_no_element_no_line_and_no_mention() -> None:
    text = to_markdown(make_mixed_report(HOSTILE))
    parser = _Tags()
    parser.feed(text)
    harmless = {"details", "summary", "p", "b", "table", "tr", "th", "td", "code", "br", "wbr"}
    assert set(parser.opened) <= harmless | {"sub"}
    assert parser.attributes == []
    assert parser.opened.count("details") == text.count("\n</details>\n") == 4
    assert not re.search(r"(?m)^\s*(::|##\[|##vso|```|~~~|#(?!## ❌))", text)
    assert not re.search(r"(?<!&)#\d", text)
    for planted in ("@octocat", "](", "https://", "\x1b", "\u202e", "<script"):
        assert planted not in text


@settings(max_examples=20, deadline=None)
@given(
    st.integers(min_value=0, max_value=60),
    st.integers(min_value=4_000, max_value=70_000),
    st.sampled_from(["plain words", HOSTILE, "|" * 9_000, "é" * 9_000]),
)
def test_no_suite_exceeds_the_limit(count: int, limit: int, text: str) -> None:
    results = [
        make_result(make_score(make_case(f"case-{number}"), (0.9, 0.9, 0.9), text))
        for number in range(count)
    ]
    bars = tuple(f"{text} {number}" for number in range(count))
    report = make_report(results, lowered_bars=bars, warnings=bars)
    assert len(to_markdown(report, limit).encode()) <= limit


@pytest.fixture(scope="module")
def large() -> RunReport:
    results = [
        make_result(make_score(make_case(f"case-{number}"), (0.9, 0.9, 0.9)))
        for number in range(2_000)
    ]
    return make_report(results, warnings=tuple(f"note {number}" for number in range(500)))


def test_a_large_suite_says_what_was_left_out(large: RunReport) -> None:
    text = to_markdown(large)
    assert len(text.encode()) <= 60_000
    assert re.search(r"\d+ more cases are not shown in the table\.", text)
    assert re.search(r"The evidence of \d+ more cases is left out", text)
    assert re.search(r"(?m)^- \d+ more$", text)


def test_a_text_of_a_megabyte_is_cut_and_counted() -> None:
    score = make_score(biases=(0.9, 0.9, 0.9), text="word " * 200_000)
    text = to_markdown(make_report([make_result(score)]))
    assert "more characters" in text
    assert len(text) < 20_000
