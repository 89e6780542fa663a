"""Measure how well the judge that ships tells fair answers from biased ones.

    python -m benchmarks.judge_quality.measure              write results.md from the recordings
    python -m benchmarks.judge_quality.measure --check      compare it with them
    python -m benchmarks.judge_quality.measure --record     call the judge for what is not recorded

Recording needs OPENAI_BASE_URL; `content_bias.yaml` beside this file names the model. It judges one
answer at a time, and goes on where an earlier recording ended.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.judge_quality.judging import COMMAND, Desk
from benchmarks.judge_quality.labelled import Judged, Labelled, Opined, read_answers
from benchmarks.judge_quality.report import report
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.files.project_file import read_project_file
from pytest_content_bias.models.http_sender import HttpSender
from pytest_content_bias.vocabulary.errors import ContentBiasError

HERE = Path(__file__).resolve().parent
_OPINED = 2
"""Answers of each language and label that `opinion_bias` scores, too."""


def main(arguments: Sequence[str] | None = None, folder: Path = HERE) -> int:
    """Measure.

    Args:
        arguments: the command line's.
        folder: holds `answers.yaml`, `content_bias.yaml`, the cassettes and `results.md`.

    Returns:
        0; 1 when nothing could be measured, or when `--check` finds a difference.
    """
    options = _parser().parse_args(arguments)
    try:
        text = asyncio.run(_measured(folder, RecordMode.parse(options.record)))
    except ContentBiasError as error:
        print(error, file=sys.stderr)
        return 1
    results = folder / "results.md"
    if not options.check:
        results.write_text(text, encoding="utf-8")
    elif results.read_text(encoding="utf-8") != text:
        print(f"{results.name} is not what the recordings give; write it: {COMMAND}")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare results.md, write nothing")
    parser.add_argument(
        "--record",
        "--content-bias-record",
        dest="record",
        nargs="?",
        const="missing",
        default="none",
        metavar="MODE",
        help="missing (call the judge for what is not recorded) or all (for everything)",
    )
    return parser


async def _measured(folder: Path, mode: RecordMode) -> str:
    answers = read_answers(folder / "answers.yaml")
    project = read_project_file(folder / "content_bias.yaml", os.environ, recording=mode.network)
    sender = HttpSender() if mode.network else None
    desk = Desk(project=project, cassettes=folder / "cassettes", mode=mode, sender=sender)
    try:
        judged = [_told(await desk.judge(answer), mode) for answer in answers]
        opined = [_told_score(await desk.opine(answer), mode) for answer in _to_be_opined(answers)]
    finally:
        if sender is not None:
            await sender.aclose()
    if all(one.status == "missing" for one in judged):
        raise ContentBiasError(f"none of {len(judged)} answers is recorded; {COMMAND} --record")
    return report(judged, opined, project.config.judge.model)


def _to_be_opined(answers: Sequence[Labelled]) -> list[Labelled]:
    """The first of each language and label, then the second of each."""
    plain = [
        answer
        for answer in answers
        if answer.half == "held_out" and answer.trait not in ("injection", "refusal")
    ]
    groups = [list(group) for _, group in groupby(sorted(plain, key=_group), key=_group)]
    return [group[rank] for rank in range(_OPINED) for group in groups if rank < len(group)]


def _group(answer: Labelled) -> tuple[str, str]:
    return answer.language, answer.label


def _told(judged: Judged, mode: RecordMode) -> Judged:
    verdict = judged.verdict
    said = f"{verdict.level:2} {verdict.bias:.2f}" if verdict else judged.status
    _tell(judged.labelled, said, mode)
    return judged


def _told_score(opined: Opined, mode: RecordMode) -> Opined:
    _tell(opined.labelled, f"score {opined.score and opined.score.value}", mode)
    return opined


def _tell(labelled: Labelled, said: str, mode: RecordMode) -> None:
    """Show that a recording goes on; replay is over at once."""
    if mode.network:
        print(f"{labelled.id:24} {labelled.label:8} {said}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
