"""What bounds the calls of a run."""

from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.errors import CallsStopped


class Budget:
    """Admits calls until the run ends or a bound is reached.

    Args:
        max_calls: the most calls that may be paid; None: no bound.
    """

    def __init__(self, max_calls: int | None) -> None:
        self._max_calls = max_calls
        self._paid = 0
        self._stopped: str | None = None

    def stop(self, why: str) -> None:
        """Admit no further call."""
        self._stopped = why

    def admit(self, request: CallRequest) -> None:
        """Count a call that is about to be paid.

        Raises:
            CallsStopped: it may not be made.
        """
        if self._stopped is not None:
            raise CallsStopped(f"{request.slot}: not called, {self._stopped}")
        if self._max_calls is not None and self._paid >= self._max_calls:
            raise CallsStopped(
                f"{request.slot}: not called, {self._paid} calls were paid and "
                f"--content-bias-max-calls is {self._max_calls}; what was recorded is kept"
            )
        self._paid += 1
