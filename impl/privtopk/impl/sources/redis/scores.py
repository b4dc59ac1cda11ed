"""Scores in a sorted set of Redis: its members are the items, its scores the scores.

Redis cannot hold a set still while others write. A selection watches the set from before its
first question until after its last; if anybody has touched it meanwhile, there is no selection.
To write the same score again is no touch; to set a time to live, or to put an equal set into its
place, is one.

Scores are doubles, which do not tell 2^53 from 2^53 + 1, so they must be below 2^53. Negative
scores and too large ones are found before anything is read, fractions and members outside the
domain only where they are read. A refusal depends on the votes, so do not publish it. A set that
is not there is an empty one: all items score 0.

Redis 6.2 or newer; no replica and no cluster. A user needs +watch +multi +exec +zrange +zmscore
+zcard +zcount, all of which are in +@read +@transaction, on that one key, as by %R~votes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from privtopk.impl.scores.domain import Domain, Kind, ListedDomain, read_items
from privtopk.impl.scores.protocols import LARGEST_DOMAIN, LARGEST_SCORE, Source
from privtopk.impl.sources.faults import undeclared
from privtopk.impl.sources.redis.connection import Address, Command, Line, address_of, opened
from privtopk.impl.sources.rows import Rows
from privtopk.impl.sources.table import Declared, negative
from privtopk.impl.sources.view import View
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from redis import Redis

TRIP_PRICE: Final = 64.0
"""So many entries come in the time of one more question, through a unix socket."""

PATIENCE: Final = 10.0
"""Seconds to wait for the server to answer or to go on answering."""

CHUNK: Final = 2**16
"""Entries of one command: it keeps the server from its other clients for some 50 ms."""

OLDEST: Final = (6, 2)
"""The first version with ZMSCORE and with ZRANGE ... REV."""


class RedisScores:
    """A sorted set, as it is while nobody writes to it."""

    def __init__(
        self,
        address: "str | Redis",
        key: str,
        *,
        domain: Declared | None = None,
        timeout: float = PATIENCE,
    ) -> None:
        """Look whether the set can be read; members are fetched for a public domain only.

        The address is a URL (redis://, rediss:// or unix://) or a client; a client is asked how
        to connect and nothing else, so it stays as it is. The items of a domain of whole numbers
        are members like "7" and come back as numbers; those of a public domain are texts.
        """
        if domain is None or (isinstance(domain, str) and domain != "public"):
            raise undeclared()
        self._key = required_key(key)
        self._address: Address = address_of(address, key, timeout)
        with self._watched(("ZCARD", self._key)) as (line, _):
            self.domain: Domain = public(line, self._key) if isinstance(domain, str) else domain

    def __repr__(self) -> str:
        """Return where the scores are, without user and password."""
        return f"RedisScores({self._address.place}, domain={self.domain!r})"

    @property
    def size(self) -> int:
        """The number m of items of the declared domain."""
        return self.domain.size

    @contextmanager
    def snapshot(self) -> Iterator[Source]:
        """Yield the scores after a look for wrong ones; leaving raises if the set was touched."""
        with self._watched(
            ("ZCARD", self._key),
            ("ZCOUNT", self._key, "-inf", "(0"),
            ("ZCOUNT", self._key, LARGEST_SCORE, "+inf"),
        ) as (line, counts):
            require_sound(self.domain, *counts)
            yield View(self.domain, RedisQuery(line, self._key, self.domain.kind), TRIP_PRICE)

    @contextmanager
    def _watched(self, *questions: Command) -> Iterator[tuple[Line, list[Any]]]:
        """Yield a connection that watches the set, and the answers to some first questions.

        A set that was touched makes readers stumble, so that is looked for after errors too.
        """
        with opened(self._address) as line:
            _, greeting, *answers = line.ask(("WATCH", self._key), ("HELLO",), *questions)
            require_server(self._address.place, by_name(greeting))
            try:
                yield line, answers
            except SelectionError:
                if line.is_intact:
                    self._require_untouched(line)
                raise
            self._require_untouched(line)

    def _require_untouched(self, line: Line) -> None:
        """Refuse what was read if the set may have changed since it is watched."""
        if line.ask(("MULTI",), ("EXEC",))[-1] is None:
            raise SelectionError(
                Reason.CHANGED_SOURCE,
                f"{self._address.place} was written to while it was read; nothing was selected, "
                "so the call can be repeated",
            )


class RedisQuery:
    """The entries of a sorted set, while it is watched."""

    def __init__(self, line: Line, key: bytes, kind: Kind) -> None:
        self._line = line
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
        members = written(items, self._kind)
        answers: list[bytes | None] = []
        for start in range(0, len(members), CHUNK):
            command = ("ZMSCORE", self._key, *members[start : start + CHUNK])
            answers += self._line.ask(command)[0]
        if None in answers:
            items = [item for item, score in zip(items, answers, strict=True) if score is not None]
        return Rows(items, [float(score) for score in answers if score is not None])

    def all(self) -> Rows:
        """Return all entries."""
        return self._entries(0, LARGEST_DOMAIN)

    def _entries(self, start: int, count: int, *order: str) -> Rows:
        """Return the entries at some ranks, a chunk at a time; fewer at the end."""
        entries: list[bytes] = []
        wanted = 2 * count
        while len(entries) < wanted:
            first = start + len(entries) // 2
            last = min(start + count, first + CHUNK) - 1
            command = ("ZRANGE", self._key, first, last, *order, "WITHSCORES")
            page = self._line.ask(command)[0]
            entries += page
            if len(page) < 2 * (last - first + 1):
                break
        return by_column(entries, self._kind)


def by_column(entries: list[bytes], kind: Kind) -> Rows:
    """Return members and scores, which come by turns, as two columns."""
    return Rows(read(entries[::2], kind), list(map(float, entries[1::2])))


def written(items: list[Any], kind: Kind) -> list[Any]:
    """Return items as members; the driver writes a number in the one way that has no frills."""
    if kind is int:
        return items
    try:
        return [item.encode() for item in items]
    except UnicodeEncodeError:
        raise undecodable() from None


def read(members: list[bytes], kind: Kind) -> list[Any]:
    """Return members as items."""
    try:
        texts = [member.decode() for member in members]
    except UnicodeDecodeError:
        raise undecodable() from None
    return texts if kind is str else read_items(texts).tolist()


def public(line: Line, key: bytes) -> Domain:
    """Return the members as a domain, in an order that tells nothing of their scores."""
    members = RedisQuery(line, key, str).all().items
    if len(members) == 0:
        raise SelectionError(
            Reason.EMPTY_DOMAIN, "the sorted set is empty or missing, so it declares no domain"
        )
    return ListedDomain(sorted(members))


def by_name(greeting: list[Any]) -> dict[str, Any]:
    """Return what a server says of itself."""
    return {name.decode(): fact for name, fact in zip(greeting[::2], greeting[1::2], strict=True)}


def require_server(place: str, facts: dict[str, Any]) -> None:
    """Refuse servers on which a set cannot be watched, or whose scores cannot be asked for."""
    version = facts["version"].decode()
    if tuple(map(int, version.split(".")[:2])) < OLDEST:
        raise unsupported(place, f"runs version {version}")
    if facts["mode"] != b"standalone":
        raise unsupported(place, f"is of a {facts['mode'].decode()}")
    if facts["role"] != b"master":
        raise unsupported(place, f"is of a {facts['role'].decode()}")


def require_sound(domain: Domain, members: int, below: int, above: int) -> None:
    """Refuse a set that has wrong scores, or more members than there are items."""
    if below:
        raise negative()
    if above:
        raise SelectionError(
            Reason.SCORE_OUT_OF_RANGE,
            f"every score in Redis must be below 2^53 = {LARGEST_SCORE}: beyond, doubles do not "
            "tell whole numbers apart",
        )
    if members > domain.size:
        raise SelectionError(
            Reason.UNKNOWN_ITEM,
            f"the sorted set has a member outside the declared domain {domain!r}",
        )


def required_key(key: object) -> bytes:
    """Return the name of a sorted set as Redis has it."""
    if not isinstance(key, str):
        raise SelectionError(Reason.WRONG_TYPE, f"key must be a text, got {type(key).__name__}")
    return key.encode("utf-8", "surrogateescape")


def unsupported(place: str, fact: str) -> SelectionError:
    """Return the error of a server that will not do."""
    return SelectionError(
        Reason.UNREACHABLE_SOURCE,
        f"{place} {fact}; Redis must be of version 6.2 or newer, alone and not a replica",
    )


def undecodable() -> SelectionError:
    """Return the error of a member that is no text."""
    return SelectionError(Reason.WRONG_TYPE, "every member must be a text in UTF-8")
