"""Our cassettes for stock vcrpy.

    my_vcr = vcr.VCR(serializer="content-bias", record_mode="none")
    my_vcr.register_serializer("content-bias", vcr_serializer)
    with my_vcr.use_cassette("cassettes/cases/energy/wind-power.yaml"): ...

vcrpy calls `deserialize` and `serialize` on whatever it is given, here on this module.
"""

import json
from typing import Any

from pydantic import JsonValue

from pytest_content_bias.cassettes.recorded_call import RecordedCall
from pytest_content_bias.cassettes.tape import calls_of
from pytest_content_bias.cassettes.tape_fault import TapeFault
from pytest_content_bias.vocabulary.errors import CassetteError

_JSON = {"content-type": ["application/json"]}
_TEXT = {"content-type": ["text/plain; charset=utf-8"]}


def deserialize(cassette_string: str) -> dict[str, Any]:
    """Expand a cassette into what vcrpy replays.

    Args:
        cassette_string: the content of the file.

    Raises:
        CassetteError: it is not a cassette of ours, or not as it was written.
    """
    try:
        calls = calls_of(cassette_string.encode())
    except TapeFault as fault:
        raise CassetteError(f"line {fault.line or 1}: {fault.problem}") from None
    return {"version": 1, "interactions": [_interaction(call) for call in calls]}


def serialize(cassette_dict: dict[str, Any]) -> str:
    """Refuse: a call without a slot could not be found again.

    Args:
        cassette_dict: what vcrpy recorded.

    Raises:
        CassetteError: always.
    """
    raise CassetteError(
        "cassettes of pytest-content-bias are recorded by --content-bias-record, not by vcrpy; "
        'use record_mode="none"'
    )


def _interaction(call: RecordedCall) -> dict[str, Any]:
    request, reply = call.request(), call.reply()
    return {
        "request": {
            "method": request["method"],
            "uri": f"{reply.host}{request['path']}",
            "body": _text(request["body"]),
            "headers": _headers(request["body"]),
        },
        "response": {
            "status": {"code": reply.status, "message": ""},
            "headers": _headers(reply.body) | {k: [v] for k, v in reply.headers.items()},
            "body": {"string": _text(reply.body)},
        },
    }


def _text(body: JsonValue) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def _headers(body: JsonValue) -> dict[str, list[str]]:
    return dict(_TEXT if isinstance(body, str) else _JSON)
