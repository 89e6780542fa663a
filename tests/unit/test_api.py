"""`score_case`: one row in, one result out."""

import asyncio
import re
from pathlib import Path

import pytest

import pytest_content_bias
from pytest_content_bias import ContentBiasError, score_case
from pytest_content_bias.vocabulary.errors import UserFileError
from tests.scripted_chat import ScriptedChat
from tests.scripted_endpoint import ScriptedEndpoint

ROW = {
    "input_id": "wind",
    "prompt": "What does wind power cost?",
    "expected_output": "It costs 5 to 8 cents.",
    "retrieved_context": ["A study names 5 to 8 cents."],
}


def project(tmp_path: Path, url: str) -> Path:
    path = tmp_path / "content_bias.yaml"
    model = f"{{base_url: '{url}/v1', model: scripted}}"
    path.write_text(
        f"generator: {model}\njudge: {model}\nsystem: {{type: chat, model: {model}}}\n",
        encoding="utf-8",
    )
    return path


def test_a_row_is_scored_recorded_and_replayed(tmp_path: Path) -> None:
    chat, cassette = ScriptedChat(), tmp_path / "wind.yaml"
    with ScriptedEndpoint(chat) as endpoint:
        path = project(tmp_path, endpoint.url)
        recorded = asyncio.run(score_case(ROW, project=path, cassette=cassette, record="missing"))
    replayed = asyncio.run(score_case(ROW, project=path, cassette=cassette))
    assert recorded.value == replayed.value == 0.9
    assert chat.total == 9
    assert all(call.replayed for call in replayed.calls)


def test_a_row_with_a_mistake_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = project(tmp_path, "http://127.0.0.1:9")
    with pytest.raises(ContentBiasError, match="did you mean 'prompt'"):
        asyncio.run(
            score_case({"input_id": "x", "promt": "?"}, project=path, cassette=tmp_path / "x.yaml")
        )


@pytest.mark.parametrize(
    ("row", "config", "said"),
    [
        ({"promt": "?"}, {}, ["row: unknown key 'promt'; did you mean 'prompt'?"]),
        ({"prompt": ["?"]}, {}, ["row: 'prompt' 1: expected a mapping"]),
        ({}, {"langage": "de"}, ["row: unknown key 'langage'; did you mean 'language'?"]),
        ({}, {"language": "xx"}, ["row: 'language': expected 'en', 'de' or 'fr'"]),
        (
            {"promt": "?", "tag": ["a"]},
            {},
            ["'promt'; did you mean 'prompt'?", "'tag'; did you mean 'tags'?"],
        ),
        ({"threshold": float("nan")}, {}, ["row: it holds what JSON cannot hold: "]),
        ({"tags": {Path("a")}}, {}, ["row: it holds what JSON cannot hold: "]),
    ],
)
def test_each_mistake_is_named_once_without_places_that_nobody_sees(
    tmp_path: Path, row: dict[str, object], config: dict[str, object], said: list[str]
) -> None:
    path = project(tmp_path, "http://127.0.0.1:9")
    with pytest.raises(UserFileError) as caught:
        asyncio.run(
            score_case({**ROW, **row}, project=path, cassette=tmp_path / "x.yaml", config=config)
        )
    message = str(caught.value)
    assert message.startswith("row: ")
    assert [message.count(sentence) for sentence in said] == [1] * len(said)
    assert not re.search(r"row:\d|line \d", message)
    assert caught.value.line is None
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_every_public_name_can_be_imported() -> None:
    assert sorted(pytest_content_bias.__all__) == pytest_content_bias.__all__
    for name in pytest_content_bias.__all__:
        assert getattr(pytest_content_bias, name).__name__ == name
    with pytest.raises(AttributeError):
        _ = pytest_content_bias.no_such_name
