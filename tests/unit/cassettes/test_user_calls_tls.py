"""Encrypted calls are recorded and replayed like others."""

import shutil
import ssl
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from pytest_content_bias.cassettes.network_guard import network_guard
from tests.user_stage import EIGHT, App, UserStage


class Echo(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1 that it signed itself, with its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run([*command, *subject, *files], check=True, capture_output=True)
    return folder


@pytest.fixture
def url(certificate: Path) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"https://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def by_httpx(url: str, trust: ssl.SSLContext) -> App:
    return lambda question: httpx.post(url, content=question, verify=trust).text


def by_the_standard_library(url: str, trust: ssl.SSLContext) -> App:
    def app(question: str) -> str:
        headers = {"content-type": "text/plain"}
        request = urllib.request.Request(url, question.encode(), headers)
        with urllib.request.urlopen(request, context=trust) as reply:
            return str(reply.read().decode())

    return app


@pytest.mark.parametrize("make", [by_httpx, by_the_standard_library])
def test_encrypted_calls_are_recorded_and_replayed(
    make: Callable[[str, ssl.SSLContext], App], url: str, certificate: Path, tmp_path: Path
) -> None:
    trust = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    app = make(url, trust)
    recorded = UserStage(tmp_path, "missing").ask(app, *EIGHT)
    assert recorded == [f"{case} system/plain" for case in EIGHT]
    with network_guard(()):
        assert UserStage(tmp_path).ask_shuffled(app, *EIGHT, seed=1) == recorded
