"""A failed attempt."""

from dataclasses import dataclass

from pydantic import JsonValue

_TRANSIENT = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why an attempt failed.

    Attributes:
        words: the endpoint's own words, or what the network said.
        status: the HTTP status; None: there was no reply.
        transient: whether the same attempt may succeed later.
        retry_after: seconds that the endpoint asks to wait.
        advice: what to do about it, where the status does not say.
        refused: whether nothing listens there.
    """

    words: JsonValue
    status: int | None = None
    transient: bool = False
    retry_after: float | None = None
    advice: str | None = None
    refused: bool = False

    @property
    def rate_limited(self) -> bool:
        """Whether the endpoint says that it gets too many calls."""
        return self.transient and (self.status == 429 or self.retry_after is not None)


def refusal(status: int, body: JsonValue, retry_after: float | None = None) -> Failure:
    """The failure that a reply with an error status is.

    Args:
        status: the HTTP status.
        body: the reply's body.
        retry_after: seconds that the endpoint asks to wait.
    """
    return Failure(
        words=words_of(body),
        status=status,
        transient=(status in _TRANSIENT or status >= 500) and not _out_of_credit(body),
        retry_after=retry_after,
    )


def words_of(body: JsonValue) -> JsonValue:
    """What an endpoint says about an error; the whole body where that stands in no known place."""
    match body:
        case (
            {"error": {"message": str(words)}}
            | {"error": str(words)}
            | {"message": str(words)}
            | {"detail": str(words)}
        ):
            return words
        case {"detail": [*problems]}:
            return "; ".join(_problem(problem) for problem in problems)
        case _:
            return body


def _out_of_credit(body: JsonValue) -> bool:
    match body:
        case {"error": {"code": "insufficient_quota"}} | {"error": {"type": "insufficient_quota"}}:
            return True
        case _:
            return False


def _problem(problem: JsonValue) -> str:
    """One entry of the list that FastAPI sends; it may also echo the input, which is left out."""
    match problem:
        case {"loc": [*place], "msg": str(words)}:
            return f"{'.'.join(str(key) for key in place)}: {words}"
        case _:
            return str(problem)
