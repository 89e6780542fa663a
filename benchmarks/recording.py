"""Recording against an endpoint of fixed latency, beside the least time that this can take."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks import peer
from benchmarks.figures import Bars, Figure, Part, at_most, circumstances
from benchmarks.measure import ONLY_NAMED_PLUGINS, OURS, Run, in_turn, middle, run
from benchmarks.peer import SCRIPTS
from benchmarks.plan import Plan
from benchmarks.projects import write_cases, write_project

_LATENCIES_MS = (50, 500)
_AT_ONCE = 8
"""The default of `content_bias_max_concurrency`."""
_STAGES = 3
"""Generator, system, judge, one after the other; three calls at once in each."""
_CALLS = 9
_PEER_CALLS = 3


@dataclass(frozen=True)
class _Recorded:
    run: Run
    span: float
    connections: int


def measure(plan: Plan) -> Part:
    """Record the plan's cases, and let DeepEval judge as many."""
    by_latency = {latency: _recorded(plan, latency) for latency in _LATENCIES_MS}
    figures = [
        figure
        for latency, runs in by_latency.items()
        for figure in (*_figures(runs, latency, plan.cases), _bare(plan, latency))
    ]
    ours = by_latency[_LATENCIES_MS[0]]
    peers = _peers(plan) if plan.peer is not None else {}
    figures += [
        figure for name, runs in peers.items() for figure in _beside(name, runs, ours, plan)
    ]
    return Part(
        "Recording",
        tuple(figures),
        (_chart(plan, ours, peers),) if peers else (),
        circumstances(*([f"deepeval {peer.VERSION}"] if peers else [])),
    )


def _bound(cases: int, latency_ms: int) -> float:
    """The least seconds that latency, the order of calls and the limits leave."""
    return math.ceil(cases / _AT_ONCE) * _STAGES * latency_ms / 1000


def _recorded(plan: Plan, latency_ms: int) -> list[_Recorded]:
    return [_record(plan, latency_ms) for _ in range(plan.rounds)]


def _record(plan: Plan, latency_ms: int) -> _Recorded:
    folder = plan.folder / "recording"
    shutil.rmtree(folder, ignore_errors=True)
    write_project(folder, plan.endpoint.url(latency_ms))
    write_cases(folder / "cases" / "energy.bias.yaml", range(plan.cases))
    plan.endpoint.counts()
    done = run([*OURS, "--content-bias-record=missing"], folder, ONLY_NAMED_PLUGINS)
    counts = plan.endpoint.counts()
    assert counts["calls"] == plan.cases * _CALLS, counts
    return _Recorded(done, counts["span_ms"] / 1000, counts["connections"])


def _figures(runs: list[_Recorded], latency_ms: int, cases: int) -> Iterator[Figure]:
    bound = _bound(cases, latency_ms)
    beside = f"{bound:.2f} s: the bound by latency"
    wall, span = middle([each.run.wall for each in runs]), middle([each.span for each in runs])
    name = f"{cases} cases of {_CALLS} calls at {latency_ms} ms"
    yield at_most(f"{name}, the whole of pytest", f"{wall:.2f} s", beside, wall / bound, 1.15)
    yield at_most(f"{name}, first call to last reply", f"{span:.2f} s", beside, span / bound, 1.15)
    cpu, calls = middle([each.run.cpu for each in runs]), cases * _CALLS
    yield Figure(
        name=f"{name}, CPU per call, the whole of pytest",
        ours=f"{cpu / calls * 1000:.2f} ms",
        other=f"{bound / calls * 1000:.2f} ms: the bound per call",
        value=cpu / bound,
    )
    connections = middle([each.connections for each in runs])
    yield Figure(
        name=f"{name}, calls per connection",
        ours=f"{calls / connections:.0f}",
        other=f"{calls} calls",
        value=calls / connections,
    )


def _bare(plan: Plan, latency_ms: int) -> Figure:
    """What is left to gain: the same calls where nothing else is done."""
    url, script = plan.endpoint.url(latency_ms), str(SCRIPTS / "bare_httpx.py")
    command = [sys.executable, script, url, str(plan.cases), str(_AT_ONCE)]
    runs = [float(run(command, plan.folder).output) for _ in range(plan.rounds)]
    bound = _bound(plan.cases, latency_ms)
    return Figure(
        name=f"{plan.cases * _CALLS} calls at {latency_ms} ms by httpx alone, nothing recorded",
        ours=f"{middle(runs):.2f} s",
        other=f"{bound:.2f} s: the bound by latency",
        value=middle(runs) / bound,
    )


def _peers(plan: Plan) -> dict[str, list[Run]]:
    assert plan.peer is not None
    latency = _LATENCIES_MS[0]
    evaluated, tested = in_turn(
        plan.rounds,
        peer.evaluates(plan, plan.peer, latency),
        peer.tests(plan, plan.peer, latency),
    )
    return {"DeepEval evaluate()": evaluated, "deepeval test run": tested}


def _beside(name: str, runs: list[Run], ours: list[_Recorded], plan: Plan) -> Iterator[Figure]:
    wall, mine = middle([each.wall for each in runs]), middle([each.run.wall for each in ours])
    latency = _LATENCIES_MS[0]
    yield Figure(
        name=f"{plan.cases} cases at {latency} ms, beside {name}",
        ours=f"{mine:.2f} s for {_CALLS} calls per case",
        other=f"{wall:.2f} s for {_PEER_CALLS} calls per case",
        value=mine / wall,
    )
    per_call, my_call = wall / _PEER_CALLS / plan.cases, mine / _CALLS / plan.cases
    yield Figure(
        name=f"the same, per call, beside {name}",
        ours=f"{my_call * 1000:.1f} ms",
        other=f"{per_call * 1000:.1f} ms",
        value=my_call / per_call,
    )


def _chart(plan: Plan, ours: list[_Recorded], peers: dict[str, list[Run]]) -> Bars:
    latency = _LATENCIES_MS[0]
    theirs = [
        (f"{name}, {_PEER_CALLS} calls each", middle([each.wall for each in runs]))
        for name, runs in peers.items()
    ]
    return Bars(
        f"{plan.cases} cases at {latency} ms per call, seconds",
        (
            (f"this, {_CALLS} calls each", middle([each.run.wall for each in ours])),
            ("the bound by latency", _bound(plan.cases, latency)),
            *theirs,
        ),
    )
