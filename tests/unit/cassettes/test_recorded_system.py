"""A cassette says which system gave the answers that it holds."""

import difflib
import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest
import vcr  # type: ignore[import-untyped]

from pytest_content_bias.cassettes import vcr_serializer
from pytest_content_bias.cassettes.case_cassette import CaseCassette
from pytest_content_bias.cassettes.maintenance import rename, verify
from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.cassettes.tape import EDITED
from pytest_content_bias.vocabulary.calls import CallRequest
from pytest_content_bias.vocabulary.errors import CassetteError
from tests.unit.cassettes.cassette_helpers import (
    CASE_ID,
    COMMAND,
    FakeSender,
    ask,
    chat_body,
    chat_request,
    reply_of,
    service_request,
)

OLD = {"app/prompt.txt": "1234567890123456", "app/rag.py": "00e1000000000000"}
NEW = {**OLD, "app/prompt.txt": "fedcba9876543210"}
PLAIN, ONE_SIDED = "system/plain", "system/one_sided"

_runs = itertools.count()


def answering() -> FakeSender:
    return FakeSender(lambda request, number: reply_of(chat_body(f"to {request.slot}")))


def cassette(
    folder: Path,
    mode: str,
    system: Mapping[str, str] | None,
    *,
    secret: str = "not-in-use-at-all-1",
    sender: FakeSender | None = None,
) -> CaseCassette:
    return CaseCassette(
        folder / "wind-power.yaml",
        CASE_ID,
        RecordMode.parse(mode),
        sender or answering(),
        record_command=COMMAND,
        secrets=SecretScreen({"KEY": secret}),
        run=f"run {next(_runs)}",
        system=system,
    )


def record(folder: Path, mode: str, system: Mapping[str, str] | None, *slots: str) -> CaseCassette:
    made = cassette(folder, mode, system)
    ask(made, *map(call, slots))
    return made


def call(slot: str) -> CallRequest:
    return service_request("Why?", slot) if slot.startswith("system") else chat_request(slot)


def text(folder: Path) -> str:
    return (folder / "wind-power.yaml").read_text(encoding="utf-8")


def systems(folder: Path, mode: str = "none") -> list[Mapping[str, str]]:
    return cassette(folder, mode, None).recorded_systems()


def test_the_head_of_a_cassette_lists_the_fingerprint(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN)
    lines = text(tmp_path).splitlines()
    assert lines[4:8] == [
        "calls: 1",
        "system:",
        '  app/prompt.txt: "1234567890123456"',
        '  app/rag.py: "00e1000000000000"',
    ]
    assert lines[8].startswith("sealed: ")
    assert lines[9] == "interactions:"
    assert systems(tmp_path) == [OLD]


def test_a_cassette_without_answers_of_a_system_lists_none(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, "judge/plain")
    assert "system:" not in text(tmp_path)
    assert systems(tmp_path) == []


def test_answers_that_were_recorded_without_fingerprint_are_told_apart(tmp_path: Path) -> None:
    record(tmp_path, "missing", None, PLAIN)
    assert systems(tmp_path) == [{}]


def test_names_and_versions_of_any_kind_are_read_back(tmp_path: Path) -> None:
    odd = {"https://a.example:8/v": "v 1: #2", "git describe --tags": "yes", "ä\nb": "0x1"}
    record(tmp_path, "missing", odd, PLAIN)
    assert systems(tmp_path) == [odd]


def test_secrets_in_a_fingerprint_are_replaced_and_still_equal(tmp_path: Path) -> None:
    made = cassette(
        tmp_path, "missing", {"tool --key planted-12345678": "v1"}, secret="planted-12345678"
    )
    ask(made, call(PLAIN))
    assert "planted" not in text(tmp_path)
    assert systems(tmp_path) == [made.system]


def test_a_replay_changes_nothing(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN)
    before = text(tmp_path)
    for mode in ("none", "missing"):
        record(tmp_path, mode, NEW, PLAIN)
        assert text(tmp_path) == before


def test_the_same_answers_of_a_changed_system_change_the_changed_file_and_the_seal(
    tmp_path: Path,
) -> None:
    record(tmp_path, "missing", OLD, PLAIN, ONE_SIDED, "judge/plain")
    before = text(tmp_path)
    record(tmp_path, "system", NEW, PLAIN, ONE_SIDED, "judge/plain")
    diff = list(difflib.ndiff(before.splitlines(), text(tmp_path).splitlines()))
    assert [line[:20] for line in diff if line[0] in "+-"] == [
        "-   app/prompt.txt: ",
        "+   app/prompt.txt: ",
        "- sealed: " + before.partition("sealed: ")[2][:10],
        "+ sealed: " + text(tmp_path).partition("sealed: ")[2][:10],
    ]


def edit(folder: Path, old: str, new: str) -> None:
    assert old in text(folder)
    path = folder / "wind-power.yaml"
    path.write_bytes(text(folder).replace(old, new).encode())


def merge_of_two_branches(folder: Path) -> None:
    """Each branch changed another file, and had the same answers recorded anew."""
    record(folder, "missing", OLD, PLAIN, ONE_SIDED)
    edit(folder, OLD["app/prompt.txt"], NEW["app/prompt.txt"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1234567890123456", "1234567890123457"),
        ("  app/rag.py:", "  app/rug.py:"),
        ('"00e1000000000000"', "[what: is: this"),
        ("  app/prompt.txt: ", "  - "),
        ("\nsealed: ", "\n  sealed: "),
    ],
)
def test_a_fingerprint_that_was_edited_is_that_of_no_system(
    tmp_path: Path, old: str, new: str
) -> None:
    record(tmp_path, "missing", OLD, PLAIN)
    edit(tmp_path, old, new)
    assert systems(tmp_path) == [EDITED]


def test_a_merged_fingerprint_is_that_of_no_system(tmp_path: Path) -> None:
    merge_of_two_branches(tmp_path)
    assert systems(tmp_path) == [EDITED]


def test_an_answer_of_another_branch_is_not_taken_for_one_of_this_system(tmp_path: Path) -> None:
    other = FakeSender(lambda request, number: reply_of(chat_body("of the other branch")))
    ask(cassette(tmp_path / "theirs", "missing", NEW, sender=other), call(PLAIN))
    record(tmp_path, "missing", OLD, PLAIN)
    ours, theirs = (text(tmp_path / name).split("interactions:") for name in (".", "theirs"))
    (tmp_path / "wind-power.yaml").write_bytes(f"{ours[0]}interactions:{theirs[1]}".encode())
    assert systems(tmp_path) == [EDITED]


def test_a_merged_fingerprint_stays_one_until_the_system_is_asked_anew(tmp_path: Path) -> None:
    merge_of_two_branches(tmp_path)
    record(tmp_path, "missing", NEW, PLAIN, ONE_SIDED, "judge/plain")
    assert systems(tmp_path) == [EDITED]
    record(tmp_path, "system", NEW, PLAIN, ONE_SIDED, "judge/plain")
    assert systems(tmp_path) == [NEW]


def test_a_merged_fingerprint_is_found_without_running_anything(tmp_path: Path) -> None:
    folder = tmp_path / "cases" / "energy"
    merge_of_two_branches(folder)
    (problem,) = verify(tmp_path, [CASE_ID], SecretScreen({}))
    assert "wind-power.yaml:6: the fingerprint" in str(problem)


def test_what_is_asked_anew_is_not_held_against_the_earlier_system(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN)
    assert systems(tmp_path, "missing") == systems(tmp_path, "judge") == [OLD]
    assert systems(tmp_path, "system") == systems(tmp_path, "all") == []


def test_an_answer_of_the_earlier_system_that_was_not_asked_anew_is_not_kept(
    tmp_path: Path,
) -> None:
    record(tmp_path, "missing", OLD, PLAIN, ONE_SIDED, "judge/one_sided")
    record(tmp_path, "system", NEW, PLAIN)
    assert systems(tmp_path) == [NEW]
    slots = [line for line in text(tmp_path).splitlines() if line.startswith("- slot")]
    assert slots == ["- slot: system/plain", "- slot: judge/one_sided"]


def test_a_further_answer_does_not_make_the_others_newer(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN)
    record(tmp_path, "missing", NEW, PLAIN, ONE_SIDED)
    assert systems(tmp_path) == [OLD]
    record(tmp_path, "judge", NEW, PLAIN, ONE_SIDED, "system/justify_judge", "judge/plain")
    assert systems(tmp_path) == [OLD]


def test_a_recording_that_did_not_end_leaves_the_earlier_system_in_force(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN, ONE_SIDED)
    ask(cassette(tmp_path, "system", NEW), call(PLAIN), finish=False)
    assert systems(tmp_path) == [OLD]
    assert systems(tmp_path, "missing") == [NEW, OLD]


def test_a_recording_that_is_taken_up_by_a_third_system_keeps_nothing_of_the_second(
    tmp_path: Path,
) -> None:
    third = {**OLD, "app/rag.py": "3333333333333333"}
    ask(cassette(tmp_path, "system", NEW), call(PLAIN), finish=False)
    ask(cassette(tmp_path, "system", third), call(ONE_SIDED), finish=False)
    sender = answering()
    ask(cassette(tmp_path, "missing", third, sender=sender), call(PLAIN), call(ONE_SIDED))
    assert systems(tmp_path) == [third]
    assert sender.slots == [PLAIN]


def test_lines_are_counted_below_the_fingerprint(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN, ONE_SIDED)
    path = tmp_path / "wind-power.yaml"
    lines = text(tmp_path).splitlines()
    line = lines.index("- slot: system/one_sided") + 1
    path.write_text(text(tmp_path).replace("to system/one_sided", "to nothing"), encoding="utf-8")
    with pytest.raises(CassetteError, match=rf"wind-power\.yaml:{line}: "):
        ask(cassette(tmp_path, "none", OLD), call(ONE_SIDED))


def test_a_renamed_case_keeps_the_fingerprint(tmp_path: Path) -> None:
    folder = tmp_path / "cases" / "energy"
    record(folder, "missing", OLD, PLAIN)
    moved = rename(tmp_path, CASE_ID, "cases/energy.bias.yaml::wind")
    assert '  app/prompt.txt: "1234567890123456"' in moved.read_text(encoding="utf-8")


def test_stock_vcrpy_reads_a_cassette_with_a_fingerprint(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN)
    recorder = vcr.VCR(serializer="content-bias", record_mode="none")
    recorder.register_serializer("content-bias", vcr_serializer)
    with recorder.use_cassette(str(tmp_path / "wind-power.yaml")) as stock:
        assert len(stock) == 1


def test_a_changed_system_that_says_all_the_same_is_told_apart(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN, ONE_SIDED, "judge/one_sided")
    assert record(tmp_path, "system", OLD, PLAIN, ONE_SIDED).echoed == {}
    assert record(tmp_path, "system", NEW, PLAIN).echoed == OLD
    assert record(tmp_path, "system", NEW, PLAIN, ONE_SIDED).echoed == {}


def test_one_other_answer_is_enough_for_a_changed_system(tmp_path: Path) -> None:
    record(tmp_path, "missing", OLD, PLAIN, ONE_SIDED)
    sender = FakeSender(lambda request, number: reply_of(chat_body("x" * (request.slot == PLAIN))))
    changed = cassette(tmp_path, "system", NEW, sender=sender)
    ask(changed, call(PLAIN), call(ONE_SIDED))
    assert changed.echoed == {}
