"""One connection to a Redis server for one selection: it is never renewed and nothing is retried.

A server forgets what a connection watches as soon as that breaks. redis-py would connect anew,
ask again, and say nothing of it. So a selection has a connection of its own, which nobody else
can use, close or renew, and whatever goes wrong with it ends the selection.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import unreachable
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_number

Command: TypeAlias = tuple[Any, ...]
"""The words of a command: texts, bytes and whole numbers."""

OLD_PROTOCOL: Final = 2
"""RESP2 has entries as one flat list, which is parsed in half the time of the pairs of RESP3."""

LONGEST_TIMEOUT: Final = 3600
"""Sockets take no timeout without bounds."""

DATABASE: Final = re.compile(r"/?[0-9]*/?")


@dataclass(frozen=True, slots=True)
class Address:
    """How to connect, and what may be said of that."""

    place: str
    """The server and its database, without user and password."""

    kind: Any
    """The class of redis-py's connections: plain, encrypted, or through a unix socket."""

    settings: Mapping[str, Any] = field(repr=False)
    """The arguments of that class; a password may be among them."""


class Line:
    """An open connection: questions go out together, and their answers come back together."""

    def __init__(self, connection: Any, place: str) -> None:
        """Take a connection that nobody else has."""
        self._connection = connection
        self._place = place
        self._redis = import_extra("redis", "redis")
        # Invariant: False from a question on until all its answers are there, and for ever if
        # they never come. redis-py would connect anew if something were sent then.
        self.is_intact = True

    def ask(self, *commands: Command) -> list[Any]:
        """Return the answers to some commands, undecoded, or raise the first error among them."""
        if not self.is_intact:
            raise SelectionError(
                Reason.UNREACHABLE_SOURCE, f"{self._place} cannot be read: the connection is lost"
            )
        self.is_intact = False
        with told(self._place):
            self._connection.send_packed_command(self._connection.pack_commands(commands))
            answers = [self._answer() for _ in commands]
            self.is_intact = True
            for answer in answers:
                if isinstance(answer, self._redis.ResponseError):
                    raise answer
        return answers

    def _answer(self) -> Any:
        """Return the next answer, be it that the server refuses."""
        try:
            return self._connection.read_response()
        except self._redis.ResponseError as error:
            return error


@contextmanager
def opened(address: Address) -> Iterator[Line]:
    """Yield a new connection, and close it."""
    connection = address.kind(**address.settings)
    try:
        with told(address.place):
            connection.connect()
        yield Line(connection, address.place)
    finally:
        connection.disconnect()


@contextmanager
def told(place: str) -> Iterator[None]:
    """Turn what the driver raises into the errors of a selection."""
    redis = import_extra("redis", "redis")
    try:
        yield
    except redis.ResponseError as error:
        raise refused(place, error) from error
    except (redis.RedisError, OSError) as error:
        raise unreachable(place, error) from error


def refused(place: str, error: BaseException) -> SelectionError:
    """Return the error of a server that declines to answer."""
    if str(error).startswith("WRONGTYPE"):
        return SelectionError(
            Reason.WRONG_TYPE, f"{place} must be a sorted set, got a key of another type"
        )
    return unreachable(place, error)


def address_of(given: object, key: str, timeout: object) -> Address:
    """Return how to connect: by a URL, or like a client of the caller."""
    redis = import_extra("redis", "redis")
    if isinstance(given, str):
        pool = pool_of(given, redis)
    elif isinstance(given, redis.Redis):
        pool = given.connection_pool
    else:
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"address must be a URL or a redis.Redis client, got {type(given).__name__}",
        )
    settings = steadfast(pool.connection_kwargs, required_timeout(timeout), redis)
    try:
        pool.connection_class(**settings)
    except (TypeError, ValueError, redis.RedisError):
        raise unintelligible() from None
    place = place_of(pool.connection_class, settings, redis)
    return Address(f"{place} key {key!r}", pool.connection_class, settings)


def pool_of(url: str, redis: Any) -> Any:
    """Return a pool, of which nothing but the settings is used, for the address in a URL.

    A URL that is not understood is neither shown nor is the driver's error kept, because either
    may hold a part of a password: that of redis://:ab/c@host seems to be a port and a database.
    """
    try:
        parts = urlsplit(url)
        pool = redis.ConnectionPool.from_url(url)
    except ValueError:
        raise unintelligible() from None
    is_torn = "@" in parts.path + parts.query + parts.fragment
    # redis-py takes database 0 where the path of a URL is no number.
    is_understood = parts.scheme == "unix" or DATABASE.fullmatch(parts.path)
    if is_torn or not is_understood:
        raise unintelligible()
    return pool


def steadfast(settings: Mapping[str, Any], timeout: float, redis: Any) -> dict[str, Any]:
    """Return settings of a connection that neither retries nor renews itself, and sends bytes."""
    own: dict[str, Any] = {
        "protocol": OLD_PROTOCOL,
        "decode_responses": False,
        "retry": None,
        "retry_on_error": [],
        "retry_on_timeout": False,
        "health_check_interval": 0,
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
    }
    # The driver would send its name and version, which takes longer than all the rest.
    silent = ["driver_info"] if hasattr(redis, "DriverInfo") else ["lib_name", "lib_version"]
    # Notices of maintenance, of which the pool of a client has handlers, make a client move.
    moving = [name for name in settings if name.startswith("maint_notifications")]
    return {**settings, **own, **dict.fromkeys(silent + moving)}


def place_of(kind: Any, settings: Mapping[str, Any], redis: Any) -> str:
    """Return the server and its database, without user and password."""
    database = settings.get("db") or 0
    if "path" in settings:
        return f"unix://{settings['path']}?db={database}"
    scheme = "rediss" if issubclass(kind, redis.SSLConnection) else "redis"
    host, port = settings.get("host", "localhost"), settings.get("port", 6379)
    return f"{scheme}://{host}:{port}/{database}"


def required_timeout(timeout: object) -> float:
    """Return a number of seconds that a socket takes."""
    seconds = require_number("timeout", timeout)
    if not 0 < seconds <= LONGEST_TIMEOUT:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds, got {seconds}",
        )
    return float(seconds)


def unintelligible() -> SelectionError:
    """Return the error of a URL that is not understood; its text may hold a password."""
    return SelectionError(
        Reason.WRONG_TYPE,
        "address must be a URL like redis://host:6379/0, rediss://host:6379/0 or "
        "unix:///path/to/socket?db=0, with %2F for a / in a password, %40 for an @ and so on",
    )
