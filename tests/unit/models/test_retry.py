from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_content_bias.models.failure import Failure, refusal
from pytest_content_bias.models.retry import Retries, backoff, parse_retry_after

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@given(st.integers(1, 60), st.floats(0, 1))
def test_a_pause_is_between_nothing_and_a_cap_that_doubles_up_to_30_seconds(
    failures: int, chance: float
) -> None:
    cap = min(30.0, 0.5 * 2 ** (failures - 1))
    assert backoff(failures, lambda: chance) == pytest.approx(chance * cap)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("-3", None),
        ("0", 0.0),
        (" 12 ", 12.0),
        ("1.5", 1.5),
        ("Fri, 02 Jan 2026 03:04:35 GMT", 30.0),
        ("Fri, 02 Jan 2026 03:04:35", 30.0),
        ("Thu, 01 Jan 2026 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@given(st.text())
@example("0\x1f")
def test_no_retry_after_header_can_break_a_call(value: str) -> None:
    seconds = parse_retry_after(value, NOW)
    assert seconds is None or seconds >= 0


def delays(failure: Failure, reached: bool = False) -> list[float]:
    retries = Retries(lambda: 1.0)
    return list(iter(lambda: retries.delay(failure, reached=reached), None))


def test_a_call_that_is_turned_away_has_more_patience_than_one_that_breaks() -> None:
    assert len(delays(refusal(500, "broken"))) == 5
    assert len(delays(refusal(429, "later"))) == 11


def test_a_host_that_refuses_and_never_replied_is_not_waited_for() -> None:
    refused = Failure(words="connection refused", transient=True, refused=True)
    assert delays(refused) == [0.5, 1.0]
    assert len(delays(refused, reached=True)) == 5


def test_a_refused_connection_counts_beside_what_failed_before() -> None:
    retries = Retries(lambda: 1.0)
    refused = Failure(words="connection refused", transient=True, refused=True)
    slow = Failure(words="no reply", transient=True)
    found = [retries.delay(failure, reached=False) for failure in (slow, slow, refused, slow)]
    assert [pause is None for pause in found] == [False, False, True, False]


def test_a_call_that_cannot_succeed_is_not_repeated() -> None:
    assert delays(refusal(400, "no")) == []
    assert delays(Failure(words="no route")) == []


def test_the_endpoints_own_pause_is_kept_and_never_a_tight_loop() -> None:
    assert set(delays(refusal(429, "later", 20.0))) == {20.0}
    assert set(delays(refusal(429, "later", 0.0))) == {0.5}
