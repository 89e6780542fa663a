"""Replays cases as people do with vcrpy: one `use_cassette` and one httpx client for each.

python naive_vcr.py FOLDER      a project's folder; its cassettes are rewritten for vcrpy first
python naive_vcr.py FOLDER go   replays what was rewritten, and prints the seconds of CPU
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import vcr  # type: ignore[import-untyped]
import yaml
from vcr.serializers import yamlserializer  # type: ignore[import-untyped]

from pytest_content_bias.cassettes import vcr_serializer

MATCH_ON = ("method", "scheme", "host", "port", "path", "query", "body")


def rewrite(source: Path, target: Path) -> None:
    for path in sorted(source.glob("cassettes/**/*.yaml")):
        value = vcr_serializer.deserialize(path.read_text(encoding="utf-8"))
        (target / path.name).write_text(yamlserializer.serialize(value), encoding="utf-8")


async def replay(path: Path, requests: list[dict[str, Any]]) -> None:
    async with httpx.AsyncClient() as client:
        replies = await asyncio.gather(
            *(
                client.post(
                    request["uri"],
                    content=request["body"],
                    headers={"content-type": "application/json"},
                )
                for request in requests
            )
        )
    assert all(reply.json()["choices"] for reply in replies)


def replay_all(folder: Path) -> float:
    spent = 0.0
    for path in sorted(folder.glob("*.yaml")):
        recorded = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        requests = [interaction["request"] for interaction in recorded["interactions"]]
        started = time.process_time()
        with vcr.use_cassette(str(path), record_mode="none", match_on=MATCH_ON):
            asyncio.run(replay(path, requests))
        spent += time.process_time() - started
    return spent


if __name__ == "__main__":
    stock = Path(sys.argv[1]) / "stock"
    stock.mkdir(exist_ok=True)
    if sys.argv[2:]:
        print(replay_all(stock))
    else:
        rewrite(Path(sys.argv[1]), stock)
