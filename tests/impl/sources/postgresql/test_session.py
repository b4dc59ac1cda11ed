"""Facts about errors in a transaction and their messages."""

import psycopg
import pytest
import sqlalchemy

from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.sources.postgresql.session import escape_colons, translate_driver_errors
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal


def test_an_error_shows_no_value(postgresql: PostgresqlServer) -> None:
    """A message of the server that may quote a row is not passed on; its kind is."""
    postgresql.execute(
        "CREATE TABLE texts (item int PRIMARY KEY, n text)",
        "INSERT INTO texts VALUES (1, '17 or so')",
        "CREATE INDEX ON texts (n, item)",
        "CREATE VIEW votes AS SELECT item, CAST(n AS bigint) AS score FROM texts",
    )
    with pytest.warns(UserWarning, match="is a full scan"):
        scores = PostgresqlScores(postgresql.address(), "votes", domain=RangeDomain(1, 5))
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.FAULTY_SOURCE,
        "postgresql:///postgres cannot be read: it raised InvalidTextRepresentation",
    )


def raise_while_reading(error: Exception) -> None:
    """Raise an error inside the translation."""
    with translate_driver_errors("postgresql://host/votes"):
        raise error


@pytest.mark.parametrize(
    ("error", "reason", "said"),
    [
        (psycopg.errors.AdminShutdown("going\ndown"), Reason.UNREACHABLE_SOURCE, "going"),
        (psycopg.errors.UndefinedTable("no votes"), Reason.UNKNOWN_COLUMN, "no votes"),
        (psycopg.errors.InvalidSchemaName("no place"), Reason.UNKNOWN_COLUMN, "no place"),
        (psycopg.errors.NumericValueOutOfRange("17"), Reason.FAULTY_SOURCE, None),
        (psycopg.errors.RaiseException("17"), Reason.FAULTY_SOURCE, None),
    ],
)
def test_what_the_server_says(error: Exception, reason: Reason, said: str | None) -> None:
    """The first line of messages about connections, names and rights is passed on."""
    wrapped = sqlalchemy.exc.DBAPIError("SELECT 1", {}, error)
    words = f"it raised {type(error).__name__}" if said is None else said
    assert refusal(lambda: raise_while_reading(wrapped)) == (
        reason,
        f"postgresql://host/votes cannot be read: {words}",
    )


def test_a_pool_without_connections(postgresql: PostgresqlServer) -> None:
    """Errors of SQLAlchemy itself are passed on too."""
    postgresql.execute(
        "CREATE TABLE votes (item int PRIMARY KEY, score int NOT NULL)",
        "CREATE INDEX ON votes (score, item)",
    )
    address = postgresql.address().replace("postgresql:", "postgresql+psycopg:")
    engine = sqlalchemy.create_engine(address, pool_size=1, max_overflow=0, pool_timeout=0.01)
    scores = PostgresqlScores(engine, "votes", domain=RangeDomain(1, 5))
    with engine.connect():
        reason, said = refusal(lambda: top_k(scores, 1, epsilon=1))
    assert reason is Reason.UNREACHABLE_SOURCE
    assert said.partition(" (Background")[0] == (
        "postgresql:///postgres cannot be read: QueuePool limit of size 1 overflow 0 reached, "
        "connection timed out, timeout 0.01"
    )
    engine.dispose()


@pytest.mark.parametrize("name", ["a:b", " :b", r"\:b", "::b:", "a:b:c", ":1"])
def test_no_colon_stands_for_a_value(postgresql: PostgresqlServer, name: str) -> None:
    """A text with colons arrives unchanged."""
    address = postgresql.address().replace("postgresql:", "postgresql+psycopg:")
    engine = sqlalchemy.create_engine(address)
    with engine.connect() as connection:
        found = connection.execute(sqlalchemy.text(escape_colons(f"SELECT '{name}'"))).scalar()
    engine.dispose()
    assert found == name
