"""Facts about SQLite's catalogue: the kind of the items, and which indexes rule out duplicates."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from privtopk.impl.engines.choice import Engine
from privtopk.impl.scores.domain import Domain, ListedDomain, RangeDomain
from privtopk.impl.sources.sqlite import SqliteScores
from privtopk.impl.sources.sqlite_catalogue import (
    Affinity,
    affinity_of,
    describe_table,
    domain_in_column,
)
from privtopk.impl.sources.table import Columns
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from sqlite_samples import database
from support import refusal

pytestmark = pytest.mark.filterwarnings("ignore::privtopk.impl.sources.faults.SlowSourceWarning")

DIGITS = ListedDomain(["1", "2"])
FRUIT = ListedDomain(["fig", "2"])
MANY = 20_000
"""More items than a selection reads."""


@pytest.mark.parametrize(
    "declared",
    ["", "INT", "POINT", "VARCHAR(9)", "CLOB", "TEXT", "BLOB", "REAL", "DATE", "DECIMAL(9, 2)"],
)
def test_an_affinity_is_that_of_sqlite(declared: str) -> None:
    """A text that spells a number is stored as SQLite's own rules say."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE votes (item {declared})")
        connection.execute("INSERT INTO votes VALUES ('7'), (7)")
        found = [kind for (kind,) in connection.execute("SELECT typeof(item) FROM votes")]
    stored = {
        Affinity.INTEGER: ["integer", "integer"],
        Affinity.TEXT: ["text", "text"],
        Affinity.NONE: ["text", "integer"],
        Affinity.NUMERIC: ["real" if declared == "REAL" else "integer"] * 2,
    }
    assert found == stored[affinity_of(declared)]


@pytest.mark.parametrize(
    ("affinity", "domain", "kind"),
    [
        (Affinity.INTEGER, RangeDomain(1, 2), int),
        (Affinity.INTEGER, DIGITS, int),
        (Affinity.TEXT, RangeDomain(1, 2), str),
        (Affinity.TEXT, ListedDomain([1, 2]), str),
        (Affinity.NONE, RangeDomain(1, 2), int),
        (Affinity.NONE, DIGITS, str),
        (Affinity.NUMERIC, DIGITS, int),
        (Affinity.NUMERIC, FRUIT, str),
    ],
)
def test_the_column_and_the_domain_decide_the_kind(
    affinity: Affinity, domain: Domain, kind: type
) -> None:
    """A typed column decides; without a type the domain does."""
    assert domain_in_column(domain, affinity).kind is kind


def test_texts_in_a_column_of_integers() -> None:
    """A domain of texts that are not numbers is refused, whatever the rows are."""
    assert refusal(lambda: domain_in_column(FRUIT, Affinity.INTEGER)) == (
        Reason.UNKNOWN_ITEM,
        "there is an item outside the declared domain",
    )


@pytest.mark.parametrize(
    ("column", "domain", "rows", "required"),
    [
        ("item", RangeDomain(1, 5), "(1, 5), ('2', 4)", "whole numbers"),
        ("item INT", RangeDomain(1, 5), "(1, 5), ('b', 4)", "whole numbers"),
        ("item", RangeDomain(1, 5), "(1, 5), (x'05', 4)", "whole numbers"),
        ("item", DIGITS, "('1', 5), (2, 4)", "texts"),
        ("item", DIGITS, "('1', 5), (2.5, 4)", "texts"),
        ("item TEXT", DIGITS, "('1', 5), (x'32', 4)", "texts"),
        ("item NUMERIC", FRUIT, "('fig', 5), ('2', 4)", "texts"),
    ],
)
def test_rows_of_another_kind_are_refused(
    tmp_path: Path, column: str, domain: Domain, rows: str, required: str
) -> None:
    """A row whose item is of another kind than declared is found before anything is read."""
    path = database(
        tmp_path, f"CREATE TABLE votes ({column}, score INT)", f"INSERT INTO votes VALUES {rows}"
    )
    scores = SqliteScores(path, "votes", domain=domain)
    assert refusal(lambda: scores.snapshot().__enter__()) == (
        Reason.WRONG_TYPE,
        f"the items in column 'item' of table 'votes' must be {required}, as the type of the "
        "column and the declared domain say, but a row has something else; a view can convert it",
    )


@pytest.mark.parametrize("domain", [RangeDomain(1, 5), ListedDomain([1, 2])], ids=repr)
def test_a_fraction_is_no_item(tmp_path: Path, domain: Domain) -> None:
    """A fraction among the items is refused where it is read."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (item INT, score INT)",
        "INSERT INTO votes VALUES (1, 5), (2.5, 4)",
    )
    with SqliteScores(path, "votes", domain=domain).snapshot() as source:
        assert refusal(lambda: source.top(0, 2)) == (
            Reason.FAULTY_SOURCE,
            "the items must be whole numbers, because the items of the domain are",
        )


UNTRUSTED = {
    "an expression": "CREATE UNIQUE INDEX i ON votes (item, abs(score))",
    "an expression first": "CREATE UNIQUE INDEX i ON votes (abs(score), item)",
    "an expression of the item": "CREATE UNIQUE INDEX i ON votes (abs(item), score)",
    "two columns": "CREATE UNIQUE INDEX i ON votes (item, score)",
    "some rows": "CREATE UNIQUE INDEX i ON votes (item) WHERE score > 5",
    "repeated keys": "CREATE INDEX i ON votes (item)",
}


@pytest.mark.parametrize("engine", [Engine.BATCHED, Engine.THRESHOLD, Engine.ONE_SHOT])
@pytest.mark.parametrize("index", UNTRUSTED)
@pytest.mark.parametrize("size", [5, MANY])
def test_duplicates_are_refused_whatever_the_index(
    tmp_path: Path, index: str, size: int, engine: Engine
) -> None:
    """An index that allows an item twice is not trusted, however few rows a selection reads."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (item INTEGER NOT NULL, score INTEGER NOT NULL) STRICT",
        "CREATE INDEX by_score ON votes (score, item)",
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {size}) "
        "INSERT INTO votes SELECT i, 1000 * i FROM n",
        "INSERT INTO votes VALUES (2, 1)",
        UNTRUSTED[index],
    )
    scores = SqliteScores(path, "votes", domain=RangeDomain(1, size))
    assert refusal(lambda: top_k(scores, 1, epsilon=1, engine=engine)) == (
        Reason.DUPLICATE_ITEM,
        "an item has more than one row",
    )


@pytest.mark.parametrize(
    ("table", "index", "is_unique"),
    [
        ("item INT, score INT", "CREATE UNIQUE INDEX i ON votes (item)", True),
        ("item TEXT PRIMARY KEY, score INT", "", True),
        ("item INTEGER PRIMARY KEY, score INT", "", True),
        ("item INTEGER PRIMARY KEY DESC, score INT", "", True),
        ("item INT, score INT, PRIMARY KEY (item, score)", "", False),
        ("item TEXT COLLATE NOCASE, score INT", "CREATE UNIQUE INDEX i ON votes (item)", False),
        *(("item INT, score INT", index, False) for index in UNTRUSTED.values()),
    ],
)
def test_which_indexes_allow_an_item_once(
    tmp_path: Path, table: str, index: str, is_unique: bool
) -> None:
    """Only a unique index on the item alone, over all rows and bytes, rules out duplicates."""
    path = database(tmp_path, f"CREATE TABLE votes ({table})", *filter(None, [index]))
    with closing(sqlite3.connect(path)) as connection:
        known = describe_table(connection, str(path), Columns("votes", "item", "score"))
    assert known.facts.has_one_row_per_item is is_unique


def test_a_descending_key_may_be_null(tmp_path: Path) -> None:
    """INTEGER PRIMARY KEY DESC is not the row number, so NULL is looked for."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (item INTEGER PRIMARY KEY DESC, score INT NOT NULL)",
        "INSERT INTO votes VALUES (1, 5), (NULL, 6)",
    )
    scores = SqliteScores(path, "votes", domain=RangeDomain(1, 5))
    assert refusal(lambda: scores.snapshot().__enter__()) == (
        Reason.UNKNOWN_ITEM,
        "no item may be NULL",
    )


@pytest.mark.parametrize("index", ["", "CREATE UNIQUE INDEX i ON votes (item COLLATE BINARY)"])
def test_items_are_compared_by_bytes(tmp_path: Path, index: str) -> None:
    """Texts that a collation of the column calls equal are different items."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (item TEXT COLLATE NOCASE, score INT)",
        "INSERT INTO votes VALUES ('fig', 5), ('FIG', 4)",
        *filter(None, [index]),
    )
    domain = ListedDomain(["FIG", "fig", "Fig"])
    with SqliteScores(path, "votes", domain=domain).snapshot() as source:
        assert source.scores(np.arange(3)).tolist() == [4, 5, 0]


def test_a_view_of_a_hostile_file_reads_nothing_else(tmp_path: Path) -> None:
    """A view may not use what SQLite calls unsafe, such as the paths of open files."""
    path = database(
        tmp_path,
        "CREATE VIEW votes AS SELECT file AS item, 1 AS score FROM pragma_database_list",
    )
    assert refusal(lambda: SqliteScores(path, "votes", domain="public")) == (
        Reason.UNREACHABLE_SOURCE,
        f"{path} cannot be read: SQLITE_ERROR",
    )
