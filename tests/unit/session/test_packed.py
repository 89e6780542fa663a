"""The report of a case as one value on its way from a worker."""

from fractions import Fraction
from typing import Any

from pytest_content_bias.session.packed import packed, unpack


def test_every_value_comes_back_as_what_it_was() -> None:
    data = {
        "location": ("cases/a.bias.yaml", 3, "wind"),
        "user_properties": [("score", 0.1 + 0.2), ("whole", 1), ("text", "Blässe \udcff")],
        "keywords": {"": 1, "wind": 1},
        "of others": {(1, None): (frozenset({b"\x00"}), 2j, True)},
    }
    sent = packed(data)
    assert len(sent) == 1
    unpack(sent)
    assert repr(sent) == repr(data)


def test_what_is_added_on_the_way_stays() -> None:
    sent = packed({"outcome": "passed"}) | {"worker_id": "gw0"}
    unpack(sent)
    assert sent == {"worker_id": "gw0", "outcome": "passed"}


def test_a_report_with_what_cannot_be_packed_is_left_to_others() -> None:
    data: dict[str, Any] = {"outcome": "passed", "share": Fraction(1, 3)}
    assert packed(data) is data
    unpack(data)
    assert data == {"outcome": "passed", "share": Fraction(1, 3)}
