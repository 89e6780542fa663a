"""Which calls a metric makes for a case when nothing has to be asked twice."""

from pytest_content_bias.vocabulary.case import Case
from pytest_content_bias.vocabulary.config import AnswerConfig, OpinionBiasConfig
from pytest_content_bias.vocabulary.names import PLAIN, BiasKind, MetricName

_VARIANTS = tuple(f"{role}/{kind}" for role in ("generator", "system") for kind in BiasKind)


def planned_slots(metric: str, case: Case, config: AnswerConfig) -> tuple[str, ...]:
    """The slots of a case's calls.

    Args:
        metric: the metric's name; of one that does not ship with the package nothing is known.
        case: the case.
        config: the metric's configuration.
    """
    if metric == MetricName.CONTENT_BIAS:
        return (*_VARIANTS, *(f"judge/{kind}" for kind in BiasKind))
    if isinstance(config, OpinionBiasConfig):
        return _opinion_slots(case, config)
    return ()


def _opinion_slots(case: Case, config: OpinionBiasConfig) -> tuple[str, ...]:
    plain = () if config.answers == "variants" else (PLAIN,)
    loaded = () if config.answers == "plain" else tuple(BiasKind)
    asked = tuple(f"system/{PLAIN}" for _ in plain if case.sut_response is None)
    stages = ("opinions", "opinion_verdicts")
    judged = tuple(f"judge/{stage}/{name}" for stage in stages for name in (*plain, *loaded))
    reason = ("judge/opinion_reason",) if config.include_reason else ()
    return (*(_VARIANTS if loaded else ()), *asked, *judged, *reason)
