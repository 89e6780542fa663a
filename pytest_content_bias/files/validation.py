"""Plain values to models: what is wrong is said in the author's words, with the place in the file.

Values are checked as strict JSON: no text is taken for a number, no boolean for one, and lists
serve as tuples.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from pytest_content_bias.files.document import Document, Location
from pytest_content_bias.files.findings import Finding, refuse, suggestion
from pytest_content_bias.files.known_keys import known_keys
from pytest_content_bias.files.wording import WRONG_TYPE, advice, expectation, found, quoted

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class _Fault:
    """A pydantic error at its place in the document."""

    location: Location
    name: str
    kind: str
    context: dict[str, Any]
    message: str


def validate(document: Document, model: type[Model], value: JsonValue) -> Model:
    """Make a model of a value.

    Args:
        document: where the value comes from; places and quoted values are taken from it.
        model: what is expected.
        value: the document's value, or what was made of it without moving anything.

    Raises:
        UserFileError: the value does not fit; names the first problem and the lines of others.
    """
    try:
        return model.model_validate_json(to_json(value), strict=True)
    except PydanticSerializationError:
        raise document.error((), "an escape such as \\ud800 is half a character") from None
    except ValidationError as error:
        found = findings(error, document, model)
    refuse(document, found)  # here, so that no traceback shows pydantic's own words before ours


def _unmoved(location: Location) -> Location:
    return location


def findings(
    error: ValidationError,
    document: Document,
    model: type[BaseModel],
    locate: Callable[[Location], Location] = _unmoved,
) -> list[Finding]:
    """What a failed validation says about the document.

    Args:
        error: the failed validation.
        document: where the value comes from.
        model: what was expected.
        locate: from a place in the value that was validated to that in the document.
    """
    faults = [
        _Fault(
            document.resolve(locate(details["loc"])),
            str(details["loc"][-1]) if details["loc"] else "",
            details["type"],
            details.get("ctx", {}),
            details["msg"],
        )
        for details in error.errors(include_url=False, include_input=False)
    ]
    unknown = [_unknown_key(fault, document, model) for fault in faults if _is_unknown(fault)]
    others = [fault for fault in faults if not _is_unknown(fault)]
    return unknown + list(_others(others, document, unknown))


def _is_unknown(fault: _Fault) -> bool:
    return fault.kind == "extra_forbidden"


def _unknown_key(fault: _Fault, document: Document, model: type[BaseModel]) -> Finding:
    known = known_keys(model, document.value, fault.location[:-1])
    text = f"unknown key {quoted(fault.name)}; {suggestion(fault.name, known, 'keys')}"
    return Finding(fault.location, text, at_key=True)


def _others(
    faults: list[_Fault], document: Document, unknown: Iterable[Finding]
) -> Iterator[Finding]:
    """Findings per location: of the branches of a union, those that the value comes nearest to."""
    misspelt = {(finding.location[:-1], finding.text) for finding in unknown}
    at: dict[Location, list[_Fault]] = {finding.location: [] for finding in unknown}
    for fault in faults:
        at.setdefault(fault.location, []).append(fault)
    outer = {location[:depth] for location in at for depth in range(len(location))}
    for location, here in at.items():
        wrong_type = [fault for fault in here if fault.kind in WRONG_TYPE]
        exact = [fault for fault in here if fault.kind not in WRONG_TYPE]
        if location in outer:  # pydantic does not count the entries of a list that are wrong
            exact = [fault for fault in exact if fault.kind != "too_short"]
        if wrong_type and not exact and location not in outer:
            yield _of_wrong_type(wrong_type, document)
        for fault in exact:
            hint = f"did you mean '{fault.name}'?"
            if not any(place == location and hint in text for place, text in misspelt):
                yield _exact(fault, document)


def _of_wrong_type(faults: list[_Fault], document: Document) -> Finding:
    location = faults[0].location
    value = document.at(location)
    expected = " or ".join(dict.fromkeys(WRONG_TYPE[fault.kind] for fault in faults))
    remedy = advice({fault.kind for fault in faults}, value)
    text = f"{label(location)}expected {expected}, found {found(value, location)}{remedy}"
    return Finding(location, text)


def _exact(fault: _Fault, document: Document) -> Finding:
    if fault.kind == "missing":
        return Finding(fault.location, f"the key '{fault.name}' is missing")
    if fault.kind == "union_tag_invalid":
        return _unknown_tag(fault)
    at_key = fault.name == "[key]"
    value = str(fault.location[-1]) if at_key else document.at(fault.location)
    text = expectation(fault.kind, fault.context, fault.message)
    if text.startswith("expected") and "found" not in text:
        text += f", found {found(value, fault.location)}"
    return Finding(fault.location, label(fault.location) + text, at_key)


def _unknown_tag(fault: _Fault) -> Finding:
    key = fault.context["discriminator"].strip("'")
    tags = fault.context["expected_tags"].replace("'", "").split(", ")
    text = f"unknown {key} {quoted(fault.context['tag'])}; known: {', '.join(tags)}"
    return Finding((*fault.location, key), text)


def label(location: Location) -> str:
    """A value's name at the start of a sentence: its key, and its number in a list from 1."""
    names = [index for index, part in enumerate(location) if isinstance(part, str)]
    if not names:
        return ""
    name, *indices = location[names[-1] :]
    numbers = "".join(f" {int(index) + 1}" for index in indices)
    return f"{quoted(str(name))}{numbers}: "
