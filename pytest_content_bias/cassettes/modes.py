"""What a run may call, and what it replays."""

import difflib
from typing import NamedTuple, Self

from pytest_content_bias.vocabulary.errors import SettingsError
from pytest_content_bias.vocabulary.names import Role

_WORDS = ("none", "missing", "all", *Role)


class RecordMode(NamedTuple):
    """A recording mode.

    Attributes:
        name: `none` (replay only), `missing` (call what no cassette holds), `all` (call everything
            anew), or `roles` (call `roles` anew, and whatever else is then missing).
        roles: the roles that are called anew.
    """

    name: str
    roles: frozenset[Role] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `none`, `missing`, `all`, or roles separated by commas.

        Args:
            text: the value of `--content-bias-record`.

        Raises:
            SettingsError: it is none of these; suggests the word that was probably meant.
        """
        words = [word.strip() for word in text.split(",")]
        for word in words:
            if word not in _WORDS:
                raise SettingsError(_unknown(word, text))
        if words == ["none"] or words == ["missing"]:
            return cls(words[0])
        if words == ["all"]:
            return cls("all", frozenset(Role))
        if alone := [word for word in words if word not in tuple(Role)]:
            raise SettingsError(
                f"--content-bias-record={text}: {alone[0]} stands alone; only roles are combined"
            )
        return cls("roles", frozenset(map(Role, words)))

    @property
    def network(self) -> bool:
        """Whether calls may be sent."""
        return self.name != "none"

    @property
    def replaces(self) -> bool:
        """Whether recordings are replaced that would answer."""
        return bool(self.roles)

    def anew(self, role: Role) -> bool:
        """Whether a role is called although a recording would answer."""
        return role in self.roles

    def __str__(self) -> str:
        return self.name if self.name != "roles" else ",".join(r for r in Role if r in self.roles)


REPLAY = RecordMode("none")


def _unknown(word: str, text: str) -> str:
    close = difflib.get_close_matches(word.lower(), _WORDS, n=1)
    suggestion = f"; did you mean {close[0]}?" if close else ""
    return (
        f"--content-bias-record={text}: {word!r} is not known{suggestion} "
        f"(expected none, missing, all, or roles: {', '.join(Role)})"
    )
