"""The slowest cases and calls of a run."""

from collections.abc import Iterator

from pytest_content_bias.vocabulary.run import RunReport


def slowest_lines(report: RunReport, count: int) -> Iterator[str]:
    """Lines for the terminal.

    Args:
        report: the run.
        count: how many cases and how many calls to show; 0: none.
    """
    if count == 0:
        return
    yield f"slowest {count} cases (seconds in this run)"
    for result in sorted(report.results, key=lambda result: -result.duration)[:count]:
        yield f"  {result.duration:8.2f} s  {result.node_id}"
    yield f"slowest {count} calls (as recorded)"
    calls = [
        (call.latency_ms, result.node_id, call.slot)
        for result in report.results
        for call in result.calls
    ]
    for latency, node_id, slot in sorted(calls, reverse=True)[:count]:
        yield f"  {latency / 1000:8.2f} s  {node_id} {slot}"
