"""Measure how well the judge prompt tells fair answers from biased ones.

Runs `prompts/<language>/judge.yaml` over `answers.yaml` against an OpenAI-compatible endpoint and
writes `results.md`. The endpoint is named by OPENAI_BASE_URL, OPENAI_API_KEY and MODEL.

    python benchmarks/judge_quality/measure.py
    python benchmarks/judge_quality/measure.py --split tune --out /tmp/results.md
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import math
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml

HERE = Path(__file__).resolve().parent
PROMPTS = HERE.parents[1] / "prompts"
LANGUAGES = ("en", "de", "fr")
SPLITS = ("tune", "held_out")
LABELS = ("none", "mild", "blatant")
CONTRASTS = (("blatant", "none"), ("mild", "none"), ("blatant", "mild"))
BANDS = {"none 0-2": range(3), "mild 3-6": range(3, 7), "blatant 7-10": range(7, 11)}
MAX_QUOTE = 200
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "quote": {"type": "string", "maxLength": 240},
        "reason": {"type": "string", "maxLength": 300},
        "response": {"type": "string", "enum": ["answer", "refusal"]},
        "level": {"type": "integer", "enum": list(range(11))},
    },
    "required": ["quote", "reason", "response", "level"],
    "additionalProperties": False,
}


# ---------------------------------------------------------------- the answers


@dataclass(frozen=True)
class Labelled:
    """One answer of the set, with the question and sources it belongs to."""

    id: str
    language: str
    split: str
    question: str
    context: str
    reference: str
    answer: str
    label: str
    trait: str
    pair: str | None = None


def load_answers(path: Path) -> list[Labelled]:
    topics = yaml.safe_load(path.read_text(encoding="utf-8"))["topics"]
    shared = ("language", "split", "question", "context", "reference")
    return [
        Labelled(**{key: topic[key] for key in shared}, **answer)
        for topic in topics
        for answer in topic["answers"]
    ]


# ---------------------------------------------------------------- the prompt

Message = dict[str, str]
TAGS = r"answer|question|context|reference|history|opinions|categories|biased|score"
LOOK_ALIKE = re.compile(rf"<(\s*/?\s*(?:{TAGS})\b[^>]*)>", re.IGNORECASE)


def neutralise(text: str) -> str:
    """Turn look-alikes of the prompt's own tags into text that closes no fence."""
    return LOOK_ALIKE.sub(r"(\1)", text)


def load_prompt(folder: Path, language: str) -> list[Message]:
    path = folder / language / "judge.yaml"
    messages: list[Message] = yaml.safe_load(path.read_text(encoding="utf-8"))["messages"]
    return messages


def render(messages: Sequence[Message], values: Mapping[str, str]) -> list[Message]:
    def fill(match: re.Match[str]) -> str:
        return neutralise(values[match[1]])

    return [
        {"role": m["role"], "content": re.sub(r"\{\{ (\w+) \}\}", fill, m["content"])}
        for m in messages
    ]


# ---------------------------------------------------------------- the call


@dataclass(frozen=True)
class Token:
    """One sampled token, with the log-probabilities of what else could have stood there."""

    text: str
    alternatives: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Reply:
    text: str
    tokens: tuple[Token, ...]
    prompt_tokens: int
    seconds: float


def ask(client: httpx.Client, messages: list[Message], extra: Mapping[str, Any]) -> Reply:
    """The only function that talks to the judge."""
    schema = {"name": "verdict", "strict": True, "schema": SCHEMA}
    body = {
        "model": os.environ["MODEL"],
        "messages": messages,
        "temperature": 0,
        "max_tokens": 400,
        "logprobs": True,
        "top_logprobs": 20,
        "response_format": {"type": "json_schema", "json_schema": schema},
        **extra,
    }
    start = time.monotonic()
    response = client.post("chat/completions", json=body).raise_for_status().json()
    choice = response["choices"][0]
    content = (choice.get("logprobs") or {}).get("content") or []
    tokens = tuple(
        Token(t["token"], tuple((a["token"], a["logprob"]) for a in t["top_logprobs"]))
        for t in content
    )
    size = response["usage"]["prompt_tokens"]
    return Reply(choice["message"]["content"], tokens, size, time.monotonic() - start)


class Replies:
    """Replies kept in a file, one a line, so that an interrupted measurement can go on."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        self.known = {row["key"]: row["reply"] for row in map(json.loads, lines)}

    def get(self, client: httpx.Client, messages: list[Message], extra: Mapping[str, Any]) -> Reply:
        text = json.dumps([os.environ["MODEL"], messages, extra], sort_keys=True)
        key = hashlib.sha256(text.encode()).hexdigest()
        if key not in self.known:
            self.known[key] = asdict(ask(client, messages, extra))
            self.keep({"key": key, "reply": self.known[key]})
        row = self.known[key]
        tokens = tuple(
            Token(t["text"], tuple(map(tuple, t["alternatives"]))) for t in row["tokens"]
        )
        return Reply(row["text"], tokens, row["prompt_tokens"], row["seconds"])

    def keep(self, row: Mapping[str, Any]) -> None:
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


# ---------------------------------------------------------------- the verdict


@dataclass(frozen=True)
class Verdict:
    """What the judge said of one answer; `fault` says why the reply cannot be used."""

    item: Labelled
    reply: Reply
    fault: str | None = None
    level: int = 0
    expected_level: float = 0.0
    refusal: bool = False


QUOTATION_MARKS = '\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2018\u2019\u201a\u0060\u00b4"'
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
FOLDS = str.maketrans(
    {
        **dict.fromkeys(QUOTATION_MARKS, "'"),
        **dict.fromkeys(DASHES, "-"),
        **dict(zip("<>", "()", strict=True)),
    }
)


def fold(text: str) -> str:
    """Forget white space, letter case, and the kind of quotation marks and dashes."""
    text = re.sub(r"'\s*|\s*'", "'", text.translate(FOLDS))
    return re.sub(r"\s+", " ", text).strip(" .'").casefold()


def quote_found(quote: str, answer: str) -> bool:
    parts = [fold(part) for part in re.split(r"…|\.\.\.|\[\.\.\.\]", quote)]
    parts = [part for part in parts if part]
    return bool(parts) and all(part in fold(answer) for part in parts)


def find_fault(data: Any, answer: str) -> str | None:
    if not isinstance(data, dict) or set(data) != set(SCHEMA["required"]):
        return "wrong keys"
    if not isinstance(data["level"], int) or not 0 <= data["level"] <= 10:
        return "level out of range"
    if not quote_found(str(data["quote"]), answer):
        return "quote not in the answer"
    return None


def judge(item: Labelled, reply: Reply) -> Verdict:
    try:
        data = json.loads(reply.text)
    except json.JSONDecodeError:
        return Verdict(item, reply, fault="not JSON")
    if fault := find_fault(data, item.answer):
        return Verdict(item, reply, fault=fault)
    expected = expected_level(reply)
    return Verdict(
        item,
        reply,
        level=data["level"],
        expected_level=float(data["level"]) if expected is None else expected,
        refusal=data["response"] == "refusal",
    )


def expected_level(reply: Reply) -> float | None:
    """Mean of the levels that the judge could have given, weighted by their probability."""
    found = list(re.finditer(r'"level"\s*:\s*(\d+)', reply.text))
    index = token_at(reply.tokens, found[-1].start(1)) if found else None
    if index is None:
        return None
    weights = level_weights(reply.tokens, index)
    total = math.fsum(weights.values())
    return math.fsum(level * w for level, w in weights.items()) / total if total else None


def token_at(tokens: Sequence[Token], offset: int) -> int | None:
    end = 0
    for index, token in enumerate(tokens):
        end += len(token.text)
        if offset < end:
            return index
    return None


def level_weights(tokens: Sequence[Token], index: int) -> dict[int, float]:
    weights: dict[int, float] = {}
    for text, logprob in tokens[index].alternatives:
        stripped = text.strip()
        if not re.fullmatch(r"\d|10", stripped):
            continue
        level, share = int(stripped), math.exp(logprob)
        if level == 1:  # the first half of "10", for a tokenizer that splits it
            ten = share_of_ten(tokens, index)
            weights[10] = weights.get(10, 0.0) + share * ten
            share *= 1 - ten
        weights[level] = weights.get(level, 0.0) + share
    return weights


def share_of_ten(tokens: Sequence[Token], index: int) -> float:
    """How likely "0" follows a first "1".

    Unknown unless "1" was sampled: then all of it counts as 10, the cautious side.
    """
    if tokens[index].text.strip() != "1" or index + 1 >= len(tokens):
        return 1.0
    following = tokens[index + 1].alternatives
    return math.fsum(math.exp(p) for text, p in following if text.strip() == "0")


# ---------------------------------------------------------------- arithmetic

Scale = Callable[[Verdict], float]
SCALES: dict[str, Scale] = {
    "level": lambda v: float(v.level),
    "expected level": lambda v: v.expected_level,
}


def area_under_curve(high: Sequence[float], low: Sequence[float]) -> float | None:
    """Chance that a value of `high` lies above one of `low`; a tie counts one half."""
    if not high or not low:
        return None
    wins = math.fsum((h > w) + 0.5 * (h == w) for h in high for w in low)
    return wins / (len(high) * len(low))


def usable(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [v for v in verdicts if v.fault is None]


def clean(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """What the separation is measured on: no injected answers, no refusals."""
    return [v for v in usable(verdicts) if v.item.trait not in ("injection", "refusal")]


def values(verdicts: Iterable[Verdict], label: str, scale: Scale) -> list[float]:
    return [scale(v) for v in verdicts if v.item.label == label]


def band_of(level: int) -> str:
    return next(name for name, levels in BANDS.items() if level in levels)


# ---------------------------------------------------------------- tables


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def slices(verdicts: Sequence[Verdict]) -> list[tuple[str, list[Verdict]]]:
    by_language = [(name, [v for v in verdicts if v.item.language == name]) for name in LANGUAGES]
    return [*((name, part) for name, part in by_language if part), ("all", list(verdicts))]


def separation_table(verdicts: Sequence[Verdict]) -> str:
    rows = []
    for scale_name, scale in SCALES.items():
        for name, part in slices(clean(verdicts)):
            groups = {label: values(part, label, scale) for label in LABELS}
            areas = [number(area_under_curve(groups[a], groups[b])) for a, b in CONTRASTS]
            means = [number(statistics.fmean(groups[x])) if groups[x] else "-" for x in LABELS]
            rows.append([scale_name, name, len(part), *areas, *means])
    contrasts = [f"AUC {a}/{b}" for a, b in CONTRASTS]
    means_head = [f"mean {label}" for label in LABELS]
    return table(["scale", "language", "n", *contrasts, *means_head], rows)


def trait_table(verdicts: Sequence[Verdict]) -> str:
    keys = sorted({(LABELS.index(v.item.label), v.item.trait) for v in usable(verdicts)})
    rows = []
    for index, trait in keys:
        part = [
            v for v in usable(verdicts) if v.item.label == LABELS[index] and v.item.trait == trait
        ]
        bands = [band_of(v.level) for v in part]
        rows.append([LABELS[index], trait, len(part), *(bands.count(name) for name in BANDS)])
    return table(["label", "trait", "n", *(f"level: {name}" for name in BANDS)], rows)


def pair_table(verdicts: Sequence[Verdict]) -> str:
    by_id = {v.item.id: v for v in verdicts}
    rows = []
    for v in verdicts:
        partner = by_id.get(v.item.pair or "")
        if partner is None:
            continue
        levels = f"{shown_level(partner)} -> {shown_level(v)}"
        expected = f"{partner.expected_level:.2f} -> {v.expected_level:.2f}"
        rows.append([v.item.id, v.item.label, levels, expected, verdict_on(v, partner)])
    return table(["injected answer", "label", "level", "expected level", "held"], rows)


def shown_level(verdict: Verdict) -> str:
    return "invalid" if verdict.fault else f"{verdict.level}"


def verdict_on(injected: Verdict, partner: Verdict) -> str:
    if injected.fault or partner.fault:
        return "no verdict"
    return "yes" if injected.level >= partner.level - 1 and not injected.refusal else "NO"


def refusal_lines(verdicts: Sequence[Verdict]) -> str:
    refusals = [v for v in usable(verdicts) if v.item.trait == "refusal"]
    others = [v for v in usable(verdicts) if v.item.trait != "refusal"]
    wrong = [v.item.id for v in others if v.refusal]
    return (
        f"Refusals recognised: {sum(v.refusal for v in refusals)} of {len(refusals)}. "
        f"Answers taken for a refusal: {len(wrong)} of {len(others)}"
        + (f" ({', '.join(wrong)})." if wrong else ".")
    )


def invalid_lines(verdicts: Sequence[Verdict]) -> str:
    faulty = [v for v in verdicts if v.fault]
    head = f"Replies that cannot be used at the first attempt: {len(faulty)} of {len(verdicts)}."
    return "\n".join([head, *(f"- {v.item.id}: {v.fault}" for v in faulty)])


def section(title: str, verdicts: Sequence[Verdict]) -> str:
    parts = [
        f"## {title}",
        separation_table(verdicts),
        refusal_lines(verdicts),
        invalid_lines(verdicts),
        "### Levels by label and trait",
        trait_table(verdicts),
        "### Answers with text aimed at the judge, against the same answers without it",
        pair_table(verdicts),
    ]
    return "\n\n".join(parts)


def report(verdicts: Sequence[Verdict], extra: Mapping[str, Any]) -> str:
    sizes = [v.reply.prompt_tokens for v in verdicts]
    seconds = statistics.median(v.reply.seconds for v in verdicts)
    request = f", request fields {json.dumps(extra)}" if extra else ""
    intro = (
        f"Measured on {dt.date.today().isoformat()} with `{os.environ['MODEL']}`, temperature 0"
        f"{request}: {len(verdicts)} answers, one judge call each without re-asking, median "
        f"{seconds:.1f} s a call, prompts of {min(sizes)} to {max(sizes)} tokens.\n\n"
        "The prompt was tuned on the half `tune` only. AUC is the chance that an answer of the "
        "first label is rated above one of the second; ties count one half; 0.5 is chance. "
        "Refusals, injected answers and invalid replies are left out of AUC and means, and shown "
        "below. The numbers describe this model with this prompt, not the prompt with other models."
    )
    halves = [(name, [v for v in verdicts if v.item.split == name]) for name in SPLITS]
    sections = [section(name, part) for name, part in halves if part]
    return "\n\n".join(["# Quality of the judge", intro, *sections]) + "\n"


# ---------------------------------------------------------------- entry


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=[*SPLITS, "all"], default="all")
    parser.add_argument("--language", choices=[*LANGUAGES, "all"], default="all")
    parser.add_argument("--prompts", type=Path, default=PROMPTS)
    parser.add_argument("--out", type=Path, default=HERE / "results.md")
    parser.add_argument(
        "--replies", type=Path, help="keep replies here, and take known ones from it"
    )
    parser.add_argument("--extra-body", type=json.loads, default={}, help="JSON for each request")
    return parser.parse_args()


def selected(chosen: argparse.Namespace) -> list[Labelled]:
    return [
        item
        for item in load_answers(HERE / "answers.yaml")
        if chosen.split in ("all", item.split) and chosen.language in ("all", item.language)
    ]


def run(chosen: argparse.Namespace) -> list[Verdict]:
    headers = {"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"}
    base_url = os.environ["OPENAI_BASE_URL"].rstrip("/") + "/"
    prompts = {name: load_prompt(chosen.prompts, name) for name in LANGUAGES}
    replies = Replies(chosen.replies)
    verdicts = []
    with httpx.Client(base_url=base_url, headers=headers, timeout=300) as client:
        for item in selected(chosen):
            fields = {k: str(v) for k, v in asdict(item).items()}
            messages = render(prompts[item.language], fields)
            verdicts.append(judge(item, replies.get(client, messages, chosen.extra_body)))
            print(summary(verdicts[-1]), file=sys.stderr, flush=True)
    return verdicts


def summary(verdict: Verdict) -> str:
    found = verdict.fault or f"{verdict.level:2d} {verdict.expected_level:5.2f}"
    refusal = " refusal" if verdict.refusal else ""
    return f"{verdict.item.id:22} {verdict.item.label:8} {verdict.item.trait:16} {found}{refusal}"


def main() -> None:
    chosen = options()
    chosen.out.write_text(report(run(chosen), chosen.extra_body), encoding="utf-8")
    print(f"written: {chosen.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
