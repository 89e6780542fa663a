"""`opinion_bias` beside DeepEval 4.3.1's BiasMetric, on the same scripted judgements.

    python benchmarks/parity_deepeval.py

A loopback endpoint plays the judge for both. DeepEval runs in an environment of its own: the one
whose Python DEEPEVAL_PYTHON names, otherwise one that is made in the cache folder the first time.
It is asked twice: through its OpenAI client, and through a model class as users write it.
Prints a Markdown table; exits with 1 when a score differs or a fault of the judge passes here.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import venv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pytest_content_bias.files.prompt_library import PromptLibrary
from pytest_content_bias.models.factory import chat_model
from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.rules.case_gate import case_outcome
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.case import Case
from pytest_content_bias.vocabulary.config import OpinionBiasConfig
from pytest_content_bias.vocabulary.project import ModelConfig
from pytest_content_bias.vocabulary.protocols import Bench, Roles
from pytest_content_bias.vocabulary.run import Outcome
from pytest_content_bias.work.opinion_bias import score_opinion_bias

VERSION = "4.3.1"
SIDE = Path(__file__).with_name("parity_deepeval_side.py")
QUIET = ("DEEPEVAL_TELEMETRY_OPT_OUT", "DEEPEVAL_DISABLE_DOTENV", "DEEPEVAL_NO_INSPECT_PROMPT")
THRESHOLD = 0.5
FACT = "Water boils at a lower temperature in the mountains."
Reply = dict[str, Any]


@dataclass(frozen=True)
class Judgement:
    """What the judge finds in one answer: the first opinions are biased; and how it errs."""

    name: str
    total: int
    biased: int
    fault: str = ""
    mends: bool = False

    @property
    def texts(self) -> list[str]:
        return [f"Opinion number {number} is debatable." for number in range(1, self.total + 1)]

    @property
    def answer(self) -> str:
        return " ".join([*self.texts, FACT])

    def reply(self, stage: str, attempt: int, *, ours: bool) -> Reply:
        """The reply: one judgement, in the form that each side asks for."""
        if stage == "reason":
            return {"reason": "The score follows from the verdicts."}
        fault = "" if self.mends and attempt > 1 else self.fault
        return self._opinions(fault, ours) if stage == "opinions" else self._verdicts(fault, ours)

    def _opinions(self, fault: str, ours: bool) -> Reply:
        texts = self.texts + ["Nobody said this."] * (fault == "fabricated")
        if not ours:
            return {"opinions": texts}
        return {
            "opinions": [{"id": id, "text": text} for id, text in enumerate(texts, start=1)],
            "excluded": [{"text": FACT, "reason": "undisputed_truth"}],
        }

    def _verdicts(self, fault: str, ours: bool) -> Reply:
        if fault == "missing key":
            return {}
        count = self.total + (fault == "fabricated")
        verdicts = [self._verdict(id, fault, ours) for id in range(1, count + 1)]
        if fault == "short":
            verdicts = verdicts[1:]
        if fault == "twice":
            verdicts.append(verdicts[-1])
        return {"verdicts": verdicts}

    def _verdict(self, id: int, fault: str, ours: bool) -> Reply:
        biased = id <= self.biased
        word = "maybe" if fault == "maybe" else "yes" if biased else "no"
        verdict: Reply = {
            "verdict": word.capitalize() if fault == "capital" else word,
            "reason": "It belittles one side." if biased else None,
        }
        if not ours:
            return verdict
        return verdict | {
            "id": id,
            "category": "political" if biased else None,
            "severity": 2 if biased else 0,
            "neutral_rewording": "Both sides have their reasons." if biased else "",
        }


JUDGEMENTS = (
    Judgement("1 of 3 biased", 3, 1),
    Judgement("no opinion", 0, 0),
    Judgement("3 of 3 biased", 3, 3),
    Judgement("1 of 2 biased", 2, 1),
    Judgement("10 of 200 biased", 200, 10),
    Judgement("verdicts with capital letters", 3, 1, "capital"),
    Judgement("the biased opinion gets no verdict", 3, 1, "short"),
    Judgement("the same, mended when asked again", 3, 1, "short", mends=True),
    Judgement("a neutral verdict stands twice", 3, 1, "twice"),
    Judgement("an opinion that is not in the answer", 3, 1, "fabricated"),
    Judgement('"maybe" for every opinion', 3, 1, "maybe"),
    Judgement("no key `verdicts`", 3, 1, "missing key"),
)


class Judge(ThreadingHTTPServer):
    """Replies to `/<side>/<number of the judgement>/chat/completions`, and counts."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.calls: Counter[str] = Counter()
        self.stages: Counter[tuple[str, str]] = Counter()

    def url(self, side: str, number: int) -> str:
        return f"http://127.0.0.1:{self.server_port}/{side}/{number}"

    def content(self, path: str, body: Reply) -> str:
        place = path.removesuffix("/chat/completions").strip("/")
        side, _, number = place.partition("/")
        judgement = JUDGEMENTS[int(number)]
        stage = _asked_stage(body) or _next_stage(judgement, self.calls[place])
        self.calls[place] += 1
        self.stages[place, stage] += 1
        attempt = self.stages[place, stage]
        return json.dumps(judgement.reply(stage, attempt, ours=side == "ours"))


def _asked_stage(body: Reply) -> str | None:
    """The stage that a request with a schema belongs to."""
    wanted = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    keys = wanted.get("properties", {})
    return next((stage for stage in ("opinions", "verdicts", "reason") if stage in keys), None)


def _next_stage(judgement: Judgement, calls: int) -> str:
    stages = ["opinions", *(["verdicts"] if judgement.total else []), "reason"]
    return stages[min(calls, len(stages) - 1)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        assert isinstance(self.server, Judge)
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = {"role": "assistant", "content": self.server.content(self.path, body)}
        reply = {
            "id": "reply",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the table clean."""


class Straight:
    """An exchange without a cassette."""

    def __init__(self) -> None:
        self.sender = HttpSender()

    async def call(self, request: CallRequest) -> CallReply:
        return await self.sender.send(request)


async def ours(judge: Judge) -> list[str]:
    exchange = Straight()
    results = [await _our_result(judge, number, exchange) for number in range(len(JUDGEMENTS))]
    await exchange.sender.aclose()
    return results


async def _our_result(judge: Judge, number: int, exchange: Straight) -> str:
    judgement = JUDGEMENTS[number]
    case = Case(
        path="parity.bias.yaml",
        line=1,
        input_id="parity",
        prompt="?",
        sut_response=judgement.answer,
    )
    model = chat_model(ModelConfig(model="scripted", base_url=judge.url("ours", number)))
    at = Bench(case=case, exchange=exchange, roles=Roles(judge=model), prompts=PromptLibrary())
    score = await score_opinion_bias(at, OpinionBiasConfig())
    outcome, _ = case_outcome(score, THRESHOLD)
    if outcome is Outcome.ERROR or score.value is None:
        return "ERROR"
    return f"{score.value:.3g} {'pass' if outcome is Outcome.PASSED else 'fail'}"


def deepeval(judge: Judge) -> list[dict[str, str]]:
    cases = [
        {
            "case": judgement.name,
            "answer": judgement.answer,
            "openai": judge.url("openai", number),
            "own": judge.url("own", number),
        }
        for number, judgement in enumerate(JUDGEMENTS)
    ]
    quiet = dict.fromkeys(QUIET, "1")
    process = subprocess.run(
        [deepeval_python(), str(SIDE)],
        input=json.dumps(cases),
        env=os.environ | quiet,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    results: list[dict[str, str]] = json.loads(process.stdout.strip().splitlines()[-1])
    return results


def deepeval_python() -> str:
    if named := os.environ.get("DEEPEVAL_PYTHON"):
        return named
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "pytest-content-bias" / f"deepeval-{VERSION}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        print(f"installing deepeval=={VERSION} into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "-q", f"deepeval=={VERSION}"]
        subprocess.run(install, check=True)
    return str(python)


def agree(judgement: Judgement, theirs: str, our: str) -> bool:
    """Whether our result is what it has to be: DeepEval's, or after a fault no inflated pass."""
    if judgement.fault:
        return our == "ERROR" or float(our.split()[0]) == round(
            1 - judgement.biased / judgement.total, 3
        )
    return our == theirs


def table(judge: Judge, theirs: Sequence[dict[str, str]], our: Sequence[str]) -> str:
    head = ["judgement", "DeepEval, OpenAI client", "calls", "DeepEval, own model class", "calls"]
    rows = [[*head, "opinion_bias", "calls"], ["---"] * 7]
    for number, judgement in enumerate(JUDGEMENTS):
        row = [judgement.name]
        for side, result in (
            ("openai", theirs[number]["openai"]),
            ("own", theirs[number]["own"]),
            ("ours", our[number]),
        ):
            row += [result, str(judge.calls[f"{side}/{number}"])]
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    with Judge() as judge:
        threading.Thread(target=judge.serve_forever, daemon=True).start()
        our, theirs = asyncio.run(ours(judge)), deepeval(judge)
        judge.shutdown()
    print(table(judge, theirs, our))
    wrong = [
        judgement.name
        for judgement, their, mine in zip(JUDGEMENTS, theirs, our, strict=True)
        if not agree(judgement, their["openai"], mine)
    ]
    if wrong:
        print(f"\nnot as it has to be: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
