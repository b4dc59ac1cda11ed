"""Facts about scores in SQLite."""

import sqlite3
import warnings
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from interrupted import Interrupted, outcome
from privtopk.impl.engines.choice import Engine
from privtopk.impl.scores.domain import ListedDomain, RangeDomain
from privtopk.impl.sources.faults import SlowSourceWarning
from privtopk.impl.sources.sqlite import SqliteScores
from privtopk.impl.top_k import top_k
from privtopk.spec.model.errors import Reason
from sqlite_samples import database
from support import refusal

STRICT = "CREATE TABLE votes (item INTEGER PRIMARY KEY, score INTEGER NOT NULL) STRICT"
LOOSE = "CREATE TABLE votes (item, score)"
INDEX = "CREATE INDEX by_score ON votes (score, item)"
ITEMS = "CREATE UNIQUE INDEX by_item ON votes (item)"
FIVE = RangeDomain(1, 5)


def unconstrained_scores(folder: Path, rows: str) -> SqliteScores:
    """Return the scores of a table without constraints."""
    path = database(folder, LOOSE, f"INSERT INTO votes VALUES {rows}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowSourceWarning)
        return SqliteScores(path, "votes", domain=FIVE)


def test_a_selection_from_a_table(tmp_path: Path) -> None:
    """Items without a row can be selected; leaders far ahead always are."""
    path = database(tmp_path, STRICT, INDEX, "INSERT INTO votes VALUES (3, 5000), (7, 4000)")
    scores = SqliteScores(path, "votes", domain=RangeDomain(1, 10))
    items = top_k(scores, 3, epsilon=1).items
    assert items[:2] == (3, 7)
    assert items[2] in set(range(1, 11)) - {3, 7}


@pytest.mark.parametrize("engine", [engine for engine in Engine if engine is not Engine.AUTO])
def test_every_engine_reads_it(tmp_path: Path, engine: Engine) -> None:
    """Every engine finds the leaders of a long table in their order."""
    rows = ", ".join(f"({item}, {item % 7})" for item in range(1, 500))
    leaders = "(501, 9000), (502, 8000), (503, 7000)"
    path = database(tmp_path, STRICT, INDEX, f"INSERT INTO votes VALUES {rows}, {leaders}")
    scores = SqliteScores(path, "votes", domain=RangeDomain(1, 1000))
    assert top_k(scores, 3, epsilon=3, engine=engine).items == (501, 502, 503)


def test_items_may_be_texts(tmp_path: Path) -> None:
    """Items are the exact texts of the table, including quotes."""
    path = database(
        tmp_path,
        'CREATE TABLE "the ""votes" ("it;em" TEXT PRIMARY KEY NOT NULL, "n?" INT NOT NULL) STRICT',
        'CREATE INDEX i ON "the ""votes" ("n?", "it;em")',
        """INSERT INTO "the ""votes" VALUES ('a''b', 900), ('"', 1)""",
    )
    domain = ListedDomain(["a'b", '"', "Ö"])
    scores = SqliteScores(path, 'the "votes', item="it;em", score="n?", domain=domain)
    assert top_k(scores, 1, epsilon=1).items == ("a'b",)


def test_items_may_have_characters_of_code_zero(tmp_path: Path) -> None:
    """Texts that differ only after a zero character are different items."""
    items = ["a", "a\0", "a\0b", "\\u0000", "\0"]
    path = database(
        tmp_path,
        "CREATE TABLE votes (item TEXT PRIMARY KEY NOT NULL, score INTEGER NOT NULL) STRICT",
        INDEX,
        "INSERT INTO votes VALUES ('a', 1), ('a' || char(0), 2), ('a' || char(0) || 'b', 3)",
        "INSERT INTO votes VALUES ('\\u0000', 4)",
    )
    with SqliteScores(path, "votes", domain=ListedDomain(items)).snapshot() as source:
        found = [source.scores(np.array(numbers)).tolist() for numbers in ([1], [3], [4, 2, 0])]
    assert found == [[2], [4], [0, 3, 1]]


def test_columns_may_have_each_others_names(tmp_path: Path) -> None:
    """A column called score may hold the items."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (score INTEGER PRIMARY KEY, item INTEGER NOT NULL) STRICT",
        "CREATE INDEX i ON votes (item, score)",
        "INSERT INTO votes VALUES (1, 500), (2, 700), (3, 600)",
    )
    scores = SqliteScores(path, "votes", item="score", score="item", domain="public")
    for engine in (Engine.BATCHED, Engine.ONE_SHOT):
        assert top_k(scores, 3, epsilon=1, engine=engine).items == (2, 3, 1)


def test_more_items_than_a_statement_has_variables(tmp_path: Path) -> None:
    """A lookup has one parameter, however many items it asks for."""
    path = database(tmp_path, STRICT, INDEX, "INSERT INTO votes VALUES (7, 40), (300000, 50)")
    scores = SqliteScores(path, "votes", domain=RangeDomain(1, 300_000))
    with scores.snapshot() as source:
        found = source.scores(np.arange(300_000))
    assert (int(found[6]), int(found[-1]), int(found.sum())) == (40, 50, 90)


@pytest.mark.parametrize(
    ("statements", "trouble", "missing"),
    [
        (
            ("CREATE TABLE votes (item INT, score INT)",),
            "query of",
            (
                'CREATE INDEX by_score ON "votes" ("score", "item")',
                'CREATE UNIQUE INDEX by_item ON "votes" ("item")',
                """CREATE INDEX by_flaw ON "votes" ("score") WHERE typeof("score") <> 'integer'""",
            ),
        ),
        (
            (STRICT,),
            "query of",
            ('CREATE INDEX by_score ON "votes" ("score", "item")',),
        ),
        (
            (LOOSE, INDEX, ITEMS),
            "selection from",
            ("""CREATE INDEX by_flaw ON "votes" ("score") WHERE typeof("score") <> 'integer'""",),
        ),
    ],
)
def test_a_missing_index_is_named(
    tmp_path: Path, statements: tuple[str, ...], trouble: str, missing: tuple[str, ...]
) -> None:
    """If a scan is needed, the warning lists the statements that avoid it, and they do."""
    path = database(tmp_path, *statements)
    with pytest.warns(SlowSourceWarning) as caught:
        SqliteScores(path, "votes", domain=FIVE)
    (warning,) = caught
    expected = f"every {trouble} 'votes' is a full scan; to avoid it, run: {'; '.join(missing)}"
    assert str(warning.message) == expected
    database(tmp_path, *missing)
    SqliteScores(path, "votes", domain=FIVE)


def test_without_an_index_there_are_few_queries(tmp_path: Path) -> None:
    """If a query is a scan, one stage reads the longest prefix."""
    path = database(tmp_path, STRICT)
    with pytest.warns(SlowSourceWarning):
        scores = SqliteScores(path, "votes", domain=RangeDomain(1, 10**6))
    assert top_k(scores, 10, epsilon=1, engine="batched").audit.round_trips <= 2


BAD_ROWS = [
    ("(1, 5), (2, NULL)", Reason.MISSING_SCORE, "no score may be NULL"),
    ("(1, 5), (NULL, 4)", Reason.UNKNOWN_ITEM, "no item may be NULL"),
    ("(1, 5), (2, 0.5)", Reason.WRONG_TYPE, "every score must be a whole number"),
    ("(1, 5), (2, 'many')", Reason.WRONG_TYPE, "every score must be a whole number"),
    ("(1, 5), (2, x'05')", Reason.WRONG_TYPE, "every score must be a whole number"),
    ("(1, 5), (2, 9e999)", Reason.WRONG_TYPE, "every score must be a whole number"),
    ("(1, 5), (2, -1)", Reason.NEGATIVE_SCORE, "no score may be negative"),
    (
        "(1, 5), (2, 9007199254740993)",
        Reason.SCORE_OUT_OF_RANGE,
        "no score may exceed 2^53 = 9007199254740992",
    ),
    ("(1, 5), (2, 4), (2, 4)", Reason.DUPLICATE_ITEM, "an item has more than one row"),
    (
        "(1, 5), (6, 4)",
        Reason.UNKNOWN_ITEM,
        "the table has an item outside the declared domain 1..5",
    ),
    (
        "(0, 5), (2, 4)",
        Reason.UNKNOWN_ITEM,
        "the table has an item outside the declared domain 1..5",
    ),
]


@pytest.mark.parametrize(("rows", "reason", "message"), BAD_ROWS)
def test_wrong_rows_are_refused_before_anything_is_read(
    tmp_path: Path, rows: str, reason: Reason, message: str
) -> None:
    """An invalid row is found when the snapshot is opened, wherever it is."""
    scores = unconstrained_scores(tmp_path, rows)
    assert refusal(lambda: scores.snapshot().__enter__()) == (reason, message)


def test_whole_numbers_may_be_stored_as_doubles(tmp_path: Path) -> None:
    """A score of 700.0 is a whole number."""
    assert top_k(unconstrained_scores(tmp_path, "(1, 5), (2, 700.0)"), 1, epsilon=1).items == (2,)


@pytest.mark.parametrize("rows", ["(1, 5), ('b', 4)", "(1, 5), (x'05', 4)", "('a', 5), (1.5, 4)"])
@pytest.mark.filterwarnings("ignore::privtopk.impl.sources.faults.SlowSourceWarning")
def test_public_items_are_of_one_kind(tmp_path: Path, rows: str) -> None:
    """A public domain of both texts and numbers is refused."""
    path = database(tmp_path, LOOSE, f"INSERT INTO votes VALUES {rows}")
    assert refusal(lambda: SqliteScores(path, "votes", domain="public")) == (
        Reason.WRONG_TYPE,
        "the items of a table must be all texts or all whole numbers",
    )


@pytest.mark.filterwarnings("ignore::privtopk.impl.sources.faults.SlowSourceWarning")
def test_a_table_of_texts_with_a_range_of_numbers(tmp_path: Path) -> None:
    """A range also declares numbers that a column writes as texts."""
    path = database(
        tmp_path,
        "CREATE TABLE votes (item TEXT, score INT)",
        "INSERT INTO votes VALUES ('1', 5), ('2', 900)",
    )
    assert top_k(SqliteScores(path, "votes", domain=FIVE), 1, epsilon=1).items == ("2",)


def test_a_view_can_be_read(tmp_path: Path) -> None:
    """A view has no constraints, so its rows are checked."""
    path = database(
        tmp_path,
        STRICT,
        INDEX,
        "INSERT INTO votes VALUES (1, 5), (2, 900), (3, 7)",
        "CREATE VIEW popular AS SELECT item, score FROM votes WHERE score > 6",
    )
    scores = SqliteScores(path, "popular", domain=FIVE)
    assert top_k(scores, 1, epsilon=1).items == (2,)


def test_a_view_cannot_be_indexed(tmp_path: Path) -> None:
    """For a view without indexes behind it the warning lists no statement."""
    path = database(tmp_path, LOOSE, "CREATE VIEW popular AS SELECT * FROM votes")
    expected = (
        "^every query of 'popular' is a full scan; to avoid it, index the tables behind the view$"
    )
    with pytest.warns(SlowSourceWarning, match=expected):
        SqliteScores(path, "popular", domain=FIVE)


def test_an_empty_table(tmp_path: Path) -> None:
    """In an empty table every item of a declared domain has score 0; a public domain is refused."""
    path = database(tmp_path, STRICT, INDEX)
    assert len(top_k(SqliteScores(path, "votes", domain=FIVE), 3, epsilon=1).items) == 3
    assert refusal(lambda: SqliteScores(path, "votes", domain="public")) == (
        Reason.EMPTY_DOMAIN,
        "the table is empty, so it declares no domain",
    )


def test_a_public_domain_is_that_of_the_table(tmp_path: Path) -> None:
    """Consecutive numbers are a range; others are listed."""
    path = database(tmp_path, STRICT, INDEX, "INSERT INTO votes VALUES (4, 1), (5, 2), (6, 0)")
    assert repr(SqliteScores(path, "votes", domain="public").domain) == "4..6"
    database(tmp_path, "INSERT INTO votes VALUES (9, 1)")
    assert repr(SqliteScores(path, "votes", domain="public").domain) == "4 listed items"


def test_a_domain_must_be_declared(tmp_path: Path) -> None:
    """A missing declaration of the domain is refused."""
    path = database(tmp_path, STRICT, INDEX)
    assert refusal(lambda: SqliteScores(path, "votes"))[0] is Reason.UNDECLARED_DOMAIN


@pytest.mark.parametrize(
    ("table", "item", "message"),
    [
        ("ballots", "item", "{path} has no table 'ballots'"),
        ("votes", "name", "table 'votes' has no column 'name'; it has 'item', 'score'"),
        (
            'votes"; DROP TABLE votes; --',
            "item",
            """{path} has no table 'votes"; DROP TABLE votes; --'""",
        ),
        (
            "votes",
            'item" FROM votes; --',
            """table 'votes' has no column 'item" FROM votes; --'; it has 'item', 'score'""",
        ),
    ],
)
def test_names_are_those_of_the_catalogue(
    tmp_path: Path, table: str, item: str, message: str
) -> None:
    """A name that is not in the catalogue reaches no statement."""
    path = database(tmp_path, STRICT, INDEX)
    assert refusal(lambda: SqliteScores(path, table, item=item, domain=FIVE)) == (
        Reason.UNKNOWN_COLUMN,
        message.format(path=path),
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file is not created."""
    path = tmp_path / "none.db"
    assert refusal(lambda: SqliteScores(path, "votes", domain=FIVE)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{path} cannot be read: unable to open database file",
    )
    assert not path.exists()


def test_a_file_of_something_else(tmp_path: Path) -> None:
    """A text file is refused."""
    path = tmp_path / "votes.db"
    path.write_text("item,score\n" * 100)
    assert refusal(lambda: SqliteScores(path, "votes", domain=FIVE)) == (
        Reason.UNREACHABLE_SOURCE,
        f"{path} cannot be read: file is not a database",
    )


def test_what_is_read_is_one_state(tmp_path: Path) -> None:
    """A selection does not see what others write during it; the next one does."""
    path = database(tmp_path, "PRAGMA journal_mode = wal", STRICT, INDEX)
    database(tmp_path, "INSERT INTO votes VALUES (1, 900), (2, 5)")
    scores = SqliteScores(path, "votes", domain=FIVE)
    with scores.snapshot() as source:
        before = source.scores(np.arange(5)).tolist()
        database(tmp_path, "UPDATE votes SET score = 905 - score")
        assert source.top(0, 5).scores.tolist() == sorted(before, reverse=True)
        assert source.scores(np.arange(5)).tolist() == before
    assert top_k(scores, 1, epsilon=1).items == (2,)


def test_constraints_are_those_of_the_moment(tmp_path: Path) -> None:
    """A table that was created again without its constraints is checked by a scan."""
    path = database(tmp_path, STRICT, INDEX, "INSERT INTO votes VALUES (1, 900)")
    scores = SqliteScores(path, "votes", domain=FIVE)
    database(tmp_path, "DROP TABLE votes", LOOSE, "INSERT INTO votes VALUES (1, 5), (1, 6)")
    assert refusal(lambda: top_k(scores, 1, epsilon=1)) == (
        Reason.DUPLICATE_ITEM,
        "an item has more than one row",
    )


def open_files(path: Path) -> list[str]:
    """Return the open files of this process in the folder of the database."""
    links = Path("/proc/self/fd").iterdir()
    return [name for link in links if (name := link_target(link)).startswith(str(path))]


def link_target(link: Path) -> str:
    """Return the target of a link; that of the listing itself is already gone."""
    try:
        return str(link.readlink())
    except OSError:
        return ""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no list of open files here")
def test_what_was_opened_is_closed(tmp_path: Path) -> None:
    """No file stays open, whether a selection succeeds or fails."""
    scores = unconstrained_scores(tmp_path, "(1, 5), (2, 700)")
    top_k(scores, 1, epsilon=1)
    database(tmp_path, "INSERT INTO votes VALUES (3, NULL)")
    refusal(lambda: top_k(scores, 1, epsilon=1))
    assert open_files(tmp_path) == []


LEADERS = (3, 1, 4)


def leading_table(path: Path) -> SqliteScores:
    """Return a table with three items far ahead of a thousand others."""
    ahead = "(3, 60000), (1, 50000), (4, 40000)"
    others = ", ".join(f"({item}, {item % 5})" for item in range(5, 1000))
    mode = "PRAGMA journal_mode = wal" if path.name == "wal" else "PRAGMA journal_mode = delete"
    database(path, mode, STRICT, INDEX, f"INSERT INTO votes VALUES {ahead}, {others}")
    return SqliteScores(path / "votes.db", "votes", domain=RangeDomain(1, 2000))


def statement(text: str) -> Callable[[Path], None]:
    """Return a fault: another client runs a statement, or tries to."""

    def run(folder: Path) -> None:
        other = sqlite3.connect(folder / "votes.db", timeout=0)
        with closing(other), suppress(sqlite3.OperationalError):
            other.execute(text)
            other.commit()

    return run


def truncate(folder: Path) -> None:
    """Truncate the file."""
    with (folder / "votes.db").open("r+b") as file:
        file.truncate(5000)


def overwrite(folder: Path) -> None:
    """Overwrite the file."""
    path = folder / "votes.db"
    path.write_bytes(b"\xff" * path.stat().st_size)


def delete(folder: Path) -> None:
    """Delete the file."""
    (folder / "votes.db").unlink()


FAULTS: dict[str, Callable[[Path], None]] = {
    "scores change": statement("UPDATE votes SET score = 60000 - score"),
    "rows vanish": statement("DELETE FROM votes"),
    "rows appear": statement("INSERT INTO votes VALUES (1500, 90000)"),
    "the table vanishes": statement("DROP TABLE votes"),
    "an index vanishes": statement("DROP INDEX by_score"),
    "the file is truncated": truncate,
    "the file is overwritten": overwrite,
    "the file is deleted": delete,
}


@pytest.mark.parametrize(
    "engine", [Engine.BATCHED, pytest.param(Engine.RANK_FREE, marks=pytest.mark.heavy)]
)
@pytest.mark.parametrize("journal", ["wal", "delete"])
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_wrong_is_returned_whatever_happens(
    tmp_path: Path,
    record_faults: Callable[[str, int], None],
    fault: str,
    journal: str,
    engine: Engine,
) -> None:
    """A selection with a fault at any statement returns the right items or fails."""
    faults = 0
    for number in range(1, 6):
        folder = tmp_path / str(number) / journal
        folder.mkdir(parents=True)
        store = Interrupted(leading_table(folder), number, partial(FAULTS[fault], folder))
        assert outcome(store, 3, engine) in (LEADERS, Reason.UNREACHABLE_SOURCE)
        faults += store.is_disturbed
    record_faults("SQLite", faults)
    assert faults >= 2
