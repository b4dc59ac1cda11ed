"""Errors of drivers quote stored values and passwords; no error of a source shows either.

Each case provokes an error that holds a secret. All that the raised exception refers to is
searched: its arguments, cause, context, notes and traceback.
"""

import csv
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import duckdb
import pytest

from duckdb_samples import csv_file, database, parquet_file
from postgresql_votes import FIVE, votes
from privtopk.impl.commands.cli import main
from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.measurement.servers.redis import RedisServer
from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.scores.protocols import Source, Store
from privtopk.impl.sources.duckdb.scores import DuckdbScores
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.sources.redis.scores import RedisScores
from privtopk.impl.sources.spark.scores import SparkScores
from privtopk.impl.sources.sqlite import SqliteScores
from privtopk.impl.sources.table import Declared
from privtopk.impl.sources.votes import DuckdbVotes
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import SelectionError
from spark_session import SPARK, spark_session
from support import shown_by

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Opened: TypeAlias = Callable[[], Source | Store]

pytestmark = pytest.mark.filterwarnings("ignore::privtopk.impl.sources.faults.SlowSourceWarning")

WORD = "s3cr" + "et"
"""The secret, built from pieces, because a traceback quotes the lines of this file."""

FRUIT = ListedDomain(["fig", "pear"])


def error_of(opened: Opened) -> SelectionError:
    """Return the error of opening scores, or of reading all of them by both doors."""
    with pytest.raises(SelectionError) as caught:
        select(opened)
    return caught.value


def select(opened: Opened) -> None:
    """Open scores, and select from them by both doors."""
    scores = opened()
    for engine in ("batched", "one-shot"):
        top_k(scores, 2, epsilon=1, engine=engine)


def in_sqlite(folder: Path, item: str, domain: Declared) -> Opened:
    """Return a table of SQLite with one item, or a view that computes it from the secret."""
    path = folder / "votes.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE clients (name TEXT)")
        connection.execute("INSERT INTO clients VALUES (?)", (WORD,))
        connection.execute(f"CREATE VIEW votes AS SELECT {item} AS item, 5 AS score FROM clients")
        connection.commit()
    return lambda: SqliteScores(path, "votes", domain=domain)


@pytest.mark.parametrize("domain", ["public", FRUIT, RangeDomain(1, 5, str)], ids=str)
@pytest.mark.parametrize(
    "item",
    ["CAST(name || x'ff' AS TEXT)", "json_extract('{}', name)", "name", "CAST(name AS BLOB)"],
)
def test_a_value_in_sqlite(tmp_path: Path, item: str, domain: Declared) -> None:
    """Neither a text that is not UTF-8 nor a wrong argument nor an unknown item is shown."""
    if (item, domain) == ("name", "public"):
        domain = RangeDomain(1, 5)
    assert WORD not in shown_by(error_of(in_sqlite(tmp_path, item, domain)))


def in_duckdb(folder: Path, expression: str) -> Opened:
    """Return a view of DuckDB that computes a number from the secret."""
    path = database(
        folder,
        "CREATE TABLE clients (name VARCHAR)",
        f"INSERT INTO clients VALUES ('{WORD}')",
        f"CREATE VIEW votes AS SELECT {expression} AS item, 5 AS score FROM clients",
    )
    return lambda: DuckdbScores(path, "votes", domain=FIVE)


def malformed_csv(folder: Path) -> Opened:
    """Return a CSV file with a line that has too many fields."""
    path = csv_file(folder / "votes.csv", "item,score", "1,2", f"{WORD},5,6")
    return lambda: DuckdbScores(path, domain=FRUIT)


def latin_csv(folder: Path) -> Opened:
    """Return a CSV file with a header that is not UTF-8."""
    path = folder / "votes.csv"
    path.write_bytes(f"item,score,{WORD}".encode() + b"\xff\n1,2\n")
    return lambda: DuckdbScores(path, domain=FRUIT)


def long_csv(folder: Path) -> Opened:
    """Return a CSV file with a header that is too long for Python's reader."""
    path = csv_file(folder / "votes.csv", f"{WORD}{'x' * csv.field_size_limit()},item", "1,2")
    return lambda: DuckdbScores(path, domain=FRUIT)


def malformed_votes(folder: Path) -> Opened:
    """Return votes with a line that has too many fields."""
    path = csv_file(folder / "votes.csv", "client,item", "ann,fig", f"{WORD},fig,6")
    return lambda: DuckdbVotes(path, domain=FRUIT)


def foreign_csv(folder: Path) -> Opened:
    """Return a CSV file with an item outside the domain."""
    path = csv_file(folder / "votes.csv", "item,score", f"{WORD},5")
    return lambda: DuckdbScores(path, domain=FRUIT)


def foreign_parquet(folder: Path) -> Opened:
    """Return a Parquet file with a text that is not a number of the domain."""
    path = parquet_file(folder / "votes.parquet", f"SELECT '{WORD}' AS item, 5 AS score")
    return lambda: DuckdbScores(path, domain=FIVE)


@pytest.mark.parametrize(
    "make", [malformed_csv, latin_csv, long_csv, malformed_votes, foreign_csv, foreign_parquet]
)
def test_a_value_in_a_file(tmp_path: Path, make: Callable[[Path], Opened]) -> None:
    """Neither a line nor a header nor an unknown item is shown."""
    assert WORD not in shown_by(error_of(make(tmp_path)))


@pytest.mark.parametrize(
    "expression",
    [
        "CAST(name AS INTEGER)",
        "CAST(error(name) AS INTEGER)",
        "day(strptime(name, '%Y'))",
        "regexp_matches('a', name || '[')::INTEGER",
    ],
)
def test_a_value_in_duckdb(tmp_path: Path, expression: str) -> None:
    """The argument of a failing function is not shown."""
    assert WORD not in shown_by(error_of(in_duckdb(tmp_path, expression)))


RAISING = """
CREATE FUNCTION fail(name text) RETURNS bigint LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'no %', name USING ERRCODE = '42501'; END $$
"""


@pytest.mark.parametrize("item", ["CAST(name AS bigint)", "fail(name)", "CAST(name AS xml)::text"])
def test_a_value_in_postgresql(postgresql: PostgresqlServer, item: str) -> None:
    """Neither the text of a failed conversion nor that of a function is shown."""
    postgresql.execute(
        RAISING,
        "CREATE TABLE clients (name text)",
        f"INSERT INTO clients VALUES ('<{WORD}')",
        f"CREATE VIEW votes AS SELECT {item} AS item, 5 AS score FROM clients",
    )
    domain = FRUIT if item.endswith("text") else FIVE
    assert WORD not in shown_by(error_of(lambda: votes(postgresql, domain=domain)))


@pytest.mark.parametrize("domain", [FRUIT, FIVE], ids=repr)
def test_a_stranger_in_postgresql(postgresql: PostgresqlServer, domain: Domain) -> None:
    """An item outside the domain is not shown."""
    postgresql.execute(
        "CREATE TABLE votes (item text PRIMARY KEY, score int NOT NULL)",
        f"INSERT INTO votes VALUES ('{WORD}', 5)",
    )
    assert WORD not in shown_by(error_of(lambda: votes(postgresql, domain=domain)))


@pytest.mark.parametrize("engine", ["batched", "one-shot"])
@pytest.mark.parametrize(
    ("member", "domain"),
    [
        (WORD.encode() + b"\xff", FRUIT),
        (WORD.encode(), FRUIT),
        (WORD.encode(), FIVE),
        (WORD.encode(), ListedDomain([1, 2])),
    ],
)
def test_a_member_in_redis(
    redis_server: RedisServer, member: bytes, domain: Domain, engine: str
) -> None:
    """Neither a member that is not UTF-8 nor an unknown one is shown."""
    with redis_server.client() as client:
        client.flushall()
        client.zadd("votes", {member: 5})
    scores = RedisScores(redis_server.url, "votes", domain=domain)
    with pytest.raises(SelectionError) as caught:
        top_k(scores, 2, epsilon=1, engine=engine)
    assert WORD not in shown_by(caught.value)


@contextmanager
def answering_server(answer: bytes) -> Iterator[int]:
    """Yield the port of a server that gives one answer to everything that it receives."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            while connection.recv(2**16):
                connection.sendall(answer)

    with socket.create_server(("localhost", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(10)


@pytest.mark.parametrize(
    "answer",
    [
        "-ERR unknown command 'AUTH', with args beginning with: 'ann' '{}'\r\n",
        "-ERR invalid password {}\r\n",
        "-WRONGPASS {} is wrong\r\n",
        "?{}\r\n",
    ],
)
def test_a_password_that_a_server_repeats(answer: str) -> None:
    """The answer of a server to AUTH is not shown if it has the password."""
    with answering_server(answer.format(WORD).encode()) as port:
        error = error_of(
            lambda: RedisScores(f"redis://ann:{WORD}@localhost:{port}", "votes", domain=FRUIT)
        )
    assert WORD not in shown_by(error)


@pytest.mark.parametrize("address", ["redis://:{}@host:x", "redis://host?db={}", "redis:/:{}@host"])
def test_a_wrong_address_of_redis(address: str) -> None:
    """A URL that is not understood is not shown."""
    error = error_of(lambda: RedisScores(address.format(WORD), "votes", domain=FRUIT))
    assert WORD not in shown_by(error)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:/ann:{}@host/votes",
        "postgresql://ann:{}@host:port/votes",
        "postgresql://ann:x@{}@localhost/votes",
        "postgresql://ann:{}@localhost:1/votes?no_such_option=1",
        "postgresql://ann:{}@localhost:1/votes",
    ],
)
def test_a_wrong_address_of_postgresql(address: str) -> None:
    """A URL that is not understood, or where nobody listens, is not shown."""
    error = error_of(lambda: PostgresqlScores(address.format(WORD), "votes", domain=FIVE))
    assert WORD not in shown_by(error)


@pytest.mark.parametrize(
    "address", ["postgresql:/ann:{}@host/votes", "redis:/:{}@host", "rediss//:{}@host/0"]
)
def test_a_mistyped_address_on_the_command_line(
    capsys: pytest.CaptureFixture[str], address: str
) -> None:
    """The command prints no part of it, and ends with code 2."""
    chosen = ["--table", "votes", "--domain", "5", "-k", "1", "--epsilon", "1"]
    assert main(["select", address.format(WORD), *chosen]) == 2
    assert capsys.readouterr() == (
        "",
        "privtopk: there is no such file; an address must begin with one of postgresql://, "
        "postgres://, redis://, rediss://, unix:// (it is not shown here, because it may contain a "
        "password)\n",
    )


def failing_cast(session: "SparkSession") -> "DataFrame":
    """Return a frame in which a text cannot be converted."""
    return session.sql(f"SELECT CAST('{WORD}' || id AS INT) AS item, 5 AS score FROM range(1)")


def failing_function(session: "SparkSession") -> "DataFrame":
    """Return a frame with a function of Python that raises an exception."""

    def fail(number: int) -> int:
        raise ValueError(f"[{WORD.upper()}_{number}] {WORD}")

    session.udf.register("fail", fail, "int")
    return session.sql("SELECT fail(id) AS item, 5 AS score FROM range(1)")


def raised_error(session: "SparkSession") -> "DataFrame":
    """Return a frame that raises an error with a text of its own."""
    return session.sql(f"SELECT raise_error('[{WORD.upper()}_X] {WORD}') AS item, 5 AS score")


@SPARK[0]
@SPARK[1]
@pytest.mark.parametrize("make", [failing_cast, failing_function, raised_error])
def test_a_value_in_spark(tmp_path: Path, make: "Callable[[SparkSession], DataFrame]") -> None:
    """Spark's exception, with its Java trace, is not part of the error."""
    rows = make(spark_session(tmp_path)).selectExpr("CAST(item AS INT) AS item", "score")
    shown = shown_by(error_of(lambda: SparkScores(rows, domain=FIVE)))
    assert [word for word in (WORD, WORD.upper()) if word in shown] == []


def test_the_search_finds_a_secret_anywhere() -> None:
    """A secret is found in a note, a cause, a hidden context and an exception among arguments."""
    noted, caused = ValueError(), ValueError()
    noted.add_note(WORD)
    caused.__cause__ = ValueError(WORD)
    nested = ValueError(OSError(ValueError(WORD)))
    with pytest.raises(ValueError, match="hidden") as hidden:
        raise_over(duckdb.Error(WORD))
    for error in (noted, caused, nested, hidden.value):
        assert WORD in shown_by(error)


def raise_over(error: Exception) -> None:
    """Raise an exception whose traceback hides another one, which it still refers to."""
    try:
        raise error
    except Exception:
        raise ValueError("hidden") from None
