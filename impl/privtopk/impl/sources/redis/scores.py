"""Scores in a sorted set of Redis: its members are the items.

Redis has no snapshots. A selection watches the key from before its first query until after its
last; if somebody modified the set in the meantime, the selection fails. Writing the same score
again is not a modification; setting a time to live, or replacing the set by an equal one, is.

Scores are doubles, which cannot distinguish 2^53 from 2^53 + 1, so they must be below 2^53.
Negative scores and scores that are too large are found before anything is read, fractions and
members outside the domain only where they are read. An error depends on the votes, so do not
publish it. A missing set counts as an empty one: all items have score 0.

It needs Redis 6.2 or newer, neither a replica nor a cluster. The user needs the rights +watch
+multi +exec +zrange +zmscore +zcard +zcount, all of which are in +@read +@transaction, on that one
key, as by %R~votes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.domain import Domain, Kind, ListedDomain, read_items
from privtopk.impl.scores.protocols import LARGEST_DOMAIN, LARGEST_SCORE, Source
from privtopk.impl.sources.redis.connection import (
    Address,
    Command,
    RedisConnection,
    address_of,
    open_connection,
)
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.table import negative_score_error, require_declared
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from redis import Redis

TRIP_PRICE: Final = 64.0
"""One more query takes as long as reading 64 entries, through a unix socket."""

TIMEOUT: Final = 10.0
"""Seconds to wait for an answer of the server, or for its next part."""

CHUNK: Final = 2**16
"""Entries per command; 2^16 block the server for its other clients for about 50 ms."""

OLDEST: Final = (6, 2)
"""The first version with ZMSCORE and with ZRANGE ... REV."""


class RedisScores:
    """A sorted set that nobody modifies during a selection."""

    def __init__(
        self,
        address: "str | Redis",
        key: str,
        *,
        domain: DomainLike | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Check that the set can be read; members are fetched here only for a public domain.

        The address is a URL (redis://, rediss:// or unix://) or a client, of which only the
        settings are used. If the domain consists of whole numbers, members like "7" are returned
        as numbers; the items of a public domain are texts.
        """
        declared = require_declared(domain)
        self._key = required_key(key)
        self._address: Address = address_of(address, key, timeout)
        with self._watch_key(("ZCARD", self._key)) as (connection, _):
            self.domain: Domain = (
                public_domain(connection, self._key) if isinstance(declared, str) else declared
            )

    def __repr__(self) -> str:
        """Return the server, the key and the domain, without user and password."""
        return f"RedisScores({self._address.place}, domain={self.domain!r})"

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores after a check; leaving the context raises if the set was modified."""
        with self._watch_key(
            ("ZCARD", self._key),
            ("ZCOUNT", self._key, "-inf", "(0"),
            ("ZCOUNT", self._key, LARGEST_SCORE, "+inf"),
        ) as (connection, counts):
            require_sound(self.domain, *counts)
            yield View(self.domain, RedisQuery(connection, self._key, self.domain.kind), TRIP_PRICE)

    @contextmanager
    def _watch_key(self, *commands: Command) -> Iterator[tuple[RedisConnection, list[Any]]]:
        """Yield a connection that watches the set, and the answers to some first commands.

        A modification may be the reason for an error, so it is looked for after errors too.
        """
        with open_connection(self._address) as connection:
            _, greeting, *answers = connection.ask(("WATCH", self._key), ("HELLO",), *commands)
            require_server(self._address.place, by_name(greeting))
            try:
                yield connection, answers
            except SelectionError:
                if connection.is_intact:
                    self._require_untouched(connection)
                raise
            self._require_untouched(connection)

    def _require_untouched(self, connection: RedisConnection) -> None:
        """Raise if the set was modified since the start of the selection."""
        if connection.ask(("MULTI",), ("EXEC",))[-1] is None:
            raise SelectionError(
                Reason.CHANGED_SOURCE,
                f"{self._address.place} was written to while it was read; nothing was selected, "
                "so the call can be repeated",
            )


class RedisQuery:
    """The entries of a sorted set while it is watched."""

    def __init__(self, connection: RedisConnection, key: bytes, kind: Kind) -> None:
        self._connection = connection
        self._key = key
        self._kind = kind
        self._place = 0

    def rewind(self) -> None:
        """Go back to the first entry."""
        self._place = 0

    def best(self, count: int) -> Rows:
        """Return the next entries by descending score; ties are in the order of their bytes."""
        rows = self._entries(self._place, count, "REV")
        self._place += len(rows.items)
        return rows

    def of(self, items: list[Any]) -> Rows:
        """Return the entries of some items."""
        members = members_of(items, self._kind)
        answers: list[bytes | None] = []
        for start in range(0, len(members), CHUNK):
            command = ("ZMSCORE", self._key, *members[start : start + CHUNK])
            answers += self._connection.ask(command)[0]
        if None in answers:
            items = [item for item, score in zip(items, answers, strict=True) if score is not None]
        return Rows(items, [float(score) for score in answers if score is not None])

    def all(self) -> Rows:
        """Return all entries."""
        return self._entries(0, LARGEST_DOMAIN)

    def _entries(self, start: int, count: int, *order: str) -> Rows:
        """Return the entries at some ranks, fewer at the end; one command fetches one chunk."""
        entries: list[bytes] = []
        wanted = 2 * count
        while len(entries) < wanted:
            first = start + len(entries) // 2
            last = min(start + count, first + CHUNK) - 1
            command = ("ZRANGE", self._key, first, last, *order, "WITHSCORES")
            page = self._connection.ask(command)[0]
            entries += page
            if len(page) < 2 * (last - first + 1):
                break
        return by_column(entries, self._kind)


def by_column(entries: list[bytes], kind: Kind) -> Rows:
    """Return a flat list of alternating members and scores as two columns."""
    return Rows(items_of(entries[::2], kind), list(map(float, entries[1::2])))


def members_of(items: list[Any], kind: Kind) -> list[Any]:
    """Return items as members; the driver sends a number in its plain decimal spelling."""
    if kind is int:
        return items
    try:
        return [item.encode() for item in items]
    except UnicodeEncodeError:
        raise undecodable_member_error() from None


def items_of(members: list[bytes], kind: Kind) -> list[Any]:
    """Return members as items."""
    try:
        texts = [member.decode() for member in members]
    except UnicodeDecodeError:
        raise undecodable_member_error() from None
    return texts if kind is str else read_items(texts).tolist()


def public_domain(connection: RedisConnection, key: bytes) -> Domain:
    """Return the members as a domain, in an order that does not depend on their scores."""
    members = RedisQuery(connection, key, str).all().items
    if len(members) == 0:
        raise SelectionError(
            Reason.EMPTY_DOMAIN, "the sorted set is empty or missing, so it declares no domain"
        )
    return ListedDomain(sorted(members), is_public=True)


def by_name(greeting: list[Any]) -> dict[str, Any]:
    """Return the facts that a server reports about itself, by name."""
    return {name.decode(): fact for name, fact in zip(greeting[::2], greeting[1::2], strict=True)}


def require_server(place: str, facts: dict[str, Any]) -> None:
    """Refuse a server that cannot watch a key or that lacks a command."""
    version = facts["version"].decode()
    if tuple(map(int, version.split(".")[:2])) < OLDEST:
        raise unsupported_server_error(place, f"runs version {version}")
    if facts["mode"] != b"standalone":
        raise unsupported_server_error(place, f"runs in the mode {facts['mode'].decode()}")
    if facts["role"] != b"master":
        raise unsupported_server_error(place, f"has the role {facts['role'].decode()}")


def require_sound(domain: Domain, members: int, below: int, above: int) -> None:
    """Refuse a set with invalid scores, or with more members than the domain has items."""
    if below:
        raise negative_score_error()
    if above:
        raise SelectionError(
            Reason.SCORE_OUT_OF_RANGE,
            f"every score in Redis must be below 2^53 = {LARGEST_SCORE}: doubles cannot "
            "distinguish larger whole numbers",
        )
    if members > domain.size:
        raise SelectionError(
            Reason.UNKNOWN_ITEM,
            f"the sorted set has a member outside the declared domain {domain!r}",
        )


def required_key(key: object) -> bytes:
    """Return the name of a sorted set as bytes."""
    if not isinstance(key, str):
        raise SelectionError(Reason.WRONG_TYPE, f"key must be a text, got {type(key).__name__}")
    return key.encode("utf-8", "surrogateescape")


def unsupported_server_error(place: str, fact: str) -> SelectionError:
    """Return the error of a server that is not supported."""
    return SelectionError(
        Reason.UNREACHABLE_SOURCE,
        f"{place} {fact}; Redis must be version 6.2 or newer, no replica and not in a cluster",
    )


def undecodable_member_error() -> SelectionError:
    """Return the error of a member that is not a text."""
    return SelectionError(Reason.WRONG_TYPE, "every member must be a text in UTF-8")
