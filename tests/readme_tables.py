"""The README's tables of options and keys, made from the code: `python -m tests.readme_tables`.

Each stands between `<!-- table: NAME -->` and `<!-- end -->`.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.files.schemas import case_file_schema, project_file_schema
from pytest_content_bias.session.options import INI_VALUES, OPTIONS
from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig, OpinionBiasConfig
from pytest_content_bias.vocabulary.described import docstrings

README = Path(__file__).resolve().parent.parent / "README.md"
RESULTS = README.parent / "benchmarks" / "results.json"
_BLOCK = re.compile(r"<!-- table: (?P<name>[a-z ]+) -->\n(?:(?:(?!<!-- ).*\n)*?<!-- end -->\n)?")


_HEAD = ("key", "meaning", "values")
_SPEED_HEAD = ("what", "here", "beside", "goal", "ratio or figure")
_SHOWN_ELSEWHERE = {"Config", "JudgeConfig"}
"""Fields of metrics have a table of their own; a judge is a model with one more key."""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '¦') for cell in row)} |\n" for row in lines)


def options() -> str:
    rows = ((f"`{option.name}`", option.help) for option in OPTIONS)
    return _table(("option", "meaning"), rows)


def ini() -> str:
    def default(value: object) -> str:
        if value in (None, "", []):
            return ""
        return f"`{' '.join(value) if isinstance(value, list) else value}`"

    rows = ((f"`{i.name}`", i.help, default(i.default)) for i in INI_VALUES)
    return _table(("ini value", "meaning", "default"), rows)


def _keys(schema: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, field in schema.get("properties", {}).items():
        if "description" in field:
            yield f"`{name}`", " ".join(str(field["description"]).split()), _values(field)


def _values(field: dict[str, Any]) -> str:
    """The values that a key may have, and the one that it has by itself."""
    allowed: list[str] = field.get("enum") or next(
        (o["enum"] for o in field.get("anyOf", ()) if "enum" in o), []
    )
    default = field.get("default")
    words = [f"`{value}`" for value in allowed]
    if default not in (None, [], {}, ()):
        words.append(f"default `{default}`")
    return ", ".join(words)


def _schema(schema: dict[str, Any]) -> str:
    """A table of the keys at the top, and one for each mapping that stands below."""
    parts = [_table(_HEAD, _keys(schema))]
    for name, definition in schema.get("$defs", {}).items():
        if definition.get("properties") and name not in _SHOWN_ELSEWHERE:
            title = " ".join(str(definition.get("description", name)).split())
            parts.append(f"\n{title}\n\n{_table(_HEAD, _keys(definition))}")
    return "".join(parts)


def config() -> str:
    shared = ContentBiasRAGConfig.model_fields
    rows = []
    for name, field in OpinionBiasConfig.model_fields.items():
        metric = "" if name in shared else "`opinion_bias`"
        words = [f"`{word}`" for word in get_args(field.annotation) if isinstance(word, str)]
        words.append(f"default `{field.get_default(call_default_factory=True)}`")
        rows.append((f"`{name}`", DOCS[name], ", ".join(words), metric))
    return _table(("field", "meaning", "values", "only for"), rows)


DOCS = {
    name: " ".join(text.split())
    for model in (ContentBiasRAGConfig, OpinionBiasConfig)
    for name, text in docstrings(model).items()
}


def levels() -> str:
    """The judge's levels, in the words of its prompt."""
    system = PromptLibrary(None).get("en", "judge").messages[0].content
    return _table(("level", "the answer is"), re.findall(r"^(\d+) - (.+)$", system, re.M))


def speed() -> str:
    """The figures that goals were set for, as last measured."""
    parts = json.loads(RESULTS.read_text("utf-8"))
    rows = [
        (figure["name"], figure["ours"], figure["other"], figure["goal"], f"{figure['value']:.3g}")
        for part in parts
        for figure in part["figures"]
        if figure["goal"] or "beside" in figure["name"]
    ]
    return f"{parts[0]['circumstances']}\n\n{_table(_SPEED_HEAD, rows)}"


TABLES: dict[str, Callable[[], str]] = {
    "levels": levels,
    "options": options,
    "ini": ini,
    "project file": lambda: _schema(project_file_schema()),
    "case file": lambda: _schema(case_file_schema()),
    "config": config,
    "speed": speed,
}


def renewed(text: str) -> str:
    """The README with its tables made anew."""

    def block(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in TABLES:
            return match[0]
        return f"<!-- table: {name} -->\n{TABLES[name]()}<!-- end -->\n"

    return _BLOCK.sub(block, text)


if __name__ == "__main__":
    README.write_text(renewed(README.read_text("utf-8")), "utf-8")
