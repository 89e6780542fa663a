"""From configuration to chat model."""

from pytest_content_bias.models.anthropic import AnthropicChat
from pytest_content_bias.models.openai import OpenAIChat
from pytest_content_bias.vocabulary.project import ModelConfig
from pytest_content_bias.vocabulary.protocols import ChatModel

_PROVIDERS = {"openai": OpenAIChat, "anthropic": AnthropicChat}


def chat_model(config: ModelConfig) -> ChatModel:
    """The chat model that a configuration describes."""
    return _PROVIDERS[config.provider](config)
