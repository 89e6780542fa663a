"""No secret is shown: what user code answers or raises may hold one."""

import json

from pytest_content_bias.cassettes.secrets import SecretScreen
from pytest_content_bias.vocabulary.run import CaseResult


def without_secrets(result: CaseResult, screen: SecretScreen | None) -> CaseResult:
    """A result in which every secret is replaced by a placeholder.

    Args:
        result: one case, gated.
        screen: knows the secrets; None: the project file that names them could not be read.
    """
    if screen is None:
        return result
    text = result.model_dump_json()
    if not screen.touches(text):
        return result
    return CaseResult.model_validate(screen.redact_json(json.loads(text)), strict=False)
