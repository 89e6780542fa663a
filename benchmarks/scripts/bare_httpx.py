"""Makes as many calls as a recording, in the same order, with nothing but httpx.

Each call in flight has a client of its own: one that all share looks at each of its connections for
each call, which takes three times as long.

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
    room, tls = asyncio.Semaphore(at_once), httpx.create_ssl_context()
    idle = [httpx.AsyncClient(verify=tls, timeout=60) for _ in range(at_once * PER_STAGE)]

    async def call() -> None:
        client = idle.pop()
        headers = {"content-type": "application/json"}
        reply = await client.post(f"{url}/chat/completions", content=BODY, headers=headers)
        assert reply.json()["choices"]
        idle.append(client)

    async def case() -> None:
        async with room:
            for _ in range(STAGES):
                await asyncio.gather(*(call() for _ in range(PER_STAGE)))

    started = time.perf_counter()
    await asyncio.gather(*(case() for _ in range(cases)))
    ended = time.perf_counter()
    await asyncio.gather(*(client.aclose() for client in idle))
    return ended - started


if __name__ == "__main__":
    print(asyncio.run(calls(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
