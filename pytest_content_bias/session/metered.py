"""A sender that keeps to the run's budget."""

from collections.abc import Mapping

from pytest_content_bias.session.budget import Budget
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.project import ChatSystemConfig, Price, ProjectConfig
from pytest_content_bias.vocabulary.protocols import Sender

FREE = Price(input=0, output=0)
"""Of calls whose cost nobody knows here: those to a service, and those of the user's own code."""


class MeteredSender:
    """Sends calls that the budget admits, and notes what they cost.

    Args:
        inner: who sends.
        budget: the run's budget.
        prices: of the roles' models.
    """

    def __init__(self, inner: Sender, budget: Budget, prices: Mapping[Role, Price]) -> None:
        self._inner, self._budget, self._prices = inner, budget, prices

    async def send(self, request: CallRequest) -> CallReply:
        """Send a call.

        Raises:
            CallsStopped: the budget does not admit it; nothing was sent.
            CallError: as the inner sender.
        """
        price = self._prices.get(request.role)
        set_aside = self._budget.admit(request, price)
        reply: CallReply | None = None
        try:
            reply = await self._inner.send(request)
            return reply
        finally:
            self._budget.settle(set_aside, reply, price)


def prices_of(config: ProjectConfig) -> dict[Role, Price]:
    """The prices that a project file names, by role; a system that is no model costs nothing."""
    chat = isinstance(config.system, ChatSystemConfig)
    models = {
        Role.GENERATOR: config.generator,
        Role.SYSTEM: config.system.model if isinstance(config.system, ChatSystemConfig) else None,
        Role.JUDGE: config.judge,
    }
    prices = {role: model.price for role, model in models.items() if model and model.price}
    return prices if chat else {**prices, Role.SYSTEM: FREE}
