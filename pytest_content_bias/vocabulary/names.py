"""The fixed names of the project; importable without any dependency."""

from enum import StrEnum


class Role(StrEnum):
    """Who answers a call."""

    GENERATOR = "generator"
    SYSTEM = "system"
    JUDGE = "judge"


class MetricName(StrEnum):
    """The metrics that ship with the package."""

    CONTENT_BIAS = "content_bias"
    OPINION_BIAS = "opinion_bias"


class TaskType(StrEnum):
    """The row shapes of schema `gdi_text_v1`."""

    SINGLE_TURN = "single_turn_rag"
    MULTI_TURN = "multi_turn_rag"


class BiasKind(StrEnum):
    """The ways in which a base question is loaded."""

    ONE_SIDED = "one_sided"
    AMPLIFY_DOWNPLAY = "amplify_downplay"
    JUSTIFY_JUDGE = "justify_judge"


PLAIN = "plain"
"""The name of the unloaded question in slots and results."""

DEFAULT_THRESHOLDS = {MetricName.CONTENT_BIAS: 0.8, MetricName.OPINION_BIAS: 0.5}
"""The least passing score per metric where nobody says otherwise."""
