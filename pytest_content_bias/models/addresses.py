"""URLs as they may be shown: without credentials and without query."""

from urllib.parse import SplitResult, urlsplit


def host_of(url: str) -> str:
    """Scheme, host and port of a URL; empty where it has none."""
    parts = _split(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}" if host else ""


def shown(url: str) -> str:
    """Scheme, host, port and path of a URL."""
    return (host_of(url) + _split(url).path) or "(no URL)"


def password_of(url: str) -> str:
    """The password that a URL holds; empty where it holds none."""
    return _split(url).password or ""


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # such as an IPv6 address without its closing bracket
        return SplitResult("", "", "", "", "")
