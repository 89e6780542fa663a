"""pytest-recording and pytest-vcr: their cassettes and ours know nothing of each other."""

import pytest

from tests.integration.conftest import CALLS
from tests.neighbours.conftest import Move, Neighbourhood

ASK = """
import httpx, pytest, vcr

def ask(word):
    body = {"messages": [{"role": "user", "content": word}]}
    return httpx.post("%s/v1/chat/completions", json=body, trust_env=False).status_code
"""
"""Asks the endpoint that plays the models of the cases, too."""
OWN_TEST = """
@pytest.mark.vcr
def test_own():
    assert ask("theirs") == 200
"""
SESSION_FIXTURE = """
@pytest.fixture(scope="session", autouse=True)
def outer():
    with vcr.use_cassette("outer.yaml", record_mode="{mode}"):
        yield

def test_first():
    {active}
"""
LEAK = """
leaked = vcr.use_cassette("outer.yaml", record_mode="{mode}")

def test_first():
    leaked.__enter__()
    {active}
"""
ACTIVE = {
    "all": 'assert ask("outer") == 200',
    "none": """with pytest.raises(vcr.errors.CannotOverwriteExistingCassetteException):
        ask("outer")""",
}
"""Shows that the cassette is at work in that mode."""
APP = """
import httpx

def answer(question):
    body = {"model": "small", "messages": [{"role": "user", "content": question}]}
    reply = httpx.post("%s/v1/chat/completions", json=body, trust_env=False).json()
    return reply["choices"][0]["message"]["content"]
"""
BLOCKED = """
import pytest, socket

def test_the_network_is_blocked():
    with socket.socket() as one, pytest.raises(RuntimeError, match="disabled"):
        one.connect(("127.0.0.1", 9))
"""
MODES = {"recording": "--record-mode", "vcr": "--vcr-record"}
"""Each plugin's option for the mode of its own cassettes."""
PLACES = ("a_first", "cases", "functions", "z_last")
"""What runs, in this order: the middle two are cases of a `chat` and of a `python` system."""


def project(beside: Move, neighbour: str) -> Neighbourhood:
    """Cases of two kinds of systems, and then a test that has a cassette of its own."""
    made = beside(neighbour)
    made.cases("coal", file="functions/coal.bias.yaml")
    made.write("functions/app.py", APP % made.endpoint.url)
    made.configure(folder="functions", system="{type: python, target: 'app:answer'}")
    made.write("z_last/test_own.py", ASK % made.endpoint.url + OWN_TEST)
    return made


def theirs(made: Neighbourhood) -> str:
    """The cassette of the neighbour's own test."""
    (path,) = (made.path / "z_last").rglob("test_own.yaml")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("neighbour", ["recording", "vcr"])
def test_each_records_its_own_calls_once_and_replays_them(beside: Move, neighbour: str) -> None:
    made = project(beside, neighbour)
    result = made.run(f"{MODES[neighbour]}=once", "--content-bias-record=missing")
    result.assert_outcomes(passed=3)
    assert made.chat.total == 2 * CALLS + 1
    made.run(f"{MODES[neighbour]}=none").assert_outcomes(passed=3)
    assert made.chat.total == 2 * CALLS + 1
    assert theirs(made).count("uri:") == 1
    recorded = [
        path.read_text(encoding="utf-8")
        for path in (made.path / "cassettes").rglob("*")
        if path.is_file()
    ]
    assert len(recorded) == 2
    assert not any("theirs" in text for text in recorded)


@pytest.mark.parametrize("neighbour", ["recording", "vcr"])
def test_the_neighbours_recording_mode_records_no_case(beside: Move, neighbour: str) -> None:
    made = project(beside, neighbour)
    made.run(f"{MODES[neighbour]}=all").assert_outcomes(passed=1, errors=2)
    assert made.chat.total == 1


@pytest.mark.parametrize(
    ("mode", "source"),
    [("all", SESSION_FIXTURE), ("none", SESSION_FIXTURE), ("all", LEAK), ("none", LEAK)],
    ids=["session-all", "session-none", "leaked-all", "leaked-none"],
)
def test_an_active_cassette_changes_neither_recording_nor_replay(
    beside: Move, source: str, mode: str
) -> None:
    made = project(beside, "recording")
    text = ASK % made.endpoint.url + source.format(mode=mode, active=ACTIVE[mode])
    made.write("a_first/test_first.py", text)
    outer = int(mode == "all")
    arguments = (*PLACES, "--record-mode=once")
    made.run(*arguments, "--content-bias-record=missing").assert_outcomes(passed=4)
    assert made.chat.total == 2 * CALLS + 1 + outer
    made.run(*arguments).assert_outcomes(passed=4)
    assert made.chat.total == 2 * CALLS + 1 + 2 * outer
    assert theirs(made).count("uri:") == 1
    if source is SESSION_FIXTURE and outer:
        kept = (made.path / "outer.yaml").read_text(encoding="utf-8")
        assert kept.count("uri:") == kept.count('"outer"') == 1


def test_a_blocked_network_forces_replay_whatever_is_to_be_recorded(beside: Move) -> None:
    made = beside("recording")
    made.write("z_last/test_own.py", BLOCKED)
    made.record_alone("cases")
    before = made.cassette("wind").read_bytes()
    result = made.run("--block-network", "--content-bias-record=all")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["warning: --block-network forbids the network: *--content-bias-record=all *"]
    )
    assert made.chat.total == 0
    assert made.cassette("wind").read_bytes() == before
