"""Faults caused for real: killed processes, a full disk, folders that cannot be written, rivals."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import (
    THIS_RUN,
    FakeSender,
    ask,
    chat_body,
    chat_request,
    files_of_at_most,
    make_cassette,
    record,
    reply_of,
    text_of,
)

ROOT = Path(__file__).parents[3]
SLOTS = [
    f"{role}/{kind}"
    for role in ("generator", "system", "judge")
    for kind in ("one_sided", "amplify_downplay", "justify_judge")
]
REQUESTS = [chat_request(slot) for slot in SLOTS]

RECORDER = """
import os, sys
from pathlib import Path
from tests.unit.cassettes.cassette_helpers import *
from tests.unit.cassettes.test_recording_faults import REQUESTS

folder, mode, run = Path(sys.argv[1]), *sys.argv[2:4]
stop_at, signal_number = map(int, sys.argv[4:])

def answer(request, number):
    with open(folder / "paid.log", "a", encoding="utf-8") as log:
        log.write(request.slot + "\\n")
    if number == stop_at + 1:
        os.kill(os.getpid(), signal_number)
    return reply_of(chat_body(f"answer of {os.getpid()} to {request.slot}"))

ask(make_cassette(folder, mode, FakeSender(answer), run=run, patience=30), *REQUESTS)
"""


def recorder(
    folder: Path,
    mode: str = "missing",
    stop_at: int = -1,
    signal_number: int = 9,
    run: str = THIS_RUN,
) -> "subprocess.Popen[bytes]":
    """A process that records the case, and may be killed while a call is under way."""
    arguments = [str(folder), mode, run, str(stop_at), str(signal_number)]
    return subprocess.Popen(
        [sys.executable, "-c", RECORDER, *arguments], cwd=ROOT, stderr=subprocess.DEVNULL
    )


def paid(folder: Path) -> list[str]:
    """The slots of all calls that were paid."""
    return (folder / "paid.log").read_text(encoding="utf-8").split()


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("stop_at", [0, 1, 5, 8])
def test_every_reply_that_arrived_before_a_kill_is_kept(
    tmp_path: Path, stop_at: int, signal_number: int
) -> None:
    killed = recorder(tmp_path, stop_at=stop_at, signal_number=signal_number)
    assert killed.wait() == -signal_number

    sender = FakeSender()
    ask(make_cassette(tmp_path, "missing", sender), *REQUESTS)

    assert sender.slots == SLOTS[stop_at:]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["paid.log", "wind-power.yaml"]


def test_a_kill_while_everything_is_recorded_anew_loses_neither_old_nor_new(tmp_path: Path) -> None:
    path = record(tmp_path, *REQUESTS)
    before = path.read_bytes()

    assert recorder(tmp_path, "all", stop_at=5).wait() == -signal.SIGKILL

    assert path.read_bytes() == before
    sender = FakeSender()
    replies = ask(make_cassette(tmp_path, "missing", sender), *REQUESTS)
    assert sender.sent == []
    assert [text_of(reply).startswith("answer of ") for reply in replies] == [True] * 5 + [
        False
    ] * 4


def test_two_processes_that_record_one_case_pay_each_call_once(tmp_path: Path) -> None:
    processes = [recorder(tmp_path) for _ in range(2)]

    assert [process.wait() for process in processes] == [0, 0]

    assert sorted(paid(tmp_path)) == sorted(SLOTS)
    assert len(ask(make_cassette(tmp_path), *REQUESTS)) == len(SLOTS)


def test_two_workers_of_a_run_that_record_everything_anew_pay_each_call_once(
    tmp_path: Path,
) -> None:
    record(tmp_path, *REQUESTS)
    processes = [recorder(tmp_path, "all") for _ in range(2)]

    assert [process.wait() for process in processes] == [0, 0]

    assert sorted(paid(tmp_path)) == sorted(SLOTS)


def test_a_full_disk_is_noticed_before_a_call_is_paid(tmp_path: Path) -> None:
    path = record(tmp_path, REQUESTS[0])
    before, sender = path.read_bytes(), FakeSender()

    with files_of_at_most(30_000), pytest.raises(CassetteError) as error:
        ask(make_cassette(tmp_path, "missing", sender), *REQUESTS)

    assert sender.sent == []
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["wind-power.yaml"]
    assert "File too large" in str(error.value)
    assert "What was recorded before is kept" in str(error.value)


def test_a_disk_that_fills_up_while_recording_loses_no_paid_reply(tmp_path: Path) -> None:
    def answer(request: CallRequest, number: int) -> CallReply:
        return reply_of(chat_body("long answer " * 20_000))

    sender = FakeSender(answer)
    with files_of_at_most(500_000), pytest.raises(CassetteError):
        ask(make_cassette(tmp_path, "missing", sender), *REQUESTS)

    assert 0 < len(sender.sent) < len(REQUESTS)
    assert ask(make_cassette(tmp_path), *sender.sent)


def test_a_folder_that_cannot_be_written_is_noticed_before_a_call_is_paid(tmp_path: Path) -> None:
    (tmp_path / "cassettes").mkdir()
    sender = FakeSender()
    cassette = make_cassette(tmp_path / "cassettes", "missing", sender)
    (tmp_path / "cassettes").rmdir()
    (tmp_path / "cassettes").write_text("", encoding="utf-8")

    with pytest.raises(CassetteError, match="cannot be read: Not a directory"):
        ask(cassette, REQUESTS[0])

    assert sender.sent == []


def test_a_reply_that_could_not_be_brought_into_place_ends_the_case_and_is_not_paid_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", input_output_error)
    with pytest.raises(CassetteError, match="Input/output error"):
        ask(make_cassette(tmp_path, "missing", FakeSender()), REQUESTS[0])
    monkeypatch.undo()

    sender = FakeSender()
    ask(make_cassette(tmp_path, "missing", sender), *REQUESTS[:2])

    assert sender.slots == SLOTS[1:2]
    assert [path.name for path in tmp_path.iterdir()] == ["wind-power.yaml"]


def input_output_error(source: str, target: str) -> None:
    raise OSError(5, "Input/output error")


def test_a_locale_that_is_not_utf_8_changes_nothing(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    request = chat_request(content="Größe 😀 fair?")
    record(here, request)
    script = (
        "import sys, locale; from pathlib import Path;"
        "from tests.unit.cassettes.cassette_helpers import *;"
        "request = chat_request(content='Gr\\u00f6\\u00dfe \\U0001f600 fair?');"
        "record(Path(sys.argv[1]), request)"
    )

    subprocess.run(
        [sys.executable, "-c", script, str(there)],
        cwd=ROOT,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        check=True,
    )

    assert (here / "wind-power.yaml").read_bytes() == (there / "wind-power.yaml").read_bytes()
