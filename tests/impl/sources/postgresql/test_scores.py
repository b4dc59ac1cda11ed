"""Facts about scores in PostgreSQL."""

import threading
import time
from typing import Any

import numpy as np
import psycopg
import pytest

from postgresql_votes import (
    FIVE,
    INDEX,
    STRICT,
    all_entries,
    caller_engine,
    statements_of,
    unconstrained_votes,
    votes,
    votes_with_rows,
)
from privtopk.impl.engines.choice import ENGINES, Engine
from privtopk.impl.measurement.servers.postgresql import PostgresqlServer
from privtopk.impl.scores.domain import ListedDomain, RangeDomain
from privtopk.impl.scores.protocols import Source
from privtopk.impl.sources.faults import SlowSourceWarning
from privtopk.impl.sources.postgresql.scores import PostgresqlScores, rows_of
from privtopk.impl.sources.table import Statements
from privtopk.impl.sources.view import View
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from support import refusal


def test_both_doors_lead_to_the_same_scores(postgresql: PostgresqlServer) -> None:
    """Rows come best first, then the items without a row, with score 0."""
    with votes_with_rows(postgresql, "(2, 70), (5, 900), (3, 0)").snapshot() as source:
        assert all_entries(source) == (
            [(4, 900), (1, 70), (2, 0), (0, 0), (3, 0)],
            [0, 70, 0, 0, 900],
        )


def test_a_dense_table(postgresql: PostgresqlServer) -> None:
    """If each item has a row, no zeros are added."""
    scores = votes_with_rows(postgresql, "(1, 8), (2, 7), (3, 9), (4, 7), (5, 1)", domain="public")
    with scores.snapshot() as source:
        assert all_entries(source) == (
            [(2, 9), (0, 8), (3, 7), (1, 7), (4, 1)],
            [8, 7, 9, 7, 1],
        )


def test_the_first_page_may_be_asked_for_again(postgresql: PostgresqlServer) -> None:
    """Going back starts a new cursor."""
    with votes_with_rows(postgresql, "(2, 70), (5, 900), (3, 1)").snapshot() as source:
        first = source.top(0, 2).items.tolist()
        assert (first, source.top(0, 2).items.tolist()) == ([4, 1], [4, 1])


LEADING = (
    STRICT,
    INDEX,
    "INSERT INTO votes VALUES (3, 6000000), (1, 5000000), (4, 4000000)",
    "INSERT INTO votes SELECT i, i % 5 FROM generate_series(5, 999) i",
)


@pytest.mark.parametrize("engine", [*ENGINES, Engine.AUTO])
def test_every_engine_finds_leaders_far_ahead(postgresql: PostgresqlServer, engine: Engine) -> None:
    """Items without a row can be selected; leaders far ahead always are."""
    scores = votes(postgresql, *LEADING, domain=RangeDomain(1, 2000))
    items = top_k(scores, 4, epsilon=4, engine=engine).items
    assert items[:3] == (3, 1, 4)
    assert items[3] in set(range(1, 2001)) - {3, 1, 4}


def test_many_items_are_one_parameter(postgresql: PostgresqlServer) -> None:
    """A statement has at most 65,535 parameters; a list is one of them."""
    scores = votes_with_rows(postgresql, "(70000, 5)", domain=RangeDomain(1, 100_000))
    with scores.snapshot() as source:
        found = source.scores(np.arange(100_000))
    assert (int(found.sum()), int(found[69_999])) == (5, 5)


@pytest.mark.parametrize("type_", ["text", "varchar", "varchar(20)"])
def test_items_may_be_texts(postgresql: PostgresqlServer, type_: str) -> None:
    """Items are the exact texts of the table, including quotes."""
    scores = votes(
        postgresql,
        f"CREATE TABLE votes (item {type_} PRIMARY KEY, score int NOT NULL)",
        INDEX,
        r"""INSERT INTO votes VALUES ('a''b\', 900), ('"', 1), ('{x,y}', 7), ('NULL', 3)""",
        domain=ListedDomain(["a'b\\", '"', "Ö", "{x,y}", "NULL", ""]),
    )
    assert top_k(scores, 1, epsilon=1).items == ("a'b\\",)
    with scores.snapshot() as source:
        assert source.scores(np.arange(6)).tolist() == [900, 1, 0, 7, 3, 0]


def test_a_table_of_texts_with_a_range_of_numbers(postgresql: PostgresqlServer) -> None:
    """A range also declares numbers that a table writes as texts."""
    scores = votes(
        postgresql,
        "CREATE TABLE votes (item text PRIMARY KEY, score int NOT NULL)",
        INDEX,
        "INSERT INTO votes VALUES ('10', 5), ('9', 900)",
        domain=RangeDomain(1, 10),
    )
    assert top_k(scores, 1, epsilon=1).items == ("9",)


def test_texts_that_a_collation_calls_equal_are_two_items(postgresql: PostgresqlServer) -> None:
    """Items are compared exactly, whatever the collation ignores."""
    scores = votes(
        postgresql,
        "CREATE COLLATION careless (provider = icu, locale = 'und-u-ks-level2', "
        "deterministic = false)",
        "CREATE TABLE votes (item text COLLATE careless PRIMARY KEY, score int NOT NULL)",
        INDEX,
        "INSERT INTO votes VALUES ('Fig', 900)",
        domain=ListedDomain(["fig", "Fig", "pear"]),
    )
    with scores.snapshot() as source:
        assert source.scores(np.array([0])).tolist() == [0]
        assert all_entries(source) == ([(1, 900), (0, 0), (2, 0)], [0, 900, 0])


BAD_ROWS = [
    ("bigint", "(1, 5), (2, NULL)", Reason.MISSING_SCORE, "no score may be NULL"),
    ("bigint", "(1, 5), (NULL, 4)", Reason.UNKNOWN_ITEM, "no item may be NULL"),
    ("bigint", "(1, 5), (2, -1)", Reason.NEGATIVE_SCORE, "no score may be negative"),
    (
        "bigint",
        "(1, 5), (2, 9007199254740993)",
        Reason.SCORE_OUT_OF_RANGE,
        "no score may exceed 2^53 = 9007199254740992",
    ),
    ("bigint", "(1, 5), (2, 4), (2, 4)", Reason.DUPLICATE_ITEM, "an item has more than one row"),
    (
        "bigint",
        "(1, 5), (6, 4)",
        Reason.UNKNOWN_ITEM,
        "the table has an item outside the declared domain 1..5",
    ),
    (
        "bigint",
        "(0, 5), (2, 4)",
        Reason.UNKNOWN_ITEM,
        "the table has an item outside the declared domain 1..5",
    ),
    *(
        (type_, f"(1, 5), (2, '{score}')", reason, message)
        for type_ in ("numeric", "double precision")
        for score, reason, message in [
            ("0.5", Reason.WRONG_TYPE, "every score must be a whole number"),
            ("NaN", Reason.WRONG_TYPE, "every score must be a whole number"),
            (
                "Infinity",
                Reason.SCORE_OUT_OF_RANGE,
                "no score may exceed 2^53 = 9007199254740992",
            ),
            ("-Infinity", Reason.NEGATIVE_SCORE, "no score may be negative"),
            ("-3", Reason.NEGATIVE_SCORE, "no score may be negative"),
        ]
    ),
]


@pytest.mark.parametrize(("score", "rows", "reason", "message"), BAD_ROWS)
def test_wrong_rows_are_refused_before_anything_is_read(
    postgresql: PostgresqlServer, score: str, rows: str, reason: Reason, message: str
) -> None:
    """An invalid row is found when the snapshot is opened, and no connection is left."""
    with unconstrained_votes(postgresql, rows, score) as scores:
        assert refusal(lambda: scores.snapshot().__enter__()) == (reason, message)
    assert postgresql.clients_left() == []


def test_what_would_come_first(postgresql: PostgresqlServer) -> None:
    """PostgreSQL sorts NULL above NaN and NaN above infinity; all three are refused."""
    postgresql.execute("CREATE TABLE sorted (score float)")
    postgresql.execute("INSERT INTO sorted VALUES (5), (NULL), ('NaN'), ('Infinity')")
    order = [str(score) for (score,) in postgresql.ask("TABLE sorted ORDER BY score DESC")]
    assert order == ["None", "nan", "inf", "5.0"]


@pytest.mark.parametrize("type_", ["smallint", "integer", "bigint", "numeric", "double precision"])
def test_whole_numbers_may_be_of_several_types(postgresql: PostgresqlServer, type_: str) -> None:
    """A score of 700.0 is a whole number."""
    scores = unconstrained_votes(postgresql, "(1, 5), (2, 700)", type_, "smallint")
    with scores.snapshot() as source:
        assert all_entries(source) == (
            [(1, 700), (0, 5), (2, 0), (3, 0), (4, 0)],
            [5, 700, 0, 0, 0],
        )
    assert top_k(scores, 1, epsilon=1).items == (2,)


@pytest.mark.parametrize("type_", ["bigint", "numeric", "double precision"])
def test_the_largest_score(postgresql: PostgresqlServer, type_: str) -> None:
    """A score of 2^53 is read exactly through every door."""
    scores = unconstrained_votes(postgresql, "(1, 5), (2, 9007199254740992)", type_)
    with scores.snapshot() as source:
        assert isinstance(source, View)
        doors = [source.top(0, 2).scores, source.scores(np.array([1, 0])), source.block(0, 2)[::-1]]
    assert [door.tolist() for door in doors] == [[2**53, 5]] * 3


def test_an_empty_table(postgresql: PostgresqlServer) -> None:
    """In an empty table every item of a declared domain has score 0; a public domain is refused."""
    scores = votes(postgresql, STRICT, INDEX)
    assert len(top_k(scores, 3, epsilon=1).items) == 3
    assert refusal(lambda: PostgresqlScores(postgresql.address(), "votes", domain="public")) == (
        Reason.EMPTY_DOMAIN,
        "the table is empty, so it declares no domain",
    )


def test_a_public_domain_is_that_of_the_table(postgresql: PostgresqlServer) -> None:
    """Consecutive numbers are a range; others are listed."""
    scores = votes_with_rows(postgresql, "(4, 1), (5, 2), (6, 0)", domain="public")
    assert repr(scores.domain) == "4..6"
    postgresql.execute("INSERT INTO votes VALUES (9, 1)")
    listed = PostgresqlScores(postgresql.address(), "votes", domain="public").domain
    assert listed.names(np.arange(4)) == [4, 5, 6, 9]


def test_a_public_domain_of_texts(postgresql: PostgresqlServer) -> None:
    """Texts are listed, in whatever order the collation has."""
    scores = votes(
        postgresql,
        'CREATE TABLE votes (item text COLLATE "und-x-icu" PRIMARY KEY, score int NOT NULL)',
        INDEX,
        "INSERT INTO votes VALUES ('1', 4), ('B', 1), ('a', 2), ('C', 900)",
        domain="public",
    )
    assert scores.domain.names(np.arange(4)) == ["1", "a", "B", "C"]
    assert top_k(scores, 1, epsilon=1).items == ("C",)


def test_a_domain_must_be_declared(postgresql: PostgresqlServer) -> None:
    """A missing declaration of the domain is refused."""
    postgresql.execute(STRICT, INDEX)
    refused = refusal(lambda: PostgresqlScores(postgresql.address(), "votes"))
    assert refused[0] is Reason.UNDECLARED_DOMAIN


@pytest.mark.parametrize("item", ["a\0b", "\ud800"])
def test_items_that_cannot_be_asked_for(postgresql: PostgresqlServer, item: str) -> None:
    """A domain with an item that PostgreSQL cannot hold is refused at once, not when it is read."""
    postgresql.execute("CREATE TABLE votes (item text PRIMARY KEY, score int NOT NULL)", INDEX)
    domain = ListedDomain(["fig", item])
    assert refusal(lambda: PostgresqlScores(postgresql.address(), "votes", domain=domain)) == (
        Reason.UNKNOWN_ITEM,
        "PostgreSQL cannot hold an item of the declared domain: texts must be Unicode without "
        "a zero character",
    )


def test_without_an_index_there_are_few_queries(postgresql: PostgresqlServer) -> None:
    """Without an index the price of a query is that of m items, otherwise that of a few."""
    postgresql.execute(STRICT)
    domain = RangeDomain(1, 10**6)
    with pytest.warns(SlowSourceWarning):
        slow = votes(postgresql, domain=domain)
    fast = votes(postgresql, INDEX, domain=domain)
    with slow.snapshot() as scanned, fast.snapshot() as indexed:
        assert isinstance(scanned, View)
        assert isinstance(indexed, View)
        assert (scanned.trip_price, indexed.trip_price) == (10**6, 100)
        assert (fast.costs, indexed.costs) == ((1, 3), (1, 3))
    assert top_k(slow, 10, epsilon=1, engine="batched").audit.round_trips <= 2


def test_a_list_has_the_type_of_the_column(postgresql: PostgresqlServer) -> None:
    """A list is sent as bigint; smallint would be slow to compare with bigint."""
    with postgresql.connection() as connection:
        sent = connection.execute("SELECT CAST(pg_typeof(%s) AS text)", [[1, 2]]).fetchall()
    assert sent == [("smallint[]",)]
    statement = rows_of(Statements("votes", "item", "score"), int)
    assert statement.endswith("WHERE item = ANY(CAST($1 AS bigint[]))")


def test_many_items_are_looked_up_by_the_index(postgresql: PostgresqlServer) -> None:
    """The index is used even for thousands of items, where the planner prefers a slower scan."""
    rows = "INSERT INTO votes SELECT i, 1 FROM generate_series(1, 50000) i"
    scores = votes(postgresql, STRICT, INDEX, rows, domain=RangeDomain(1, 50_000))
    postgresql.execute("VACUUM ANALYZE votes")
    wanted = np.arange(0, 48_000, 4)
    by_itself = f"EXPLAIN SELECT score FROM votes WHERE item IN ({','.join(map(str, wanted))})"
    assert any("Seq Scan" in line for (line,) in postgresql.ask(by_itself))
    with caller_engine(postgresql) as engine:
        scores = PostgresqlScores(engine, "votes", domain=RangeDomain(1, 50_000))
        with scores.snapshot() as source:
            before = scans_of(source)
            assert source.scores(wanted).tolist() == [1] * len(wanted)
            assert scans_of(source) == before


def scans_of(source: Source) -> int:
    """Return how often the table of a snapshot has been scanned in its transaction."""
    assert isinstance(source, View)
    ((scans,),) = source._query._ask(  # type: ignore[attr-defined]
        "SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relid = to_regclass('votes')"
    )
    assert isinstance(scans, int)
    return scans


def test_ties_have_one_order(postgresql: PostgresqlServer) -> None:
    """An update without a change moves a row on disk, but not its rank among ties."""
    tied = "INSERT INTO votes SELECT i, 7 FROM generate_series(1, 5) i"
    scores = votes(postgresql, STRICT, INDEX, tied)

    def order() -> list[int]:
        with scores.snapshot() as source:
            pages = [source.top(rank, 1) for rank in range(5)]
        return [int(page.items[0]) for page in pages]

    before, stored = order(), postgresql.ask("SELECT item FROM votes")
    postgresql.execute("UPDATE votes SET score = score WHERE item = 2")
    assert postgresql.ask("SELECT item FROM votes") != stored
    assert order() == before == [4, 3, 2, 1, 0]


def test_what_is_read_is_one_state(postgresql: PostgresqlServer) -> None:
    """A selection does not see what others write during it; the next one does."""
    scores = votes_with_rows(postgresql, "(1, 900), (2, 5)")
    with scores.snapshot() as source:
        before = source.scores(np.arange(5)).tolist()
        postgresql.execute("UPDATE votes SET score = 905 - score")
        assert all_entries(source) == ([(0, 900), (1, 5), (2, 0), (3, 0), (4, 0)], before)
    assert top_k(scores, 1, epsilon=1).items == (2,)


def test_a_weaker_isolation_would_mix_two_states(postgresql: PostgresqlServer) -> None:
    """The control: READ COMMITTED, the default, sees one item twice with different scores."""
    votes_with_rows(postgresql, "(1, 900), (2, 5)")
    with postgresql.connection() as connection:
        connection.execute("BEGIN")
        before = connection.execute("SELECT score FROM votes WHERE item = 1").fetchall()
        postgresql.execute("UPDATE votes SET score = 905 - score")
        after = connection.execute("SELECT score FROM votes WHERE item = 1").fetchall()
        connection.execute("ROLLBACK")
    assert (before, after) == ([(900,)], [(5,)])


REPLACE = ("TRUNCATE half", "INSERT INTO votes VALUES (4, 900)")


def create_halves(server: PostgresqlServer) -> None:
    """Create a table of two partitions, one of them empty."""
    server.execute(
        "CREATE TABLE votes (item int PRIMARY KEY, score int NOT NULL) PARTITION BY RANGE (item)",
        "CREATE TABLE half PARTITION OF votes FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE rest PARTITION OF votes FOR VALUES FROM (10) TO (20)",
        INDEX,
        "INSERT INTO votes VALUES (1, 900), (2, 5)",
        "CREATE VIEW shown AS TABLE votes",
    )


@pytest.mark.parametrize("table", ["half", "votes", "shown"])
def test_a_table_that_is_just_replaced(postgresql: PostgresqlServer, table: str) -> None:
    """A selection waits for a running TRUNCATE, also of a partition or of a table behind a view."""
    create_halves(postgresql)
    scores = PostgresqlScores(postgresql.address(), table, domain=FIVE)
    selected: list[object] = []
    with postgresql.connection() as writer:
        writer.execute("BEGIN")
        for statement in REPLACE:
            writer.execute(statement)
        selecting = threading.Thread(
            target=lambda: selected.append(top_k(scores, 1, epsilon=1).items)
        )
        selecting.start()
        wait_for_lock(postgresql)
        writer.execute("COMMIT")
        selecting.join()
    assert selected == [(4,)]


def wait_for_lock(server: PostgresqlServer) -> None:
    """Wait until a client waits for a lock."""
    while not server.ask("SELECT 1 FROM pg_locks WHERE NOT granted"):
        time.sleep(0.005)


def test_without_a_lock_a_table_that_is_replaced_looks_empty(
    postgresql: PostgresqlServer,
) -> None:
    """The control: a snapshot older than a TRUNCATE sees neither the old nor the new rows."""
    create_halves(postgresql)
    with postgresql.connection() as reader:
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        reader.execute("SELECT 1")
        with postgresql.connection() as writer, writer.transaction():
            for statement in REPLACE:
                writer.execute(statement)
        assert reader.execute("SELECT * FROM votes").fetchall() == []


def test_a_materialised_view_is_never_empty(postgresql: PostgresqlServer) -> None:
    """A snapshot older than a refresh sees all the new rows of a materialised view."""
    votes_with_rows(postgresql, "(1, 900), (2, 5)")
    postgresql.execute("CREATE MATERIALIZED VIEW kept AS TABLE votes")
    with postgresql.connection() as reader:
        reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        reader.execute("SELECT 1")
        postgresql.execute("UPDATE votes SET score = 3", "REFRESH MATERIALIZED VIEW kept")
        assert reader.execute("SELECT * FROM kept").fetchall() == [(1, 3), (2, 3)]


def test_truncating_waits_for_the_end_of_a_selection(postgresql: PostgresqlServer) -> None:
    """A selection holds a lock that blocks TRUNCATE but not UPDATE."""
    scores = votes_with_rows(postgresql, "(1, 900), (2, 5)")
    with scores.snapshot() as source:
        postgresql.execute("UPDATE votes SET score = 3")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            postgresql.execute("SET lock_timeout = 20", "TRUNCATE votes")
        assert source.scores(np.arange(2)).tolist() == [900, 5]


def test_items_that_have_become_texts(postgresql: PostgresqlServer) -> None:
    """A table whose items have changed their type is refused."""
    scores = votes_with_rows(postgresql, "(1, 900)")
    postgresql.execute("ALTER TABLE votes ALTER item TYPE text")
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.CHANGED_SOURCE,
        "the items of table 'votes' are of another type than before",
    )


def test_a_statement_ends_in_time(postgresql: PostgresqlServer) -> None:
    """The server ends a statement that takes too long."""
    slow = "CREATE VIEW slow AS SELECT * FROM votes WHERE pg_sleep(30) IS NOT NULL"
    votes_with_rows(postgresql, "(1, 900)")
    postgresql.execute(slow)
    with PostgresqlScores(postgresql.address(), "slow", domain=FIVE, timeout=0.1) as scores:
        assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
            Reason.UNREACHABLE_SOURCE,
            "postgresql:///postgres cannot be read: canceling statement due to statement timeout",
        )
        assert [state for _, state in postgresql.clients_left(1)] == ["idle"]


@pytest.mark.parametrize(("options", "limit"), [({}, 600_000), ({"timeout": 2.5}, 2500)])
def test_every_statement_has_a_time_limit(
    postgresql: PostgresqlServer, options: dict[str, Any], limit: int
) -> None:
    """The time limit is set before any other statement; the default is ten minutes."""
    votes_with_rows(postgresql, "(1, 900)")
    with caller_engine(postgresql) as engine, statements_of(engine) as heard:
        PostgresqlScores(engine, "votes", domain=FIVE, **options)
    begun = f"SET LOCAL statement_timeout = {limit}"
    assert heard[0] == begun
    assert f'{begun}; LOCK TABLE "public"."votes" IN ACCESS SHARE MODE' in heard


@pytest.mark.parametrize("timeout", [0, -1, 0.0001, 2_000_001, float("inf")])
def test_a_time_limit_that_cannot_be(timeout: float) -> None:
    """A time limit is positive and fits PostgreSQL's range."""
    assert refusal(lambda: PostgresqlScores("postgresql:///x", "votes", timeout=timeout)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"timeout must be between 0.001 and 2000000 seconds, got {timeout}",
    )


def test_reading_needs_the_right_to_read_only(postgresql: PostgresqlServer) -> None:
    """A user needs the right to SELECT from the table or view, and no other."""
    votes_with_rows(postgresql, "(1, 900)")
    postgresql.execute(
        "CREATE VIEW shown AS SELECT * FROM votes",
        "DROP ROLE IF EXISTS reader",
        "CREATE ROLE reader LOGIN PASSWORD 'pass'",
        "GRANT USAGE ON SCHEMA public TO reader",
        "GRANT SELECT ON shown TO reader",
    )
    address = postgresql.address("reader", "pass")
    assert top_k(PostgresqlScores(address, "shown", domain=FIVE), 1, epsilon=1).items == (1,)
    assert refusal(lambda: PostgresqlScores(address, "votes", domain=FIVE)) == (
        Reason.UNREACHABLE_SOURCE,
        "postgresql:///postgres cannot be read: permission denied for table votes",
    )
    postgresql.execute("GRANT SELECT ON votes TO reader")
    assert top_k(PostgresqlScores(address, "votes", domain=FIVE), 1, epsilon=1).items == (1,)


def test_an_engine_of_the_caller_is_kept(postgresql: PostgresqlServer) -> None:
    """Connections go back to the caller's pool unchanged and outside of any transaction."""
    votes_with_rows(postgresql, "(1, 900)")
    with caller_engine(postgresql, pool_size=1, max_overflow=0) as engine:
        scores = PostgresqlScores(engine, "votes", domain=FIVE)
        assert top_k(scores, 1, epsilon=1).items == (1,)
        postgresql.execute("INSERT INTO votes VALUES (2, -1)")
        refusal(lambda: top_k(scores, 1, epsilon=1))
        assert [state for _, state in postgresql.clients_left(1)] == ["idle"]
        with engine.begin() as connection:
            settings = [
                connection.exec_driver_sql(f"SHOW {name}").scalar()
                for name in ("transaction_isolation", "transaction_read_only", "statement_timeout")
            ]
    assert settings == ["read committed", "off", "0"]


def test_an_engine_that_commits_each_statement(postgresql: PostgresqlServer) -> None:
    """A selection is one read-only transaction, whatever the engine's own settings."""
    votes_with_rows(postgresql, "(1, 900), (2, 5)")
    with caller_engine(postgresql, isolation_level="AUTOCOMMIT") as engine:
        scores = PostgresqlScores(engine, "votes", domain=FIVE)
        with scores.snapshot() as source:
            source.top(0, 1)
            postgresql.execute("UPDATE votes SET score = 905 - score")
            assert source.scores(np.arange(2)).tolist() == [900, 5]


def test_nothing_can_be_written(postgresql: PostgresqlServer) -> None:
    """A function behind a view cannot write."""
    votes_with_rows(postgresql, "(1, 900)")
    postgresql.execute(
        "CREATE FUNCTION eager() RETURNS bool LANGUAGE sql AS "
        "'UPDATE votes SET score = 0 RETURNING true'",
        "CREATE VIEW writing AS SELECT * FROM votes WHERE eager()",
    )
    scores = PostgresqlScores(postgresql.address(), "writing", domain=FIVE)
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.FAULTY_SOURCE,
        "postgresql:///postgres cannot be read: it raised ReadOnlySqlTransaction",
    )
