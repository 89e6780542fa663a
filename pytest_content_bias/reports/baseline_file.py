"""`content_bias_baseline.json`, in stable order: its diff shows what changed and nothing else."""

import json
from pathlib import Path

from pydantic import JsonValue

from pytest_content_bias.reports.json_records import read_record
from pytest_content_bias.reports.text_files import write_text
from pytest_content_bias.vocabulary.baseline import Baseline


def read_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        UserFileError: it is missing, damaged, in conflict, or of another version.
    """
    remedy = "restore it from version control, or renew it with --content-bias-update-baseline"
    return read_record(path, Baseline, "a baseline", remedy)


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline, as a whole or not at all.

    Raises:
        SettingsError: it cannot be written.
    """
    data = baseline.model_dump(mode="json", exclude_defaults=True)
    head: dict[str, JsonValue] = {"format": baseline.format}
    head |= {key: data[key] for key in ("min_mean", "max_mean_drop") if key in data}
    entries = sorted(data.get("entries", {}).items())
    lines = [f" {_text(key)}: {_text(value)}," for key, value in head.items()]
    body = ",\n".join(f"  {_text(node_id)}: {_entry(entry)}" for node_id, entry in entries)
    text = "\n".join(["{", *lines, ' "entries": {', *([body] if body else []), " }", "}", ""])
    write_text(path, text)


def _entry(entry: dict[str, JsonValue]) -> str:
    """One field per line: a changed score is a diff of one line."""
    fields = ",\n".join(f"   {_text(key)}: {_text(value)}" for key, value in entry.items())
    return "{\n" + fields + "\n  }"


def _text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
