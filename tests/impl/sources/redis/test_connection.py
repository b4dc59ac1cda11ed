"""Facts about connections to Redis: addresses, passwords, and servers that do not answer."""

import logging
import select
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from privtopk.impl.measurement.servers.redis import Client, RedisServer
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.sources.redis.connection import Address, address_of, open_connection
from privtopk.impl.sources.redis.scores import RedisScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from redis_votes import MAY_BE_MISSING
from support import refusal, shown_by

DOMAIN = RangeDomain(1, 3)
PLACE = "redis://localhost:1/0 key 'votes'"


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Client]:
    """Yield a client of a server with a set in which 2 leads."""
    with redis_server.client() as client:
        client.flushall()
        client.zadd("votes", {"2": 10**6})
        yield client


def unreachable_refusal(place: str, said: str) -> tuple[Reason, str]:
    """Return the expected reason and message."""
    return Reason.UNREACHABLE_SOURCE, f"{place} cannot be read: {said}"


@contextmanager
def over_tcp(server: RedisServer) -> Iterator[int]:
    """Yield a port that leads to the unix socket of a server."""

    class Forwarding(socketserver.BaseRequestHandler):
        """Forwards data in both directions until one side closes."""

        def handle(self) -> None:
            with closing(socket.socket(socket.AF_UNIX)) as other:
                other.connect(str(server.socket))
                ends = {self.request: other, other: self.request}
                while True:
                    for end in select.select(list(ends), [], [])[0]:
                        if not (sent := end.recv(2**16)):
                            return
                        ends[end].sendall(sent)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Forwarding) as forwarder:
        thread = threading.Thread(target=forwarder.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield forwarder.server_address[1]
        finally:
            forwarder.shutdown()
            thread.join()


def test_a_server_by_its_host_and_port(client: Client, redis_server: RedisServer) -> None:
    """A selection also works over TCP, and the repr shows the server."""
    client.move("votes", 3)
    with over_tcp(redis_server) as port:
        scores = RedisScores(f"redis://127.0.0.1:{port}/3", "votes", domain=DOMAIN)
        assert top_k(scores, 1, epsilon=1).items == (2,)
        assert repr(scores) == f"RedisScores(redis://127.0.0.1:{port}/3 key 'votes', domain=1..3)"


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("redis://", "redis://localhost:6379/0"),
        ("redis://host/", "redis://host:6379/0"),
        ("redis://user:secret@host:7000/2", "redis://host:7000/2"),
        ("redis://:se%2Fcret@host:7000?db=4", "redis://host:7000/4"),
        ("rediss://user:secret@host:7000/2", "rediss://host:7000/2"),
        ("unix://user:secret@/run/redis.sock", "unix:///run/redis.sock?db=0"),
        ("unix:///run/redis.sock?db=5&password=secret", "unix:///run/redis.sock?db=5"),
    ],
)
def test_a_url_is_shown_without_its_secrets(address: str, place: str) -> None:
    """Only server and database of a URL are shown."""
    require_shown(address, place)


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"host": "host", "port": 7000, "db": 2, "password": "secret"}, "redis://host:7000/2"),
        ({"host": "host", "ssl": True}, "rediss://host:6379/0"),
        ({"unix_socket_path": "/run/s", "protocol": 3}, "unix:///run/s?db=0"),
        ({"protocol": 3, "username": "user", "password": "secret"}, "redis://localhost:6379/0"),
    ],
)
def test_a_client_is_shown_without_its_secrets(settings: dict[str, Any], place: str) -> None:
    """Only server and database of a client are shown."""
    with redis.Redis(**settings) as client:
        require_shown(client, place)


def require_shown(address: Any, place: str) -> None:
    """Assert that an address shows nothing else."""
    understood = address_of(address, "votes", 1)
    assert understood.place == f"{place} key 'votes'"
    assert [word for word in ("user", "secret") if word in repr(understood)] == []


UNINTELLIGIBLE = (
    Reason.WRONG_TYPE,
    "address must be a URL like redis://host:6379/0, rediss://host:6379/0 or "
    "unix:///path/to/socket?db=0, with %2F for a / in a password, %40 for an @ and so on",
)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "host:6379",
        "http://host",
        "redis://:se/cret@host",
        "redis://:12/cret@host",
        "redis://:se?cret@host",
        "redis://:12?cret@host",
        "redis://:se#cret@host",
        "redis://:12#cret@host",
        "unix://user:se/cret@/run/redis.sock",
        "redis://host:port/0",
        "redis://host:99999",
        "redis://[host",
        "redis://host/votes",
        "redis://host/0/votes",
        "redis://host?db=votes",
        "redis://host?wrong=option",
        "redis://host?socket_timeout=secret",
    ],
)
def test_an_address_that_is_not_understood_is_not_shown(address: str) -> None:
    """What looks like a port may be half of a password, so the driver's error is dropped."""
    with pytest.raises(SelectionError) as caught:
        address_of(address, "votes", 1)
    refused = caught.value
    assert (refused.reason, str(refused)) == UNINTELLIGIBLE
    assert refused.__cause__ is refused.__context__ is None


@pytest.mark.parametrize("address", [None, b"redis://host", redis.RedisCluster], ids=str)
def test_an_address_is_a_url_or_a_client(address: Any) -> None:
    """Cluster clients and other objects are refused by the name of their type."""
    assert refusal(lambda: address_of(address, "votes", 1)) == (
        Reason.WRONG_TYPE,
        f"address must be a URL or a redis.Redis client, got {type(address).__name__}",
    )


@pytest.mark.parametrize("timeout", [0, -1, 3601, float("inf")])
def test_a_timeout_has_bounds(timeout: float) -> None:
    """A timeout of 0 or without limit is refused."""
    assert refusal(lambda: address_of("redis://host", "votes", timeout)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"timeout must be above 0 and at most 3600 seconds, got {timeout}",
    )


def test_a_timeout_is_a_number() -> None:
    """A text is refused as a timeout."""
    wrong: Any = "10"
    assert refusal(lambda: RedisScores("redis://host", "votes", domain=DOMAIN, timeout=wrong)) == (
        Reason.WRONG_TYPE,
        "timeout must be a number, got '10'",
    )


RESTLESS = "?socket_timeout=7&health_check_interval=3&retry_on_timeout=yes&protocol=3"


@pytest.mark.parametrize(
    "settings",
    [
        {"retry": Retry(NoBackoff(), 10), "retry_on_error": [OSError], "protocol": 3},
        {"health_check_interval": 3, "decode_responses": True, "socket_timeout": 7},
    ],
    ids=["retries", "checks"],
)
def test_a_connection_is_no_copy_of_a_clients(settings: dict[str, Any]) -> None:
    """Whatever the settings of a client, a connection neither retries nor reconnects."""
    with redis.Redis(**settings) as client:
        require_steadfast(client)


def test_a_connection_does_not_do_all_that_a_url_says() -> None:
    """Whatever the options of a URL, a connection neither retries nor reconnects."""
    require_steadfast(f"redis://host{RESTLESS}")


def require_steadfast(given: Any) -> None:
    """Assert that a connection never retries or reconnects, has the timeout and returns bytes."""
    address = address_of(given, "votes", 2.5)
    connection = address.kind(**address.settings)
    assert connection.retry.get_retries() == 0
    assert set(connection.retry._supported_errors) <= set(Retry(NoBackoff(), 0)._supported_errors)
    assert connection.health_check_interval == 0
    assert (connection.socket_timeout, connection.socket_connect_timeout) == (2.5, 2.5)
    assert (connection.protocol, connection.encoder.decode_responses) == (2, False)
    assert getattr(connection, "maint_notifications_config", None) is None


def test_a_server_that_is_not_there() -> None:
    """A closed port is reported in the driver's words."""
    start = time.monotonic()
    with pytest.raises(SelectionError) as caught:
        RedisScores("redis://:secret@localhost:1", "votes", domain=DOMAIN)
    assert (caught.value.reason, str(caught.value)) == unreachable_refusal(
        PLACE, "Error 111 connecting to localhost:1. Connection refused."
    )
    assert time.monotonic() - start < 1


def test_an_encrypted_server_that_is_not_there() -> None:
    """The scheme rediss:// makes an encrypted connection."""
    address = address_of("rediss://localhost:1", "votes", 1)
    assert address.kind is redis.SSLConnection
    assert refusal(lambda: RedisScores("rediss://localhost:1", "votes", domain=DOMAIN)) == (
        unreachable_refusal(
            "rediss://localhost:1/0 key 'votes'",
            "Error 111 connecting to localhost:1. Connection refused.",
        )
    )


def test_a_socket_that_is_not_there(tmp_path: Any) -> None:
    """A unix socket is named by its path."""
    path = tmp_path / "socket"
    assert refusal(
        lambda: RedisScores(f"unix://{path}", "votes", domain=DOMAIN)
    ) == unreachable_refusal(
        f"unix://{path}?db=0 key 'votes'",
        f"Error 2 connecting to {path}. No such file or directory.",
    )


NAME, WORD, OTHER_WORD = "al" + "ice", "s3cr" + "et", "wr0" + "ng"
"""Built from pieces, because a traceback quotes the lines of this file."""


@pytest.fixture
def guarded_server(client: Client, redis_server: RedisServer) -> Iterator[RedisServer]:
    """Yield a server with a user that has a password."""
    client.execute_command("ACL", "SETUSER", NAME, "reset", "on", f">{WORD}", "~*", "+@all")
    yield redis_server
    client.execute_command("ACL", "DELUSER", NAME)


@pytest.mark.parametrize("protocol", [2, 3])
def test_a_wrong_password_is_reported_and_not_shown(
    guarded_server: RedisServer, protocol: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the error nor its causes nor the log contains the user or the password."""
    caplog.set_level(logging.DEBUG)
    address = f"unix://{NAME}:{OTHER_WORD}@{guarded_server.socket}?protocol={protocol}"
    with pytest.raises(SelectionError) as caught:
        RedisScores(address, "votes", domain=DOMAIN)
    assert (caught.value.reason, str(caught.value)) == unreachable_refusal(
        f"{guarded_server.place} key 'votes'", "invalid username-password pair or user is disabled."
    )
    shown = shown_by(caught.value) + caplog.text
    assert [word for word in (NAME, OTHER_WORD) if word in shown] == []


def test_a_right_password_is_not_shown(
    client: Client, guarded_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The repr and the log of a store contain neither user nor password."""
    caplog.set_level(logging.DEBUG)
    address = f"unix://{NAME}:{WORD}@{guarded_server.socket}"
    scores = RedisScores(address, "votes", domain=DOMAIN)
    assert top_k(scores, 1, epsilon=1).items == (2,)
    client.execute_command("ACL", "SETUSER", NAME, "off")
    with pytest.raises(SelectionError) as caught:
        top_k(scores, 1, epsilon=1)
    shown = repr(scores) + str(scores) + shown_by(caught.value) + caplog.text
    assert [word for word in (NAME, WORD) if word in shown] == []


@MAY_BE_MISSING
@pytest.mark.usefixtures("redis_server")
def test_a_password_that_is_missing() -> None:
    """A missing password is reported."""
    with RedisServer("--requirepass", WORD) as server:
        refused = refusal(lambda: RedisScores(server.url, "votes", domain=DOMAIN))
        assert refused == unreachable_refusal(
            f"{server.place} key 'votes'", "Authentication required."
        )
        scores = RedisScores(f"unix://:{WORD}@{server.socket}", "votes", domain=DOMAIN)
        assert set(top_k(scores, 3, epsilon=1).items) == {1, 2, 3}


def test_a_server_that_keeps_silent(client: Client, redis_server: RedisServer) -> None:
    """After the timeout the server is reported as unreachable, and nothing is retried."""
    scores = RedisScores(redis_server.url, "votes", domain=DOMAIN, timeout=0.1)
    redis_server.freeze()
    start = time.monotonic()
    refused = refusal(lambda: top_k(scores, 1, epsilon=1))
    waited = time.monotonic() - start
    redis_server.thaw()
    # Before version 8 the driver named the socket.
    place = redis_server.socket if int(redis.__version__.split(".")[0]) < 8 else "socket"
    assert refused == unreachable_refusal(
        f"{redis_server.place} key 'votes'", f"Timeout reading from {place}"
    )
    assert 0.1 <= waited < 2


def test_a_server_that_answers_late(client: Client, redis_server: RedisServer) -> None:
    """The store's own timeout counts, not that of the client or the driver's default."""
    assert address_of(redis_server.url, "votes", 10.0).settings["socket_timeout"] == 10
    scores = RedisScores(redis_server.client(socket_timeout=0.05), "votes", domain=DOMAIN)
    client.client_pause(300)
    assert top_k(scores, 1, epsilon=1).items == (2,)


@pytest.mark.usefixtures("redis_server")
def test_a_server_that_is_loading() -> None:
    """A server that is still loading its data does not count as empty."""
    with RedisServer(
        "--key-load-delay", "5000", "--loading-process-events-interval-bytes", "1024"
    ) as server:
        with server.client() as client:
            for number in range(2000):
                client.zadd(f"votes-{number}", {"2": 10**6})
            client.save()
        server.kill()
        server.start()
        assert refusal(
            lambda: RedisScores(server.url, "votes", domain=DOMAIN)
        ) == unreachable_refusal(
            f"{server.place} key 'votes'", "Redis is loading the dataset in memory"
        )


def test_answers_come_in_the_order_of_the_commands(redis_server: RedisServer) -> None:
    """Commands are sent together; an error among the answers does not shift the others."""
    with open_connection(address_of(redis_server.url, "votes", 5)) as connection:
        assert connection.ask(("ECHO", b"\xff"), ("ECHO", 7)) == [b"\xff", b"7"]
        refused = refusal(lambda: connection.ask(("ECHO", "a"), ("NONSENSE",), ("ECHO", "b")))
        assert refused == unreachable_refusal(
            f"{redis_server.place} key 'votes'",
            "unknown command 'NONSENSE'",
        )
        assert connection.is_intact
        assert connection.ask(("ECHO", "c")) == [b"c"]


def test_a_lost_connection_stays_lost(client: Client, redis_server: RedisServer) -> None:
    """After a missing answer nothing more is sent, and there is no reconnection."""
    with open_connection(address_of(redis_server.url, "votes", 5)) as connection:
        number = connection.ask(("CLIENT", "ID"))[0]
        client.client_kill_filter(_id=number)
        refused = refusal(lambda: connection.ask(("PING",)))
        assert refused[0] is Reason.UNREACHABLE_SOURCE
        assert not connection.is_intact
        assert refusal(lambda: connection.ask(("PING",))) == unreachable_refusal(
            f"{redis_server.place} key 'votes'", "the connection is lost"
        )


class Interrupt(BaseException):
    """Stands for KeyboardInterrupt, which would end the test run."""


class Interrupted(redis.UnixDomainSocketConnection):
    """A connection that is interrupted while it waits for an answer."""

    def read_response(self, *arguments: Any, **options: Any) -> Any:
        """Wait for an answer."""
        raise Interrupt


def test_an_interrupt_ends_the_connection(redis_server: RedisServer) -> None:
    """An interrupt is passed on, and the outstanding answer is not used for a later command."""
    address = address_of(redis_server.url, "votes", 5)
    with open_connection(Address(address.place, Interrupted, address.settings)) as connection:
        with pytest.raises(Interrupt):
            connection.ask(("PING",))
        assert not connection.is_intact
