"""The endpoint that plays models in tests."""

from socket import SHUT_WR, create_connection
from urllib.parse import urlsplit

from tests.scripted_endpoint import ReceivedRequest, ScriptedEndpoint, ScriptedReply


def test_what_a_client_did_not_send_to_its_end_is_no_request() -> None:
    def reply(request: ReceivedRequest) -> ScriptedReply:
        return ScriptedReply(text=str(len(request.raw)))

    with ScriptedEndpoint(reply) as endpoint:
        url = urlsplit(endpoint.url)
        with create_connection((str(url.hostname), url.port or 0)) as client:
            client.sendall(b"POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\n{}")
            client.shutdown(SHUT_WR)
            assert client.recv(1) == b""
    assert endpoint.requests == []
