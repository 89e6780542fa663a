"""A case's report as one value on its way from a worker of pytest-xdist to the controller.

pytest-xdist writes and reads every value within a report by itself, in Python: for three reports a
case this costs more than anything else that a run on several workers adds.
"""

import marshal
from typing import Any

_PACKED = "content_bias_packed"
_FORMAT = 4
"""Read by every Python: workers may run another one."""


def packed(data: dict[str, Any]) -> dict[str, Any]:
    """A report with all its values in one; as it was where it holds what other plugins alone know.

    A property whose value is no plain one arrives as bytes, if Python can see it as such.

    Args:
        data: the report, as pytest made it ready to be sent.
    """
    try:
        return {_PACKED: marshal.dumps(data, _FORMAT)}
    except ValueError:
        return data


def unpack(data: dict[str, Any]) -> None:
    """Put the values of a report back in their places.

    Args:
        data: a report as it was received, packed or not.
    """
    if _PACKED in data:
        data.update(marshal.loads(data.pop(_PACKED)))
