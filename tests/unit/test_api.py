"""`score_case`: one row in, one result out."""

import asyncio
from pathlib import Path

import pytest

import pytest_content_bias
from pytest_content_bias import ContentBiasError, score_case
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


def test_every_public_name_can_be_imported() -> None:
    assert sorted(pytest_content_bias.__all__) == pytest_content_bias.__all__
    for name in pytest_content_bias.__all__:
        assert getattr(pytest_content_bias, name).__name__ == name
    with pytest.raises(AttributeError):
        _ = pytest_content_bias.no_such_name
