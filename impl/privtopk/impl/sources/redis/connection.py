"""One connection to a Redis server per selection: it is never renewed and nothing is retried.

When a connection breaks, the server forgets which keys it watches. redis-py would then silently
reconnect and repeat the command. So each selection has a connection of its own, which nobody else
can use, close or renew, and any failure of the connection ends the selection.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from privtopk.impl.extras import import_extra
from privtopk.impl.sources.faults import first_line, replace_errors, unreachable_error
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_number

Command: TypeAlias = tuple[Any, ...]
"""A command and its arguments: texts, bytes and whole numbers."""

OLD_PROTOCOL: Final = 2
"""RESP2 sends entries as one flat list, which parses in half the time of the pairs of RESP3."""

LONGEST_TIMEOUT: Final = 3600
"""Seconds; sockets do not accept arbitrarily large timeouts."""

DATABASE: Final = re.compile(r"/?[0-9]*/?")


@dataclass(frozen=True, slots=True)
class Address:
    """How to connect, and what of it may appear in messages."""

    place: str
    """The server and its database, without user and password."""

    kind: Any
    """The class of redis-py's connections: plain, encrypted, or through a unix socket."""

    settings: Mapping[str, Any] = field(repr=False)
    """The arguments of that class, which may include a password."""

    def has_secret(self, words: str) -> bool:
        """Return whether a message repeats the password."""
        password = self.settings.get("password")
        return bool(password) and str(password) in words


class RedisConnection:
    """An open connection that sends several commands together and reads all their answers."""

    def __init__(self, connection: Any, address: Address) -> None:
        """Take a connection that nobody else uses."""
        self._connection = connection
        self._address = address
        self._redis = import_extra("redis", "redis")
        # Invariant: False while answers are outstanding, and for ever if they never arrive.
        # redis-py would reconnect if a command were sent then.
        self.is_intact = True

    def ask(self, *commands: Command) -> list[Any]:
        """Return the answers to some commands, undecoded, or raise the first error among them."""
        if not self.is_intact:
            raise unreachable_error(self._address.place, "the connection is lost")
        self.is_intact = False
        with translate_driver_errors(self._address):
            self._connection.send_packed_command(self._connection.pack_commands(commands))
            answers = [self._answer() for _ in commands]
            self.is_intact = True
            for answer in answers:
                if isinstance(answer, self._redis.ResponseError):
                    raise answer
        return answers

    def _answer(self) -> Any:
        """Return the next answer, which may be an error of the server."""
        try:
            return self._connection.read_response()
        except self._redis.ResponseError as error:
            return error


@contextmanager
def open_connection(address: Address) -> Iterator[RedisConnection]:
    """Yield a new connection, and close it."""
    connection = address.kind(**address.settings)
    try:
        with translate_driver_errors(address):
            connection.connect()
        yield RedisConnection(connection, address)
    finally:
        connection.disconnect()


def translate_driver_errors(address: Address) -> AbstractContextManager[None]:
    """Return a context that turns exceptions of the driver into errors of a selection."""
    raised = (import_extra("redis", "redis").RedisError, OSError)
    return replace_errors(raised, lambda error: driver_error(address, error))


def driver_error(address: Address, error: Exception) -> SelectionError:
    """Return the error of a command that the server rejects, or that it does not answer."""
    redis = import_extra("redis", "redis")
    if isinstance(error, redis.ResponseError) and str(error).startswith("WRONGTYPE"):
        return SelectionError(
            Reason.WRONG_TYPE, f"{address.place} must be a sorted set, got a key of another type"
        )
    # A server that does not know a command repeats its arguments, and AUTH has a password.
    words, _, _ = first_line(error).partition(", with args")
    is_shown = not isinstance(error, redis.InvalidResponse) and not address.has_secret(words)
    return unreachable_error(address.place, words if is_shown else type(error).__name__)


def address_of(given: object, key: str, timeout: object) -> Address:
    """Return how to connect: from a URL, or with the settings of the caller's client."""
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
    settings = single_use_settings(pool.connection_kwargs, required_timeout(timeout), redis)
    with refuse_invalid_urls(redis):
        pool.connection_class(**settings)
    place = place_of(pool.connection_class, settings, redis)
    return Address(f"{place} key {key!r}", pool.connection_class, settings)


def pool_of(url: str, redis: Any) -> Any:
    """Return a connection pool for a URL; only its settings are used.

    If the URL is invalid, the message shows neither the URL nor the driver's error. Both may
    contain a part of a password: in redis://:ab/c@host it looks like a port and a database.
    """
    with refuse_invalid_urls(redis):
        parts = urlsplit(url)
        pool = redis.ConnectionPool.from_url(url)
    has_stray_at = "@" in parts.path + parts.query + parts.fragment
    # redis-py uses database 0 if the path of a URL is not a number.
    has_database = parts.scheme == "unix" or DATABASE.fullmatch(parts.path)
    if has_stray_at or not has_database:
        raise invalid_url_error()
    return pool


def refuse_invalid_urls(redis: Any) -> AbstractContextManager[None]:
    """Return a context that turns errors about a URL into one that does not show it."""
    return replace_errors(
        (TypeError, ValueError, redis.RedisError), lambda error: invalid_url_error()
    )


def single_use_settings(settings: Mapping[str, Any], timeout: float, redis: Any) -> dict[str, Any]:
    """Return settings of a connection that neither retries nor reconnects, and returns bytes."""
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
    # Otherwise the driver sends its name and version, which takes longer than everything else.
    silent = ["driver_info"] if hasattr(redis, "DriverInfo") else ["lib_name", "lib_version"]
    # Maintenance notifications make a client move to another server.
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
    """Return a timeout in seconds that a socket accepts."""
    seconds = require_number("timeout", timeout)
    if not 0 < seconds <= LONGEST_TIMEOUT:
        raise SelectionError(
            Reason.SIZE_OUT_OF_RANGE,
            f"timeout must be above 0 and at most {LONGEST_TIMEOUT} seconds, got {seconds}",
        )
    return float(seconds)


def invalid_url_error() -> SelectionError:
    """Return the error of an invalid URL, without the URL, which may contain a password."""
    return SelectionError(
        Reason.WRONG_TYPE,
        "address must be a URL like redis://host:6379/0, rediss://host:6379/0 or "
        "unix:///path/to/socket?db=0, with %2F for a / in a password, %40 for an @ and so on",
    )
