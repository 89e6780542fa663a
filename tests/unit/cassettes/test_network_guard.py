import asyncio
import socket
import subprocess
import sys
import threading
import timeit
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from pytest_content_bias.cassettes.network_guard import NetworkRefused, network_guard
from pytest_content_bias.vocabulary.errors import CallError, SettingsError

FAR = ("192.0.2.1", 9)
"""An address that no machine has; were it tried, the test would not send anything to anybody."""


@pytest.fixture
def listener() -> Iterator[tuple[str, int]]:
    """A server on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()


def connect(address: tuple[str, int]) -> None:
    with socket.socket() as sock:
        sock.settimeout(1)
        sock.connect(address)


def connect_ex(address: tuple[str, int]) -> None:
    with socket.socket() as sock:
        sock.settimeout(1)
        assert sock.connect_ex(address) == 0


def create_connection(address: tuple[str, int]) -> None:
    socket.create_connection(address, timeout=1).close()


def send_datagram(address: tuple[str, int]) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.sendto(b"x", address)


def send_message(address: tuple[str, int]) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.sendmsg([b"x"], [], 0, address)


def open_stream(address: tuple[str, int]) -> None:
    async def stream() -> None:
        _, writer = await asyncio.open_connection(*address)
        writer.close()
        await writer.wait_closed()

    asyncio.run(stream())


def get(address: tuple[str, int]) -> None:
    try:
        httpx.get(f"http://{address[0]}:{address[1]}", timeout=0.2)
    except httpx.ReadTimeout:
        return


WAYS = [
    connect,
    connect_ex,
    create_connection,
    send_datagram,
    send_message,
    open_stream,
    get,
]


@pytest.mark.parametrize("way", WAYS)
def test_no_connection_is_opened_not_even_on_loopback(
    way: Callable[[tuple[str, int]], None], listener: tuple[str, int]
) -> None:
    with network_guard(()), pytest.raises((NetworkRefused, httpx.ConnectError), match="replayed"):
        way(listener)


@pytest.mark.parametrize("way", WAYS)
def test_a_listed_host_is_reached(
    way: Callable[[tuple[str, int]], None], listener: tuple[str, int]
) -> None:
    with network_guard(("127.0.0.1",)):
        way(listener)


def test_a_far_host_is_refused_before_anything_is_sent() -> None:
    with network_guard(()), pytest.raises(NetworkRefused, match=r"connect to 192\.0\.2\.1:9 "):
        connect(FAR)


@pytest.mark.parametrize(
    "look_up",
    [
        lambda: socket.getaddrinfo("example.org", 80),
        lambda: socket.gethostbyname("example.org"),
        lambda: socket.gethostbyname_ex("example.org"),
        lambda: asyncio.run(resolved("example.org")),
        lambda: httpx.get("http://example.org"),
    ],
)
def test_no_name_is_looked_up(look_up: Callable[[], object]) -> None:
    with (
        network_guard(()),
        pytest.raises((NetworkRefused, httpx.ConnectError), match=r"look up example\.org"),
    ):
        look_up()


async def resolved(host: str) -> object:
    return await asyncio.get_running_loop().getaddrinfo(host, 80)


def test_no_address_is_looked_up_in_reverse() -> None:
    with network_guard(()), pytest.raises(NetworkRefused, match=r"look up 192\.0\.2\.1"):
        socket.gethostbyaddr("192.0.2.1")


def test_the_error_names_the_caller_and_how_to_allow_the_host(listener: tuple[str, int]) -> None:
    with network_guard(()), pytest.raises(NetworkRefused) as caught:
        connect(listener)
    assert f"{Path(__file__)}:" in str(caught.value)
    assert "(in connect)" in str(caught.value)
    assert "content_bias_allowed_hosts = 127.0.0.1" in str(caught.value)


def test_the_caller_is_whoever_called_a_library_and_not_the_library(
    listener: tuple[str, int],
) -> None:
    with network_guard(()), pytest.raises(httpx.ConnectError, match=r"\(in get\)"):
        get(listener)


def test_the_error_is_one_of_the_network_and_one_of_ours(listener: tuple[str, int]) -> None:
    with network_guard(()), pytest.raises(OSError, match="replayed") as caught:
        connect(listener)
    assert isinstance(caught.value, CallError)


def test_a_host_may_be_listed_for_one_port_alone(listener: tuple[str, int]) -> None:
    with network_guard((f"127.0.0.1:{listener[1]}",)):
        connect(listener)
    with network_guard((f"127.0.0.1:{listener[1] + 1}",)), pytest.raises(NetworkRefused):
        connect(listener)


def test_a_host_that_is_listed_by_name_is_reached_at_its_addresses(
    listener: tuple[str, int],
) -> None:
    with network_guard(("localhost",)):
        create_connection(("localhost", listener[1]))
        connect(listener)


def test_a_host_that_is_listed_by_address_is_not_looked_up_by_name(
    listener: tuple[str, int],
) -> None:
    with network_guard(("127.0.0.1",)), pytest.raises(NetworkRefused, match="look up localhost"):
        create_connection(("localhost", listener[1]))


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_addresses_of_the_sixth_version_are_known_too() -> None:
    with network_guard(("[::1]:6333",)), pytest.raises(NetworkRefused, match=r"\[::1\]:6334"):
        connect_six(6334)
    with network_guard(("::1",)), pytest.raises(OSError) as unanswered:  # noqa: PT011
        connect_six(9)
    assert not isinstance(unanswered.value, NetworkRefused)


def connect_six(port: int) -> None:
    with socket.socket(socket.AF_INET6) as sock:
        sock.connect(("::1", port))


@pytest.mark.parametrize("entry", ["", "http://localhost", "a b:x", "user@host", "host:99999"])
def test_what_is_no_host_is_an_error(entry: str) -> None:
    with pytest.raises(SettingsError, match="content_bias_allowed_hosts"):
        network_guard((entry,))


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this machine has no such sockets")
def test_sockets_of_this_machine_are_free(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(path)
        server.listen()
        with network_guard(()):
            client.connect(path)
            left, right = socket.socketpair()
            left.close()
            right.close()
            assert client.getpeername() == path


def test_an_event_loop_and_a_server_start_without_a_connection() -> None:
    with network_guard(()), socket.create_server(("127.0.0.1", 0)) as server:
        assert asyncio.run(asyncio.sleep(0, "done")) == "done"
        assert server.getsockname()[0] == "127.0.0.1"


def test_connections_that_are_open_already_go_on(listener: tuple[str, int]) -> None:
    with socket.create_connection(listener) as sock, network_guard(()):
        assert sock.send(b"x") == 1


def test_threads_of_others_are_held_back_too(listener: tuple[str, int]) -> None:
    caught: list[BaseException] = []

    def work() -> None:
        try:
            connect(listener)
        except NetworkRefused as error:
            caught.append(error)

    with network_guard(()):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(caught) == 1


def test_afterwards_everything_is_as_it_was(listener: tuple[str, int]) -> None:
    before = {name: getattr(socket, name) for name in dir(socket)}
    methods = dict(vars(socket.socket))
    with network_guard(()):
        assert {name: getattr(socket, name) for name in dir(socket)} == before
    assert dict(vars(socket.socket)) == methods
    connect(listener)


def test_an_exception_inside_ends_the_guard(listener: tuple[str, int]) -> None:
    with pytest.raises(KeyError), network_guard(()):
        raise KeyError("x")
    connect(listener)


def test_guards_are_nested_and_each_has_to_allow(listener: tuple[str, int]) -> None:
    with network_guard(("127.0.0.1",)):
        with network_guard(()), pytest.raises(NetworkRefused):
            connect(listener)
        connect(listener)
        with network_guard(("localhost",)):
            connect(listener)


def test_guards_may_end_in_another_order_than_they_began(listener: tuple[str, int]) -> None:
    first, second = network_guard(()), network_guard(())
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    with pytest.raises(NetworkRefused):
        connect(listener)
    second.__exit__(None, None, None)
    connect(listener)


def test_another_plugins_guard_stays_in_force(
    listener: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def blocked(sock: socket.socket, address: object) -> None:
        raise RuntimeError("blocked by another plugin")

    monkeypatch.setattr(socket.socket, "connect", blocked)
    with network_guard(("127.0.0.1",)), pytest.raises(RuntimeError, match="another plugin"):
        connect(listener)
    with pytest.raises(RuntimeError, match="another plugin"):
        connect(listener)


def test_whoever_kept_the_original_function_does_not_get_by(listener: tuple[str, int]) -> None:
    kept = socket.socket.connect
    with (
        socket.socket() as sock,
        network_guard(()),
        pytest.raises(NetworkRefused),
    ):
        kept(sock, listener)


def test_a_python_that_takes_no_hook_is_an_error() -> None:
    program = """
import sys
def jealous(event, arguments):
    if event == "sys.addaudithook":
        raise RuntimeError
sys.addaudithook(jealous)
from pytest_content_bias.cassettes.network_guard import network_guard
with network_guard(()):
    print("unguarded")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert b"refuses audit hooks" in done.stderr
    assert b"unguarded" not in done.stdout


def test_a_guard_costs_next_to_nothing() -> None:
    def once() -> None:
        with network_guard(("127.0.0.1",)):
            pass

    once()
    assert min(timeit.repeat(once, number=100, repeat=20)) / 100 < 20e-6
