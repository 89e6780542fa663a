"""A pytest plugin that gates pull requests on content bias.

Everything public is listed in `__all__`; it is imported when it is first used, so that a project
that merely has the plugin installed does not pay for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_content_bias.api import score_case
    from pytest_content_bias.vocabulary.calls import CallRecord, CallReply, CallRequest
    from pytest_content_bias.vocabulary.case import Case, Message
    from pytest_content_bias.vocabulary.config import ContentBiasRAGConfig, OpinionBiasConfig
    from pytest_content_bias.vocabulary.errors import ContentBiasError
    from pytest_content_bias.vocabulary.protocols import (
        Bench,
        ChatModel,
        Completion,
        Exchange,
        Question,
        System,
    )
    from pytest_content_bias.vocabulary.run import CaseResult, RunReport
    from pytest_content_bias.vocabulary.score import Answer, CaseScore, Verdict

__all__ = [
    "Answer",
    "Bench",
    "CallRecord",
    "CallReply",
    "CallRequest",
    "Case",
    "CaseResult",
    "CaseScore",
    "ChatModel",
    "Completion",
    "ContentBiasError",
    "ContentBiasRAGConfig",
    "Exchange",
    "Message",
    "OpinionBiasConfig",
    "Question",
    "RunReport",
    "System",
    "Verdict",
    "score_case",
]

_HOMES = {
    "api": ["score_case"],
    "vocabulary.calls": ["CallRecord", "CallReply", "CallRequest"],
    "vocabulary.case": ["Case", "Message"],
    "vocabulary.config": ["ContentBiasRAGConfig", "OpinionBiasConfig"],
    "vocabulary.errors": ["ContentBiasError"],
    "vocabulary.protocols": [
        "Bench",
        "ChatModel",
        "Completion",
        "Exchange",
        "Question",
        "System",
    ],
    "vocabulary.run": ["CaseResult", "RunReport"],
    "vocabulary.score": ["Answer", "CaseScore", "Verdict"],
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
