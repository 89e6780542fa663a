"""The slowest cases and calls of a run."""

from dataclasses import replace

from pytest_content_bias.session.slowest import slowest_lines
from tests.report_factory import make_calls, make_case, make_report, make_result, make_score


def test_cases_and_calls_come_slowest_first() -> None:
    slow = replace(make_calls()[0], latency_ms=9_000, slot="judge/slow")
    results = [
        make_result(make_score(make_case(name)), duration=seconds)
        for name, seconds in (("quick", 0.1), ("slow", 2.5), ("middling", 1.0))
    ]
    results.append(make_result(make_score(make_case("calling"), calls=(slow,)), duration=0.0))
    lines = list(slowest_lines(make_report(results), 2))
    assert [line.split("::")[1] for line in lines[1:3]] == ["slow", "middling"]
    assert "2.50 s" in lines[1]
    assert lines[4].endswith("judge/slow")
    assert "9.00 s" in lines[4]
    assert len(lines) == 6


def test_nothing_is_shown_when_none_are_asked_for_and_less_when_there_are_fewer() -> None:
    assert list(slowest_lines(make_report([make_result()]), 0)) == []
    assert len(list(slowest_lines(make_report([make_result()]), 50))) == 1 + 1 + 1 + 9
