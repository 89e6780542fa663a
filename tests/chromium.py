"""A headless Chromium, driven over the DevTools protocol through a pipe: standard library only."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)

_ON_THREE_AND_FOUR = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads orders from descriptor 3 and writes replies to descriptor 4."""


def find_chromium() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """One open page."""

    def __init__(self, replies: BufferedReader, orders: RawIOBase) -> None:
        self._replies, self._orders = replies, orders
        self._buffer, self._number, self._session = b"", 0, ""
        self.console: list[str] = []
        self.requests: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        attached = self._send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._send(f"{domain}.enable")

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a file and wait until its script has listed the cases."""
        self._send("Page.navigate", url=f"{path.as_uri()}{fragment}")
        self.evaluate(
            "new Promise(resolve => { const look = () => document.readyState === 'complete'"
            " && document.getElementById('count')?.textContent ? resolve(true)"
            " : setTimeout(look, 5); look(); })"
        )

    def resize(self, width: int, height: int) -> None:
        """Give the page the size of another screen."""
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        found = self._send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"])
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press and release a key, such as `Enter` or `Tab`."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self._send("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text)

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._orders.write(json.dumps(message).encode() + b"\0")
        for reply in self._messages():
            if reply.get("id") == self._number:
                if "error" in reply:
                    raise AssertionError(f"{method}: {reply['error']}")
                return dict(reply["result"])
        raise AssertionError("the browser closed the pipe")

    def _messages(self) -> Iterator[dict[str, Any]]:
        while True:
            while b"\0" in self._buffer:
                raw, _, self._buffer = self._buffer.partition(b"\0")
                message = json.loads(raw)
                self._note(message)
                yield message
            chunk = self._replies.read1(1 << 20)
            if not chunk:
                return
            self._buffer += chunk

    def _note(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method in {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}:
            self.console.append(json.dumps(message["params"]))
        if method == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])


@contextmanager
def chromium(program: str, profile: Path) -> Iterator[Page]:
    """A browser with one page, ended at exit.

    Args:
        program: the path of Chromium.
        profile: an empty folder for its profile.
    """
    to_browser, write = os.pipe()
    read, from_browser = os.pipe()
    pipes = [str(to_browser), str(from_browser)]
    command = [sys.executable, "-c", _ON_THREE_AND_FOUR, *pipes, program, *_OPTIONS]
    process = subprocess.Popen(
        [*command, f"--user-data-dir={profile}"],
        pass_fds=(to_browser, from_browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        with os.fdopen(read, "rb") as replies, os.fdopen(write, "wb", buffering=0) as orders:
            yield Page(replies, orders)
    finally:
        process.terminate()
        process.wait(timeout=20)
