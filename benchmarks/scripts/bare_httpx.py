"""Makes as many calls as a recording, in the same order, with nothing but httpx.

python bare_httpx.py URL CASES AT_ONCE      prints the seconds from the first call to the last reply
"""

import asyncio
import json
import sys
import time

import httpx

STAGES, PER_STAGE = 3, 3
BODY = json.dumps({"model": "scripted", "messages": [{"role": "user", "content": "word " * 600}]})


async def calls(url: str, cases: int, at_once: int) -> float:
    room = asyncio.Semaphore(at_once)
    limits = httpx.Limits(max_connections=at_once * PER_STAGE)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:

        async def call() -> None:
            headers = {"content-type": "application/json"}
            reply = await client.post(f"{url}/chat/completions", content=BODY, headers=headers)
            assert reply.json()["choices"]

        async def case() -> None:
            async with room:
                for _ in range(STAGES):
                    await asyncio.gather(*(call() for _ in range(PER_STAGE)))

        started = time.perf_counter()
        await asyncio.gather(*(case() for _ in range(cases)))
        return time.perf_counter() - started


if __name__ == "__main__":
    print(asyncio.run(calls(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
