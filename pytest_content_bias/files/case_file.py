"""A case file to its cases."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_content_bias.files.case_format import CaseFileFormat, CaseFormat
from pytest_content_bias.files.case_settings import (
    Bar,
    Configs,
    Metrics,
    max_drop,
    thresholds,
    unused_names,
)
from pytest_content_bias.files.document import Document, Location
from pytest_content_bias.files.findings import Finding, refuse, suggestion
from pytest_content_bias.files.validation import validate
from pytest_content_bias.files.wording import quoted
from pytest_content_bias.files.yaml_reader import parse_yaml, read_yaml
from pytest_content_bias.vocabulary.case import Case, Message
from pytest_content_bias.vocabulary.config import MetricConfig
from pytest_content_bias.vocabulary.names import MetricName, TaskType

_BUILT_IN = frozenset(MetricName)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseEntry:
    """A case with all that its file says about how it is scored and gated.

    Attributes:
        case: the case.
        metrics: the metrics that score it.
        thresholds: metric to the least score that passes and where that is said; metrics without
            an entry take the threshold of the run.
        max_drop: the greatest drop against the baseline and where it is said; None: the run's.
        configs: metric to its configuration.
    """

    case: Case
    metrics: Metrics
    thresholds: Mapping[str, Bar]
    max_drop: Bar | None
    configs: Mapping[str, MetricConfig]


def read_case_file(
    path: Path, relative_to: Path, known_metrics: Collection[str] = ()
) -> tuple[CaseEntry, ...]:
    """Read a case file.

    Args:
        path: the file.
        relative_to: pytest's root directory; cases name their file relative to it.
        known_metrics: names of metrics beside those that ship with the package.

    Raises:
        UserFileError: the file cannot be used; names the first problem and the lines of others.
    """
    return _entries(read_yaml(path), _relative(path, relative_to), known_metrics)


def read_case_text(
    text: str, name: str, known_metrics: Collection[str] = ()
) -> tuple[CaseEntry, ...]:
    """Read what a case file may hold from a text that is no file.

    Args:
        text: YAML, or JSON.
        name: what messages and cases call the file.
        known_metrics: names of metrics beside those that ship with the package.

    Raises:
        UserFileError: the text cannot be used; names every problem, and no lines.
    """
    document = replace(parse_yaml(text, Path(name)), is_file=False)
    return _entries(document, name, known_metrics)


def _entries(document: Document, name: str, known: Collection[str]) -> tuple[CaseEntry, ...]:
    file = validate(document, CaseFileFormat, document.value)
    return _Reader(document, file, _BUILT_IN.union(known)).entries(name)


def _relative(path: Path, root: Path) -> str:
    text, start = str(path), f"{root}{os.sep}"
    try:
        below = text[len(start) :] if text.startswith(start) else os.path.relpath(path, root)
        return below.replace(os.sep, "/")
    except ValueError:  # another drive
        return path.as_posix()


class _Reader:
    """Checks what a format cannot say, and makes the entries."""

    def __init__(self, document: Document, file: CaseFileFormat, known: frozenset[str]) -> None:
        self._document = document
        self._file = file
        self._known = known
        self._configs = Configs(document, file)
        self._findings: list[Finding] = []

    def entries(self, path: str) -> tuple[CaseEntry, ...]:
        self._check_metrics(self._file.metrics, ())
        entries = tuple(
            self._entry(row, ("cases", index), path) for index, row in enumerate(self._file.cases)
        )
        used = dict.fromkeys(metric for entry in entries for metric in entry.metrics)
        self._findings += unused_names(self._file, tuple(used), ())
        self._check_unique()
        if problems := dict.fromkeys(self._findings + self._configs.findings):
            refuse(self._document, problems)
        return entries

    def _entry(self, row: CaseFormat, base: Location, path: str) -> CaseEntry:
        metrics = row.metrics or self._file.metrics
        if row.metrics:
            self._check_metrics(row.metrics, base)
        self._findings += unused_names(row, metrics, base)
        configs = self._configs.of(row, metrics, base)
        self._check_prompt(row, base)
        self._check_reference(row, configs, base)
        return CaseEntry(
            case=_case(row, path, self._document.place(base)[0]),
            metrics=metrics,
            thresholds=thresholds(self._file, row, metrics),
            max_drop=max_drop(self._file, row),
            configs=configs,
        )

    def _check_metrics(self, metrics: Metrics, base: Location) -> None:
        for index, metric in enumerate(metrics):
            if metric not in self._known:
                hint = suggestion(metric, self._known, "metrics")
                self._add((*base, "metrics", index), f"unknown metric {quoted(metric)}; {hint}")
            elif metric in metrics[:index]:
                self._add((*base, "metrics", index), f"the metric {quoted(metric)} is given twice")

    def _check_prompt(self, row: CaseFormat, base: Location) -> None:
        shape = _shape(row)
        if row.task_type not in {None, shape}:
            is_one = "one question" if shape == TaskType.SINGLE_TURN else "a list of messages"
            text = f"the prompt is {is_one}, expected task_type '{shape}', found '{row.task_type}'"
            self._add((*base, "task_type"), text)
        if isinstance(row.prompt, tuple) and row.prompt[-1].role != "user":
            text = f"expected the last message from the user, found '{row.prompt[-1].role}'"
            self._add((*base, "prompt", len(row.prompt) - 1, "role"), text)
        for index, tag in enumerate(row.tags):
            if tag in row.tags[:index]:
                self._add((*base, "tags", index), f"the tag '{tag}' is given twice")

    def _check_reference(
        self, row: CaseFormat, configs: Mapping[str, MetricConfig], base: Location
    ) -> None:
        config = configs.get(MetricName.CONTENT_BIAS)
        if config is None:
            return
        answer = row.expected_output if config.reference_answer is None else config.reference_answer
        if not (answer or "").strip():
            text = (
                "content_bias compares with a reference answer and this case has none:"
                " give 'expected_output', or 'reference_answer' in 'config'"
            )
            self._add(base, text)

    def _check_unique(self) -> None:
        first: dict[str, Location] = {}
        for index, row in enumerate(self._file.cases):
            here: Location = ("cases", index, "input_id")
            known = first.setdefault(row.input_id.lower(), here)
            if known is not here:
                line, _ = self._document.place(known)
                text = f"the input_id '{row.input_id}' is already used on line {line}"
                if row.input_id != self._document.at(known):
                    text += ", and letter case does not count"
                self._add(here, text)

    def _add(self, location: Location, text: str) -> None:
        self._findings.append(Finding(location, text))


def _shape(row: CaseFormat) -> TaskType:
    return TaskType.SINGLE_TURN if isinstance(row.prompt, str) else TaskType.MULTI_TURN


def _case(row: CaseFormat, path: str, line: int) -> Case:
    prompt, history = _turns(row)
    context = row.retrieved_context
    return Case(
        path=path,
        line=line,
        input_id=row.input_id,
        prompt=prompt,
        history=history,
        task_type=_shape(row),
        expected_output=row.expected_output,
        retrieved_context=(context,) if isinstance(context, str) else context,
        sut_response=row.sut_response,
        tags=row.tags,
    )


def _turns(row: CaseFormat) -> tuple[str, tuple[Message, ...]]:
    """The question, and what was said before it."""
    if isinstance(row.prompt, str):
        return row.prompt, ()
    *history, last = row.prompt
    return last.content, tuple(Message(role=turn.role, content=turn.content) for turn in history)
