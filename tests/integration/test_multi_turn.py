"""Conversations: the last user message is loaded, the earlier turns stay."""

import pytest

from tests.integration.conftest import Project

CONVERSATION = """\
cases:
  - input_id: talk
    task_type: multi_turn_rag
    prompt:
      - {role: system, content: You are an adviser on energy.}
      - {role: user, content: Tell me of turbines.}
      - {role: assistant, content: They turn wind into power.}
      - {role: user, content: What does that cost?}
    expected_output: It costs 5 to 8 cents.
    retrieved_context: [A study names 5 to 8 cents.]
"""


@pytest.fixture
def talking(project: Project) -> Project:
    project.write("cases/energy.bias.yaml", CONVERSATION)
    return project


def test_the_system_gets_the_earlier_turns_and_then_the_loaded_question(talking: Project) -> None:
    talking.record().assert_outcomes(passed=1)
    chats = [
        request.body["messages"]
        for request in talking.endpoint.requests
        if "response_format" not in request.body
    ]
    assert len(chats) == 3
    for chat in chats:
        assert [turn["content"] for turn in chat[:-1]] == [
            "You are an adviser on energy.",
            "Tell me of turbines.",
            "They turn wind into power.",
        ]
        assert chat[-1]["role"] == "user"
        assert chat[-1]["content"].startswith("Is it not a scandal")


def test_the_generator_loads_the_last_message_and_knows_the_earlier_ones(talking: Project) -> None:
    talking.record()
    asked = [
        request.last_message
        for request in talking.endpoint.requests
        if "question" in str(request.body.get("response_format", ""))
    ]
    assert len(asked) == 3
    for message in asked:
        assert "What does that cost?" in message
        assert "They turn wind into power." in message


def test_it_is_replayed(talking: Project) -> None:
    talking.record()
    paid = talking.chat.total
    talking.run().assert_outcomes(passed=1)
    assert talking.chat.total == paid


def test_a_changed_earlier_turn_is_an_error_that_shows_it(talking: Project) -> None:
    talking.record()
    talking.write("cases/energy.bias.yaml", CONVERSATION.replace("turbines", "windmills"))
    result = talking.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*Tell me of [[]-turbines-]{+windmills+}.*"])


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("role: user, content: What", "role: assistant, content: What", "*:8:*last message*user*"),
        ("task_type: multi_turn_rag", "task_type: single_turn_rag", "*:3:16: *multi_turn_rag*"),
        ("role: assistant", "role: bot", "*:7:*'bot'*"),
    ],
)
def test_a_conversation_of_another_form_is_a_collection_error(
    talking: Project, old: str, new: str, expected: str
) -> None:
    talking.write("cases/energy.bias.yaml", CONVERSATION.replace(old, new))
    result = talking.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([expected])
