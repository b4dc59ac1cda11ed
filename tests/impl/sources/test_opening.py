"""Facts about the stores that addresses open."""

import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from duckdb_samples import csv_file
from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.measurement.servers.redis import RedisServer
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.opening import (
    ReadRequest,
    StoreKind,
    open_scores,
    open_votes,
    parse_domain,
    store_kind_of,
)
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal, shown_by

CREATE = "CREATE TABLE votes (item INTEGER PRIMARY KEY, score INTEGER NOT NULL)"
ROWS = "INSERT INTO votes VALUES (1, 5), (2, 900), (3, 40)"
INDEX = "CREATE INDEX by_score ON votes (score, item)"
THREE = RangeDomain(1, 3)

WORD = "s3cr" + "et"
"""Built from pieces, because a traceback quotes the lines of this file."""


def best(scores: Source | Store) -> tuple[object, ...]:
    """Return the item far ahead of the others."""
    return top_k(scores, 1, epsilon=1).items


def in_sqlite(folder: Path) -> str:
    """Return a database of SQLite with three items."""
    path = folder / "votes"
    with closing(sqlite3.connect(path)) as connection:
        for statement in (f"{CREATE} STRICT", ROWS, INDEX):
            connection.execute(statement)
        connection.commit()
    return str(path)


def in_duckdb(folder: Path) -> str:
    """Return a database of DuckDB with three items."""
    path = folder / "votes.db"
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(CREATE)
        connection.execute(ROWS)
    return str(path)


@pytest.mark.parametrize("make", [in_sqlite, in_duckdb])
def test_a_database_is_known_by_its_first_bytes(tmp_path: Path, make: object) -> None:
    """A database is opened by its content, whatever its name."""
    address = make(tmp_path) if callable(make) else ""
    assert best(open_scores(ReadRequest(address, "votes", "item", THREE), "score")) == (2,)


@pytest.mark.parametrize("name", ["votes.csv", "VOTES.CSV", "it's.csv"])
def test_scores_in_a_text(tmp_path: Path, name: str) -> None:
    """A CSV file is recognised by its ending."""
    path = tmp_path / name
    path.write_text("id,n\n1,5\n2,900\n3,40\n")
    assert best(open_scores(ReadRequest(str(path), None, "id", THREE), "n")) == (2,)


def test_votes_in_a_text(tmp_path: Path) -> None:
    """A client counts once per item, however often it votes, and progress is reported."""
    path = tmp_path / "votes.csv"
    rows = [f"{client},2" for client in range(600)] + ["ann,3"] * 5000
    path.write_text("\n".join(["who,what", *rows]))
    told: list[float] = []
    assert best(open_votes(ReadRequest(str(path), None, "what", THREE), "who", told.append)) == (2,)
    assert told[-1] == 1


def test_scores_in_postgresql(postgresql: PostgresqlServer) -> None:
    """A URL of PostgreSQL opens a table."""
    postgresql.execute(CREATE, ROWS, INDEX)
    wanted = ReadRequest(postgresql.address(), "votes", "item", THREE)
    assert best(open_scores(wanted, "score")) == (2,)


def test_scores_in_redis(redis_server: RedisServer) -> None:
    """A URL of Redis opens a sorted set."""
    with redis_server.client() as client:
        client.flushall()
        client.zadd("votes", {"1": 5, "2": 900})
    assert best(open_scores(ReadRequest(redis_server.url, "votes", "item", THREE), "score")) == (2,)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("postgresql://somewhere/votes", StoreKind.POSTGRESQL),
        ("postgres://somewhere/votes", StoreKind.POSTGRESQL),
        ("postgresql+psycopg://somewhere/votes", StoreKind.POSTGRESQL),
        ("rediss://somewhere", StoreKind.REDIS),
        ("unix:///run/redis.sock", StoreKind.REDIS),
        ("votes-*.parquet", StoreKind.FILE),
        ("votes.csv.gz", StoreKind.FILE),
    ],
)
def test_addresses_are_known_by_their_beginning_or_end(address: str, place: StoreKind) -> None:
    """The kind of store is found without opening anything."""
    assert store_kind_of(address) is place


def test_an_unknown_scheme() -> None:
    """The message lists the known schemes, but not the address, which may contain a password."""
    assert refusal(lambda: store_kind_of("mysql://root:secret@host/votes")) == (
        Reason.UNREACHABLE_SOURCE,
        "an address must begin with one of postgresql, postgres, redis, rediss, unix, got 'mysql'",
    )


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:/ann:{}@host/votes",
        "postgresql//ann:{}@host/votes",
        "postgres:ann:{}",
        "Redis:/:{}",
        "unix:/:{}",
        "ann:{}@host/votes.csv",
        "redis:/:{}/votes.parquet",
        "file://ann:{}@host/votes",
    ],
)
def test_a_mistyped_address_is_not_shown(address: str) -> None:
    """The message says how an address begins, and shows no part that may be a password."""
    with pytest.raises(SelectionError) as caught:
        store_kind_of(address.format(WORD))
    assert caught.value.reason is Reason.UNREACHABLE_SOURCE
    assert "an address must begin with one of postgresql" in str(caught.value)
    assert WORD not in shown_by(caught.value)


@pytest.mark.parametrize("name", ["votes@home.csv", "redis.csv", "redis votes.csv"])
def test_a_file_may_look_like_an_address(tmp_path: Path, name: str) -> None:
    """A file that exists is read, whatever its name."""
    path = csv_file(tmp_path / name, "item,score", "1,5", "2,900", "3,40")
    assert best(open_scores(ReadRequest(str(path), None, "item", THREE), "score")) == (2,)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The message has the text of the operating system."""
    path = str(tmp_path / "none.db")
    assert refusal(lambda: store_kind_of(path)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{path} cannot be read: No such file or directory",
    )


def test_a_file_of_something_else(tmp_path: Path) -> None:
    """The message lists what can be read."""
    path = tmp_path / "votes.txt"
    path.write_text("1,5\n")
    assert refusal(lambda: store_kind_of(str(path))) == (
        Reason.UNREACHABLE_SOURCE,
        f"{path} must be a database of SQLite or DuckDB, or end in one of "
        ".csv, .csv.gz, .tsv, .tsv.gz, .parquet",
    )


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("redis://host", "Redis needs the name of a key of a sorted set: pass --table"),
        ("postgresql://host/db", "PostgreSQL needs the name of a table: pass --table"),
    ],
)
def test_a_table_must_be_named(address: str, message: str) -> None:
    """A missing table is refused before any connection."""
    wanted = ReadRequest(address, None, "item", THREE)
    assert refusal(lambda: open_scores(wanted, "score")) == (Reason.UNKNOWN_COLUMN, message)


def test_votes_are_counted_from_files() -> None:
    """Votes on a server are refused; the message has the statement that counts them there."""
    wanted = ReadRequest("postgresql://host/db", "votes", "item", THREE)
    assert refusal(lambda: open_votes(wanted, "client", lambda share: None)) == (
        Reason.WRONG_TYPE,
        "votes are counted from CSV, Parquet and DuckDB, not from PostgreSQL: count them there, "
        "SELECT item, COUNT(DISTINCT client) AS score ... GROUP BY item, and select from the "
        "counts",
    )


def test_an_address_is_not_shown() -> None:
    """The repr of a request shows no password."""
    assert "secret" not in repr(ReadRequest("redis://:secret@host", "votes", "item", THREE))


@pytest.mark.parametrize(
    ("text", "shown"), [("5", "1..5"), ("-3..4", "-3..4"), ("domain.txt", "2 listed items")]
)
def test_domains_as_people_write_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, shown: str
) -> None:
    """A domain is a number, a range or a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.txt").write_text("fig\npear\n")
    assert repr(parse_domain(text)) == shown


def test_a_public_domain() -> None:
    """The word `public` declares a public domain."""
    assert parse_domain("public") == "public"


@pytest.mark.parametrize("text", ["9" * 5000, f"1..{'9' * 5000}"])
def test_a_domain_of_long_numbers(text: str) -> None:
    """Numbers with more digits than Python reads are refused as out of range."""
    assert refusal(lambda: parse_domain(text)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"a range must lie between -2^62 and 2^62, got numbers of {len(text)} characters",
    )


def test_a_domain_file_with_an_impossible_name() -> None:
    """A name with a zero byte is refused as a file that cannot be read."""
    assert refusal(lambda: parse_domain("a\0b")) == (
        Reason.UNREACHABLE_SOURCE,
        r"the domain in a\x00b cannot be read: embedded null byte",
    )
