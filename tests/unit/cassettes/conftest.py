"""An endpoint for the system's own code."""

from collections.abc import Iterator

import pytest

from tests.scripted_endpoint import ScriptedEndpoint
from tests.user_stage import echo


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    """Says the last message again; modules that need another one define it."""
    with ScriptedEndpoint(echo) as endpoint:
        yield endpoint
