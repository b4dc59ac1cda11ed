"""Facts about the catalogue's entries of a table: names, types, constraints and indexes."""

import psycopg
import pytest

from postgresql_votes import (
    FIVE,
    INDEX,
    ITEMS,
    STRICT,
    all_entries,
    caller_engine,
    statements_of,
    votes,
    votes_with_rows,
)
from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.scores.domain import ListedDomain
from privtopk.impl.sources.faults import SlowSourceWarning
from privtopk.impl.sources.postgresql.scores import PostgresqlScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal

NAMES = ['the "votes', "it;em", "sc:ore", " :x", r"\:y", "100%", "%(items)s", "Ö", "a" * 62]


@pytest.mark.parametrize("name", NAMES)
def test_names_may_contain_anything(postgresql: PostgresqlServer, name: str) -> None:
    """Names of schemas, tables and columns may contain quotes, colons and percent signs."""
    schema, item, score = map(identifier, (name, f"{name}i", f"{name}s"))
    postgresql.execute(
        f"DROP SCHEMA IF EXISTS {schema} CASCADE",
        f"CREATE SCHEMA {schema}",
        f"CREATE TABLE {schema}.{schema} ({item} int PRIMARY KEY, {score} int NOT NULL)",
        f"CREATE INDEX ON {schema}.{schema} ({score}, {item})",
        f"INSERT INTO {schema}.{schema} VALUES (2, 900), (3, 1)",
    )
    scores = PostgresqlScores(
        postgresql.address(),
        name,
        schema=name,
        item=f"{name}i",
        score=f"{name}s",
        domain=FIVE,
    )
    with scores.snapshot() as source:
        assert all_entries(source)[1] == [0, 900, 1, 0, 0]
    assert top_k(scores, 1, epsilon=1, engine="one-shot").items == (2,)


def identifier(name: str) -> str:
    """Return a name as the driver quotes it."""
    return psycopg.sql.Identifier(name).as_string()


def test_a_schema_beside_the_search_path(postgresql: PostgresqlServer) -> None:
    """The search path decides only if no schema is given."""
    votes_with_rows(postgresql, "(1, 900)")
    postgresql.execute(
        "DROP SCHEMA IF EXISTS audit CASCADE",
        "CREATE SCHEMA audit",
        "CREATE TABLE audit.votes (item int PRIMARY KEY, score int NOT NULL)",
        "CREATE INDEX ON audit.votes (score, item)",
        "INSERT INTO audit.votes VALUES (2, 900)",
    )
    path = f"{postgresql.address()}&options=-csearch_path%3Daudit"
    found = [
        top_k(PostgresqlScores(address, "votes", schema=schema, domain=FIVE), 1, epsilon=1).items
        for address in (postgresql.address(), path)
        for schema in (None, "audit", "public")
    ]
    assert found == [(1,), (2,), (1,), (2,), (2,), (1,)]


def test_a_type_with_a_name_of_its_own(postgresql: PostgresqlServer) -> None:
    """A column whose type is a PostgreSQL domain counts as its base type."""
    scores = votes(
        postgresql,
        "CREATE DOMAIN tally AS bigint CHECK (VALUE >= 0)",
        "CREATE TABLE votes (item text PRIMARY KEY, score tally NOT NULL)",
        INDEX,
        "INSERT INTO votes VALUES ('fig', 900)",
        domain=ListedDomain(["fig", "pear"]),
    )
    assert top_k(scores, 1, epsilon=1).items == ("fig",)


def test_a_view_can_be_read(postgresql: PostgresqlServer) -> None:
    """A view has no constraints, so its rows are checked."""
    votes_with_rows(postgresql, "(1, 5), (2, 900), (3, 7)")
    postgresql.execute("CREATE VIEW popular AS SELECT item, score FROM votes WHERE score > 6")
    scores = PostgresqlScores(postgresql.address(), "popular", domain=FIVE)
    assert top_k(scores, 1, epsilon=1).items == (2,)
    postgresql.execute(
        "CREATE OR REPLACE VIEW popular AS SELECT * FROM votes UNION ALL TABLE votes"
    )
    assert refusal(lambda: top_k(scores, 1, epsilon=1))[0] is Reason.DUPLICATE_ITEM


def test_a_materialised_view_can_be_read(postgresql: PostgresqlServer) -> None:
    """A materialised view can have indexes, and shows new rows after a refresh."""
    votes_with_rows(postgresql, "(1, 5), (2, 900)")
    postgresql.execute(
        "CREATE MATERIALIZED VIEW kept AS TABLE votes",
        "CREATE UNIQUE INDEX ON kept (item)",
        "CREATE INDEX ON kept (score, item)",
    )
    scores = PostgresqlScores(postgresql.address(), "kept", domain=FIVE)
    postgresql.execute("UPDATE votes SET score = 905 - score")
    assert top_k(scores, 1, epsilon=1).items == (2,)
    postgresql.execute("REFRESH MATERIALIZED VIEW kept")
    assert top_k(scores, 1, epsilon=1).items == (1,)


PARTITIONED = (
    "CREATE TABLE votes (item int PRIMARY KEY, score int NOT NULL) PARTITION BY HASH (item)",
    "CREATE TABLE half PARTITION OF votes FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
    "CREATE TABLE rest PARTITION OF votes FOR VALUES WITH (MODULUS 2, REMAINDER 1)",
    INDEX,
)


def test_a_partitioned_table_can_be_read(postgresql: PostgresqlServer) -> None:
    """Indexes of a partitioned table deliver its rows in order across the partitions."""
    rows = "INSERT INTO votes VALUES (1, 5), (2, 900), (3, 7), (4, 7), (5, 6)"
    with votes(postgresql, *PARTITIONED, rows).snapshot() as source:
        assert all_entries(source) == (
            [(1, 900), (3, 7), (2, 7), (4, 6), (0, 5)],
            [5, 900, 7, 7, 6],
        )


@pytest.mark.parametrize("table", [(STRICT, INDEX), PARTITIONED])
def test_constraints_are_not_checked_again(
    postgresql: PostgresqlServer, table: tuple[str, ...]
) -> None:
    """If a key forbids NULL and repeated items, only the ranges of numbers are checked."""
    postgresql.execute(*table)
    with caller_engine(postgresql) as engine, statements_of(engine) as heard:
        top_k(PostgresqlScores(engine, "votes", domain=FIVE), 1, epsilon=1)
    (looked,) = [statement for statement in heard if statement.startswith("SELECT EXISTS")]
    assert looked.count("EXISTS") == 4
    assert "NULL" not in looked
    assert "HAVING" not in looked


@pytest.mark.parametrize(
    ("columns", "row", "reason"),
    [
        ("item int PRIMARY KEY, score int", "(1, NULL)", Reason.MISSING_SCORE),
        ("item int UNIQUE, score int NOT NULL", "(NULL, 1)", Reason.UNKNOWN_ITEM),
    ],
)
def test_both_columns_must_forbid_nulls(
    postgresql: PostgresqlServer, columns: str, row: str, reason: Reason
) -> None:
    """A column that may be NULL is checked, even if the other one is NOT NULL."""
    table, fill = f"CREATE TABLE votes ({columns})", f"INSERT INTO votes VALUES {row}"
    scores = votes(postgresql, table, INDEX, fill)
    assert refusal(lambda: scores.snapshot().__enter__())[0] is reason


def test_rows_of_tables_that_inherit_are_checked(postgresql: PostgresqlServer) -> None:
    """A table shows the rows of tables that inherit from it, but its key does not hold there."""
    postgresql.execute(
        STRICT,
        INDEX,
        "CREATE TABLE more () INHERITS (votes)",
        "CREATE UNIQUE INDEX ON more (item)",
        "CREATE INDEX ON more (score, item)",
        "INSERT INTO votes VALUES (1, 5)",
        "INSERT INTO more VALUES (1, 6)",
    )
    scores = votes(postgresql)
    assert refusal(lambda: scores.snapshot().__enter__())[0] is Reason.DUPLICATE_ITEM
    postgresql.execute(
        "ALTER TABLE more ALTER score DROP NOT NULL", "UPDATE more SET item = 2, score = NULL"
    )
    assert refusal(lambda: scores.snapshot().__enter__())[0] is Reason.MISSING_SCORE


@pytest.mark.parametrize(
    ("table", "schema", "item", "message"),
    [
        ("ballots", None, "item", "postgresql:///postgres has no table 'ballots'"),
        ("votes", "audits", "item", "postgresql:///postgres has no table 'audits.votes'"),
        ("votes_pkey", None, "item", "postgresql:///postgres has no table 'votes_pkey'"),
        ("a" * 64, None, "item", f"postgresql:///postgres has no table '{'a' * 64}'"),
        ("votes", "b" * 64, "item", f"postgresql:///postgres has no table '{'b' * 64}.votes'"),
        ("votes", None, "name", "table 'votes' has no column 'name'; it has 'item', 'score'"),
        (
            'votes"; DROP TABLE votes; --',
            None,
            "item",
            """postgresql:///postgres has no table 'votes"; DROP TABLE votes; --'""",
        ),
        (
            "votes",
            None,
            'item" FROM votes; --',
            """table 'votes' has no column 'item" FROM votes; --'; it has 'item', 'score'""",
        ),
    ],
)
def test_names_are_those_of_the_catalogue(
    postgresql: PostgresqlServer, table: str, schema: str | None, item: str, message: str
) -> None:
    """A name that is not in the catalogue reaches no statement; no name is cut to 63 bytes."""
    cut, columns = ("a" * 63, "b" * 63), "(item int PRIMARY KEY, score int NOT NULL)"
    postgresql.execute(
        STRICT,
        INDEX,
        "ALTER TABLE votes ADD gone int",
        "ALTER TABLE votes DROP gone",
        f"CREATE TABLE {cut[0]} {columns}",
        f"DROP SCHEMA IF EXISTS {cut[1]} CASCADE",
        f"CREATE SCHEMA {cut[1]}",
        f"CREATE TABLE {cut[1]}.votes {columns}",
    )

    def connect() -> object:
        return PostgresqlScores(postgresql.address(), table, schema=schema, item=item, domain=FIVE)

    assert refusal(connect) == (Reason.UNKNOWN_COLUMN, message)


@pytest.mark.parametrize(
    ("item", "score", "message"),
    [
        (
            "uuid",
            "bigint",
            "items must be of type smallint, integer, bigint, text, character varying, got uuid in "
            "column 'item'; a view can convert it",
        ),
        (
            "char(9)",
            "bigint",
            "items must be of type smallint, integer, bigint, text, character varying, got "
            "character in column 'item'; a view can convert it",
        ),
        (
            "bigint",
            "real",
            "scores must be of type smallint, integer, bigint, numeric, double precision, got real "
            "in column 'score'; a view can convert it",
        ),
        (
            "date",
            "text",
            "scores must be of type smallint, integer, bigint, numeric, double precision, got text "
            "in column 'score'; a view can convert it",
        ),
    ],
)
def test_types_that_are_not_supported(
    postgresql: PostgresqlServer, item: str, score: str, message: str
) -> None:
    """Identifiers, dates, padded texts and single precision are refused by name."""
    postgresql.execute(f"CREATE TABLE votes (item {item} PRIMARY KEY, score {score})")
    assert refusal(lambda: PostgresqlScores(postgresql.address(), "votes", domain=FIVE)) == (
        Reason.WRONG_TYPE,
        message,
    )


def test_a_type_that_is_not_supported_can_be_converted(postgresql: PostgresqlServer) -> None:
    """A view can convert UUIDs to texts."""
    key = "6f1e7b3c-0000-4000-8000-000000000001"
    scores = votes(
        postgresql,
        "CREATE TABLE tallies (id uuid, n bigint)",
        "CREATE UNIQUE INDEX ON tallies (CAST(id AS text))",
        "CREATE INDEX ON tallies (n, CAST(id AS text))",
        f"INSERT INTO tallies VALUES ('{key}', 900)",
        "CREATE VIEW votes AS SELECT CAST(id AS text) AS item, n AS score FROM tallies",
        domain=ListedDomain([key, "another"]),
    )
    assert top_k(scores, 1, epsilon=1).items == (key,)


UNIQUE = 'CREATE UNIQUE INDEX ON "public"."votes" ("item")'
BY_SCORE = 'CREATE INDEX ON "public"."votes" ("score", "item")'
FLAW = (
    'CREATE INDEX ON "public"."votes" ("score") '
    """WHERE ("score" <> floor("score") OR "score" = 'NaN')"""
)
LOOSE = "CREATE TABLE votes (item int, score int)"
HALVES = (
    "CREATE TABLE votes (item int, score numeric) PARTITION BY RANGE (score)",
    "CREATE TABLE half PARTITION OF votes FOR VALUES FROM (0) TO (100)",
    "CREATE TABLE rest PARTITION OF votes DEFAULT",
)


@pytest.mark.parametrize("rows", [0, 300])
@pytest.mark.parametrize(
    ("statements", "trouble", "missing"),
    [
        ((LOOSE,), "query of", (BY_SCORE, UNIQUE)),
        ((STRICT,), "query of", (BY_SCORE,)),
        ((STRICT, "CREATE INDEX ON votes (score)"), "query of", (BY_SCORE,)),
        (
            (STRICT, "CREATE INDEX ON votes (score, item) WHERE score > 5"),
            "query of",
            (BY_SCORE,),
        ),
        ((LOOSE, INDEX), "query of", (UNIQUE,)),
        ((LOOSE, INDEX, ITEMS), "selection from", (UNIQUE,)),
        (
            (LOOSE, INDEX, ITEMS, "CREATE UNIQUE INDEX ON votes (item) WHERE score > 5"),
            "selection from",
            (UNIQUE,),
        ),
        (
            (LOOSE, INDEX, ITEMS, "CREATE UNIQUE INDEX ON votes (item, score)"),
            "selection from",
            (UNIQUE,),
        ),
        (
            (LOOSE, INDEX, ITEMS, "CREATE UNIQUE INDEX ON votes ((item + 1))"),
            "selection from",
            (UNIQUE,),
        ),
        (
            ("CREATE TABLE votes (item int PRIMARY KEY, score float)", INDEX),
            "selection from",
            (FLAW,),
        ),
        (
            ("CREATE TABLE votes (item text, score numeric)",),
            "query of",
            (BY_SCORE, UNIQUE, FLAW),
        ),
        (HALVES, "query of", (BY_SCORE, UNIQUE.replace("UNIQUE ", ""), FLAW)),
    ],
)
def test_a_missing_index_is_named(
    postgresql: PostgresqlServer,
    statements: tuple[str, ...],
    trouble: str,
    missing: tuple[str, ...],
    rows: int,
) -> None:
    """If a scan is needed, the warning lists the statements that avoid it, and they do."""
    fill = f"INSERT INTO votes SELECT i, i FROM generate_series(1, {rows}) i"
    postgresql.execute(*statements, fill, "ANALYZE")
    with pytest.warns(SlowSourceWarning) as caught:
        PostgresqlScores(postgresql.address(), "votes", domain=FIVE)
    (warning,) = caught
    expected = f"every {trouble} 'votes' is a full scan; to avoid it, run: {'; '.join(missing)}"
    assert (str(warning.message), warning.filename) == (expected, __file__)
    votes(postgresql, *missing)


def test_a_broken_index_guarantees_nothing(postgresql: PostgresqlServer) -> None:
    """An index whose construction failed does not make items unique."""
    postgresql.execute(LOOSE, INDEX, ITEMS, "INSERT INTO votes VALUES (1, 5), (1, 6)")
    with pytest.raises(psycopg.errors.UniqueViolation):
        postgresql.execute("CREATE UNIQUE INDEX CONCURRENTLY ON votes (item)")
    with pytest.warns(SlowSourceWarning, match="^every selection from 'votes' is a full scan"):
        scores = votes(postgresql)
    assert refusal(lambda: top_k(scores, 1, epsilon=1))[0] is Reason.DUPLICATE_ITEM


def test_an_index_may_descend(postgresql: PostgresqlServer) -> None:
    """An index in either direction has the order of the scores."""
    votes(postgresql, STRICT, "CREATE INDEX ON votes (score DESC, item DESC)")


def test_a_view_cannot_be_indexed(postgresql: PostgresqlServer) -> None:
    """For a view without indexes behind it the warning lists no statement."""
    postgresql.execute(LOOSE, "CREATE VIEW popular AS SELECT * FROM votes")
    expected = (
        "^every query of 'popular' is a full scan; to avoid it, index the tables behind the view$"
    )
    with pytest.warns(SlowSourceWarning, match=expected):
        PostgresqlScores(postgresql.address(), "popular", domain=FIVE)


def test_a_view_of_fractions_causes_no_warning(postgresql: PostgresqlServer) -> None:
    """The rows of a view are checked by a scan, and no index of the view could avoid that."""
    votes(
        postgresql,
        "CREATE TABLE tallies (item int PRIMARY KEY, score numeric NOT NULL)",
        "CREATE INDEX ON tallies (score, item)",
        "CREATE VIEW votes AS TABLE tallies",
    )


def test_constraints_are_those_of_the_moment(postgresql: PostgresqlServer) -> None:
    """A table that has lost its key is checked by a scan."""
    scores = votes_with_rows(postgresql, "(1, 900)")
    postgresql.execute("ALTER TABLE votes DROP CONSTRAINT votes_pkey")
    postgresql.execute("INSERT INTO votes VALUES (1, 5)")
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.DUPLICATE_ITEM,
        "an item has more than one row",
    )
