"""What a recording would pay, found out without a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pytest_content_bias.cassettes.modes import RecordMode
from pytest_content_bias.session.budget import cost_of, usage_of
from pytest_content_bias.vocabulary.calls import CallReply, CallRequest, Usage
from pytest_content_bias.vocabulary.errors import MissingRecording
from pytest_content_bias.vocabulary.names import Role
from pytest_content_bias.vocabulary.project import Price
from pytest_content_bias.vocabulary.protocols import Exchange


@dataclass
class DryRun:
    """Counts what a whole run would pay.

    Attributes:
        calls: role to calls that would be paid, at most.
        tokens: role to the tokens of recorded calls: what a call of that role takes.
        prices: role to price, where one is configured.
    """

    calls: Counter[Role] = field(default_factory=Counter)
    tokens: dict[Role, list[Usage]] = field(default_factory=dict)
    prices: dict[Role, Price] = field(default_factory=dict)
    _counted: set[tuple[str, str]] = field(default_factory=set)

    def add(self, case_id: str, slots: Iterable[str], prices: Mapping[Role, Price]) -> str:
        """Count the calls of one metric of a case, and say what they are.

        What another metric of the case asks for, too, is counted once: they share its cassette.
        """
        places = {(case_id, slot) for slot in slots} - self._counted
        self._counted |= places
        own = Counter(Role(slot.partition("/")[0]) for _, slot in places)
        self.calls.update(own)
        self.prices.update(prices)
        listed = ", ".join(f"{role} {own[role]}" for role in Role if own[role])
        return f"would pay at most {own.total()} calls" + (f": {listed}" if listed else "")

    def lines(self) -> Iterator[str]:
        """What the terminal shows at the end."""
        for role in Role:
            yield f"{role}: at most {self.calls[role]} calls{self._cost(role)}"
        yield (
            f"dry run: at most {self.calls.total()} calls would be paid, and two more for each "
            "reply that has to be asked for again; nothing was called"
        )

    def _cost(self, role: Role) -> str:
        count, price, seen = self.calls[role], self.prices.get(role), self.tokens.get(role)
        if not count:
            return ""
        if price is None:
            return ", no price configured"
        if not seen:
            return ", cost unknown: no call of this role is recorded yet"
        each = sum(cost_of(usage, price) for usage in seen) / len(seen)
        return f", about {count * each:.4g} by the tokens of {len(seen)} recorded calls"


class DryExchange:
    """An exchange that replays and notes what it replayed; what is to be called anew is a miss.

    Args:
        inner: the case's cassette, replaying only.
        mode: what would be called anew.
        run: where tokens of recorded calls are kept.
    """

    def __init__(self, inner: Exchange, mode: RecordMode, run: DryRun) -> None:
        self._inner, self._mode, self._run = inner, mode, run
        self.replayed: set[str] = set()

    async def call(self, request: CallRequest) -> CallReply:
        """Replay a call.

        Raises:
            MissingRecording: it would be paid.
        """
        reply = await self._inner.call(request)
        self._run.tokens.setdefault(request.role, []).append(usage_of(reply.body))
        if self._mode.anew(request.role):
            raise MissingRecording(f"{request.slot} would be called anew")
        self.replayed.add(request.slot)
        return reply
