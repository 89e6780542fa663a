"""Secrets that are known by their look."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownPattern:
    """A kind of secret.

    Attributes:
        name: what messages call it.
        needles: texts one of which stands in every such secret; looking for them is quick.
        regex: the whole secret.
    """

    name: str
    needles: tuple[str, ...]
    regex: re.Pattern[str]

    def touches(self, text: str) -> bool:
        """Whether text may hold such a secret."""
        return any(needle in text for needle in self.needles)


def _prefixed(name: str, prefixes: tuple[str, ...], rest: str) -> KnownPattern:
    """A secret that starts with one of the prefixes, not in the middle of a word."""
    start = "|".join(map(re.escape, prefixes))
    return KnownPattern(name, prefixes, re.compile(rf"(?<![A-Za-z0-9])(?:{start}){rest}"))


AUTHORIZATION = KnownPattern(
    "an authorization header",
    ("uthorization",),
    re.compile(r"[Aa]uthorization[\"']?\s*[:=]\s*[\"']?(?:Basic|Bearer|Token)\s+[^\s\"']{8,}"),
)
KNOWN = (
    KnownPattern(
        "a private key",
        ("-----BEGIN",),
        re.compile(
            r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
            re.DOTALL,
        ),
    ),
    AUTHORIZATION,
    KnownPattern(
        "a bearer token",
        ("Bearer ", "bearer "),
        re.compile(r"[Bb]earer\s+(?=[A-Za-z0-9._~+/-]*[0-9])[A-Za-z0-9._~+/-]{16,}=*"),
    ),
    KnownPattern(
        "a password in a URL",
        ("@",),
        re.compile(r"(?<=://)[^\s/@:\"'<>]*:[^\s/@\"'<>]+(?=@)"),
    ),
    KnownPattern(
        "a JSON web token",
        ("eyJ",),
        re.compile(r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    ),
    _prefixed(
        "an API key of OpenAI, Anthropic or a like provider", ("sk-",), r"[A-Za-z0-9_-]{20,}"
    ),
    _prefixed("an access key of AWS", ("AKIA", "ASIA"), r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _prefixed(
        "a token of GitHub",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"[A-Za-z0-9_]{22,}",
    ),
    _prefixed("a token of GitLab", ("glpat-",), r"[A-Za-z0-9_-]{20,}"),
    _prefixed("a token of Slack", ("xox",), r"[abeoprs]-[A-Za-z0-9-]{10,}"),
    _prefixed("an API key of Google", ("AIza",), r"[A-Za-z0-9_-]{35}"),
    _prefixed("a token of Hugging Face", ("hf_",), r"[A-Za-z0-9]{30,}"),
)
