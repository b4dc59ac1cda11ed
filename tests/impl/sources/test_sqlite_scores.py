"""Facts about scores in SQLite."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from privtopk.impl.domain import ListedDomain, RangeDomain
from privtopk.impl.sources.faults import SlowSourceWarning
from privtopk.impl.sources.sqlite_scores import SqliteScores
from privtopk.impl.top_k import top_k

STRICT = "CREATE TABLE votes (item INTEGER PRIMARY KEY, score INTEGER NOT NULL) STRICT"
INDEX = "CREATE INDEX by_score ON votes (score, item)"


def database(folder: Path, *statements: str) -> Path:
    """Return a new database in which statements were run."""
    path = folder / "votes.db"
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


def test_a_selection_from_a_table(tmp_path: Path) -> None:
    """Items without a row can be selected too; leaders far ahead always are."""
    path = database(tmp_path, STRICT, INDEX, "INSERT INTO votes VALUES (3, 5000), (7, 4000)")
    scores = SqliteScores(path, "votes", domain=RangeDomain(1, 10))
    items = top_k(scores, 3, epsilon=1).items
    assert items[:2] == (3, 7)
    assert items[2] in set(range(1, 11)) - {3, 7}


def test_items_may_be_texts(tmp_path: Path) -> None:
    """Items are the texts of the table, with quotes and all."""
    path = database(
        tmp_path,
        'CREATE TABLE "the ""votes" ("it;em" TEXT PRIMARY KEY NOT NULL, n INT NOT NULL) STRICT',
        'CREATE INDEX i ON "the ""votes" (n, "it;em")',
        """INSERT INTO "the ""votes" VALUES ('a''b', 900), ('"', 1)""",
    )
    domain = ListedDomain(["a'b", '"', "Ö"])
    scores = SqliteScores(path, 'the "votes', item="it;em", score="n", domain=domain)
    assert top_k(scores, 1, epsilon=1).items == ("a'b",)


def test_a_missing_index_is_named(tmp_path: Path) -> None:
    """Where a question costs a scan, the statement that helps is in the warning."""
    path = database(tmp_path, "CREATE TABLE votes (item INT, score INT)")
    expected = (
        "^every question to table 'votes' costs a scan; create: "
        r'CREATE INDEX by_score ON "votes" \("score", "item"\); '
        r'CREATE UNIQUE INDEX by_item ON "votes" \("item"\)$'
    )
    with pytest.warns(SlowSourceWarning, match=expected):
        SqliteScores(path, "votes", domain=RangeDomain(1, 3))
