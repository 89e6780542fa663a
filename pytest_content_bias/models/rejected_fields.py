"""Body fields that an endpoint rejects, such as `temperature`, and how a call goes on without."""

import re
from collections.abc import Iterable

from pydantic import JsonValue

from pytest_content_bias.models.failure import Failure
from pytest_content_bias.vocabulary.calls import CallRequest


def newly_rejected(request: CallRequest, known: Iterable[str], failure: Failure) -> str | None:
    """The optional field of a request that a failure complains about, if there is one.

    Where the endpoint names several fields, the one it names first.

    Args:
        request: the call.
        known: the fields that were already left out.
        failure: what the endpoint said.
    """
    if failure.status not in {400, 422}:
        return None
    candidates = _present(request, request.optional) - set(known)
    places = {
        field: found.start()
        for field in candidates
        if (found := re.search(rf"\b{re.escape(field)}\b", str(failure.words)))
    }
    return min(places, key=lambda field: places[field], default=None)


def body_without(request: CallRequest, fields: Iterable[str]) -> JsonValue:
    """A request's body without some of its fields, or with their substitutes."""
    rejected = _present(request, fields)
    if not isinstance(request.body, dict) or not rejected:
        return request.body
    renamed = {
        substitute: request.body[field]
        for field in rejected
        if (substitute := request.optional.get(field))
    }
    return {k: v for k, v in request.body.items() if k not in rejected} | renamed


def left_out(request: CallRequest, fields: Iterable[str]) -> tuple[str, ...]:
    """Those of the fields that the request meant to send and nothing was sent in place of."""
    return tuple(sorted(f for f in _present(request, fields) if not request.optional.get(f)))


class RejectedFields:
    """What endpoints were found to reject, by URL and model, for as long as a run lasts."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def known(self, request: CallRequest) -> tuple[str, ...]:
        """The fields that the endpoint of a request is known to reject."""
        return self._known.get(_endpoint(request), ())

    def learn(self, request: CallRequest, fields: Iterable[str]) -> None:
        """Remember that a request succeeded without these fields."""
        self._known[_endpoint(request)] = tuple({*self.known(request), *fields})


def _present(request: CallRequest, fields: Iterable[str]) -> set[str]:
    body = request.body if isinstance(request.body, dict) else {}
    return {field for field in fields if field in body}


def _endpoint(request: CallRequest) -> tuple[str, str]:
    model = request.body.get("model") if isinstance(request.body, dict) else None
    return request.url, str(model)
