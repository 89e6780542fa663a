"""When a failed attempt is repeated, and after how long."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pytest_content_bias.models.failure import Failure

ATTEMPTS = 6
"""How often a call is sent at most."""
REFUSED_ATTEMPTS = 3
"""How often where nothing listens and nothing has ever replied: it is not started, or elsewhere."""
RATE_LIMITED_ATTEMPTS = 12
"""How often a call may be turned away with 429, which says `later` rather than `broken`."""
LONGEST_WAIT = 60.0
"""The longest wait that an endpoint may ask for, in seconds."""
_BASE, _CAP = 0.5, 30.0


def backoff(failures: int, random: Callable[[], float]) -> float:
    """Seconds to wait after so many failures: exponential, capped, with full jitter.

    Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.

    Args:
        failures: how many attempts have failed, 1 or more.
        random: gives a number from 0 to 1.
    """
    return random() * min(_CAP, _BASE * 2.0 ** (failures - 1))


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds that a `Retry-After` header asks for (RFC 9110, 10.2.3); None when it says nothing.

    Args:
        value: seconds, or an HTTP date.
        now: the time, with its zone.
    """
    if value is None:
        return None
    if seconds := re.fullmatch(r"\s*(\d{1,9}(?:\.\d*)?)\s*", value):
        return float(seconds[1])
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, ((date if date.tzinfo else date.replace(tzinfo=UTC)) - now).total_seconds())


class Retries:
    """Counts the failures of one call.

    Args:
        random: gives a number from 0 to 1.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        self.attempts = 0
        self._rejections = 0
        self._random = random

    def delay(self, failure: Failure, *, reached: bool) -> float | None:
        """Seconds to wait before the next attempt; None: there is no next attempt.

        Args:
            failure: of the last attempt.
            reached: whether the host has replied to any call.
        """
        self.attempts += 1
        self._rejections += failure.rate_limited
        broken = self.attempts - self._rejections
        asked = failure.retry_after or 0.0
        if (
            not failure.transient
            or asked > LONGEST_WAIT
            or broken >= (REFUSED_ATTEMPTS if failure.refused and not reached else ATTEMPTS)
            or self._rejections >= RATE_LIMITED_ATTEMPTS
        ):
            return None
        # An endpoint that asks for 0 s means it, but not in a tight loop.
        failures = self.attempts if failure.retry_after is None else 1
        return max(asked, backoff(failures, self._random))
