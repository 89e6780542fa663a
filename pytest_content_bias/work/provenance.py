"""Where a score comes from: prompts, models, calls and dates."""

from collections.abc import Iterable, Sequence
from typing import Any

from pytest_content_bias.vocabulary.calls import CallRecord
from pytest_content_bias.vocabulary.config import AnswerConfig
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.protocols import Bench

_ROLE_ORDER = list(Role)


def provenance(
    bench: Bench, config: AnswerConfig, prompts: Iterable[str], records: Sequence[CallRecord]
) -> dict[str, Any]:
    """The fields of a CaseScore that say where it comes from, the same for every metric.

    Args:
        bench: the case at work.
        config: the metric's configuration.
        prompts: names of the prompts that the score rests on.
        records: the calls that were made, in any order.
    """
    calls = sorted(records, key=lambda record: (_ROLE_ORDER.index(record.role), record.slot))
    roles = {
        Role.GENERATOR: bench.roles.generator,
        Role.SYSTEM: bench.roles.system,
        Role.JUDGE: bench.roles.judge,
    }
    dates = [call.recorded for call in calls if call.recorded]
    return {
        "language": config.language,
        "reported_name": config.metric_name,
        "weight": config.weight,
        "scoring": bench.roles.scoring,
        "prompts": {name: bench.prompts.get(config.language, name).sha256 for name in prompts},
        "models": {str(role): player.name for role, player in roles.items() if player},
        "calls": tuple(calls),
        "recorded_at": min(dates, default=None),
    }
