"""What a project pays that merely has the plugin installed."""

from __future__ import annotations

from benchmarks import peer
from benchmarks.figures import Bars, Part, at_most, circumstances
from benchmarks.measure import PYTEST, Run, in_turn, middle, run
from benchmarks.plan import Plan
from benchmarks.projects import write_one_test

_OTHERS = ("hypothesispytest", "anyio", "xdist", "xdist.looponfail")
"""Plugins that may be installed here; they would only add noise."""
_LEAST_ROUNDS = 20
"""Runs are short, and the difference is small."""


def measure(plan: Plan) -> Part:
    """Time pytest on one test, with the plugin and without."""
    folder = plan.folder / "unused"
    write_one_test(folder)
    command = [*PYTEST, *(part for name in _OTHERS for part in ("-p", f"no:{name}"))]
    run(command, folder)
    without, with_plugin = in_turn(
        max(plan.rounds, _LEAST_ROUNDS if plan.rounds > 1 else 1),
        lambda: run([*command, "-p", "no:content_bias"], folder),
        lambda: run(command, folder),
    )
    ours, base = _added(without, with_plugin), middle([each.cpu for each in without])
    figure = at_most(
        "CPU added to a run that has no case file",
        f"{ours * 1000:.1f} ms",
        f"{base * 1000:.0f} ms: pytest without the plugin",
        ours * 1000,
        10,
    )
    bars = [("pytest-content-bias", ours * 1000)]
    if plan.peer is not None:
        theirs = _added(
            *in_turn(
                plan.rounds,
                peer.unused(plan, plan.peer, "-p", "no:deepeval"),
                peer.unused(plan, plan.peer),
            )
        )
        bars.append((f"DeepEval {peer.VERSION}", theirs * 1000))
    chart = Bars("CPU that an unused plugin adds to pytest, ms", tuple(bars))
    return Part("Unused", (figure,), (chart,), circumstances())


def _added(without: list[Run], with_plugin: list[Run]) -> float:
    """The median difference of CPU seconds within pairs."""
    return middle([one.cpu - other.cpu for one, other in zip(with_plugin, without, strict=True)])
