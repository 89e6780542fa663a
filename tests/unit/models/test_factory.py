import pytest

from pytest_content_bias.models.anthropic import AnthropicChat
from pytest_content_bias.models.factory import chat_model
from pytest_content_bias.models.openai import OpenAIChat
from pytest_content_bias.vocabulary.project import ModelConfig


@pytest.mark.parametrize(
    ("provider", "kind"), [("openai", OpenAIChat), ("anthropic", AnthropicChat)]
)
def test_each_provider_has_its_chat_model(provider: str, kind: type) -> None:
    config = ModelConfig.model_validate({"provider": provider, "model": "m"})
    model = chat_model(config)
    assert isinstance(model, kind)
    assert model.name == "m"
