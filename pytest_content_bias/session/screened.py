"""No secret is shown: what user code answers or raises may hold one."""

import json

from pytest_content_bias.cassettes.secrets import CUT_OFF, SecretScreen
from pytest_content_bias.vocabulary.errors import ContentBiasError
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
    if CUT_OFF not in text and not screen.touches(text):
        return result
    return CaseResult.model_validate(screen.redact_shown(json.loads(text)), strict=False)


def error_without_secrets(error: ContentBiasError, screen: SecretScreen | None) -> ContentBiasError:
    """An error in whose message every secret is replaced by a placeholder.

    Args:
        error: what went wrong.
        screen: knows the secrets; None: the project file that names them could not be read.
    """
    return error if screen is None else ContentBiasError(screen.redact_shown(str(error)))
