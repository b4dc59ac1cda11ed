"""Facts about addresses: which are accepted, which are refused, and that no password is shown."""

import logging
import sys
from pathlib import Path

import pytest
import sqlalchemy

from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.scores.domain import RangeDomain
from privtopk.impl.sources.postgresql.address import TIMEOUTS, engine_of, place_of
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason, SelectionError
from support import refusal, shown_by

SECRET = "s3cr3t"
FIVE = RangeDomain(1, 5)

MALFORMED = (
    Reason.WRONG_TYPE,
    "the address must be an engine of SQLAlchemy or a URL like "
    "postgresql://user:password@host/database; within a name or password an @ must be "
    "written as %40 and a / as %2F",
)


@pytest.mark.parametrize(
    "scheme", ["postgresql", "postgres", "postgresql+psycopg2", "postgresql+asyncpg"]
)
def test_the_driver_is_always_the_same(scheme: str) -> None:
    """An address may name another driver, or none."""
    engine = engine_of(f"{scheme}://ann:{SECRET}@host:5433/votes?sslmode=require")
    assert (engine.dialect.driver, engine.url.password) == ("psycopg", SECRET)
    assert (engine.url.port, engine.url.query) == (5433, {"sslmode": "require"})


@pytest.mark.parametrize(
    ("address", "place"),
    [
        (f"postgresql://ann:{SECRET}@host/votes", "postgresql://host/votes"),
        (f"postgresql://ann:{SECRET}@host:5433/votes", "postgresql://host:5433/votes"),
        (f"postgresql://ann:{SECRET}@[::1]:5433/votes", "postgresql://[::1]:5433/votes"),
        (f"postgresql:///votes?host=/run&user=ann&password={SECRET}", "postgresql:///votes"),
        (f"postgresql://ann:%40{SECRET}%2F@host", "postgresql://host"),
    ],
)
def test_what_is_shown_of_an_address(address: str, place: str) -> None:
    """Host and database are shown, but neither user nor password."""
    assert place_of(engine_of(address)) == place


@pytest.mark.parametrize(
    "address",
    [
        f"{SECRET}",
        "",
        f"postgresql://ann:{SECRET}@{SECRET}@host/votes",
        f"postgresql://ann:{SECRET}@{SECRET}:x@host/votes",
        f"postgresql://an/n:{SECRET}@host/votes",
        f"postgresql://ann:{SECRET}@host:{SECRET}/votes",
        f"postgresql://host:{SECRET}",
        f"postgresql:///votes?host=one,two&port=1,2,3&password={SECRET}",
        f"postgresql:///votes?plugin={SECRET}",
        None,
        7,
    ],
)
def test_addresses_that_cannot_be_read(address: str) -> None:
    """The message shows no part of a malformed address."""
    with pytest.raises(SelectionError) as caught:
        engine_of(address)
    assert (caught.value.reason, str(caught.value)) == MALFORMED
    assert SECRET not in shown_by(caught.value)


def test_an_address_of_another_database() -> None:
    """Other databases are refused by name."""
    assert refusal(lambda: engine_of(f"mysql+pymysql://ann:{SECRET}@host/votes")) == (
        Reason.WRONG_TYPE,
        "the address must begin with postgresql://, got mysql+pymysql://",
    )


def test_an_engine_of_another_database() -> None:
    """An engine must be for PostgreSQL and use the tested driver."""
    assert refusal(lambda: engine_of(sqlalchemy.create_engine("sqlite://"))) == (
        Reason.WRONG_TYPE,
        "the engine must use postgresql+psycopg, got sqlite+pysqlite",
    )


@pytest.mark.parametrize("module", ["sqlalchemy", "psycopg"])
def test_the_driver_is_an_extra(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Without the driver the error names the extra that installs it."""
    monkeypatch.setitem(sys.modules, module, None)
    assert refusal(lambda: PostgresqlScores("postgresql:///votes", "votes", domain=FIVE)) == (
        Reason.MISSING_PACKAGE,
        f"{module} is not installed; pip install 'privtopk[postgresql]'",
    )


def test_a_server_that_does_not_answer_is_given_up(postgresql: PostgresqlServer) -> None:
    """A host that does not answer is given up after a time, which the URL can set."""
    address = f"{postgresql.address()}&keepalives_idle=7"
    engine = engine_of(address)
    with engine.connect() as connection:
        driver = connection.connection.dbapi_connection
        assert driver is not None
        found = driver.info.get_parameters()
    engine.dispose()
    expected = {name: str(seconds) for name, seconds in TIMEOUTS.items()}
    assert {name: found.get(name) for name in TIMEOUTS} == {**expected, "keepalives_idle": "7"}


def create_guarded_table(server: PostgresqlServer) -> None:
    """Create a table and a user with a password who may read it."""
    server.execute(
        "CREATE TABLE votes (item int PRIMARY KEY, score int NOT NULL)",
        "CREATE INDEX ON votes (score, item)",
        "INSERT INTO votes VALUES (2, 900)",
        "DROP ROLE IF EXISTS ann",
        f"CREATE ROLE ann LOGIN PASSWORD '{SECRET}'",
        "GRANT USAGE ON SCHEMA public TO ann",
        "GRANT SELECT ON votes TO ann",
    )


def test_a_password_is_needed_and_suffices(postgresql: PostgresqlServer) -> None:
    """A password may be before the host or in the query of the URL."""
    create_guarded_table(postgresql)
    query = f"postgresql:///postgres?host={postgresql.folder}&user=ann&password={SECRET}"
    for address in (postgresql.address("ann", SECRET), query):
        scores = PostgresqlScores(address, "votes", domain=FIVE)
        assert top_k(scores, 1, epsilon=1).items == (2,)


FAILURES = {
    "a wrong password": (
        "ann",
        f"{SECRET}!",
        "postgres",
        'FATAL:  password authentication failed for user "ann"',
    ),
    "an unknown database": ("ann", SECRET, "none", 'FATAL:  database "none" does not exist'),
    "an unknown user": (
        "bob",
        SECRET,
        "postgres",
        'FATAL:  password authentication failed for user "bob"',
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_user_who_is_refused(postgresql: PostgresqlServer, failure: str) -> None:
    """The server's own message is passed on; it shows no password."""
    create_guarded_table(postgresql)
    user, password, database, words = FAILURES[failure]
    address = postgresql.address(user, password, database)
    with pytest.raises(SelectionError) as caught:
        PostgresqlScores(address, "votes", domain=FIVE)
    assert (caught.value.reason, str(caught.value)) == (
        Reason.UNREACHABLE_SOURCE,
        f"postgresql:///{database} cannot be read: connection failed: connection to server on "
        f'socket "{postgresql.folder}/.s.PGSQL.5432" failed: {words}',
    )
    assert SECRET not in shown_by(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:{secret}@/votes?host={folder}",
        "postgresql:///votes?host={folder}&user=ann&password={secret}",
        "postgresql://ann:{secret}@localhost:1/votes",
        "postgresql://ann:{secret}@/votes?host={folder}&no_such_option=1",
        "postgresql://ann:{secret}@/votes?host={folder}&connect_timeout=soon",
    ],
)
def test_where_nobody_listens(tmp_path: Path, address: str) -> None:
    """An address where nothing listens is unreachable, and the error shows no password."""
    given = address.format(secret=SECRET, folder=tmp_path)
    with pytest.raises(SelectionError) as caught:
        PostgresqlScores(given, "votes", domain=FIVE)
    assert caught.value.reason is Reason.UNREACHABLE_SOURCE
    assert " cannot be read: " in str(caught.value)
    assert SECRET not in shown_by(caught.value)


def test_no_password_is_logged_or_represented(
    postgresql: PostgresqlServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the log nor the repr shows a password, and statements are logged without values."""
    create_guarded_table(postgresql)
    logging.getLogger("sqlalchemy").setLevel(logging.DEBUG)
    try:
        scores = PostgresqlScores(postgresql.address("ann", SECRET), "votes", domain=FIVE)
        top_k(scores, 1, epsilon=1)
    finally:
        logging.getLogger("sqlalchemy").setLevel(logging.NOTSET)
    assert "SELECT" in caplog.text
    assert SECRET not in caplog.text
    assert "[SQL parameters hidden due to hide_parameters=True]" in caplog.text
    assert SECRET not in f"{scores} {scores!r} {vars(scores)}"
