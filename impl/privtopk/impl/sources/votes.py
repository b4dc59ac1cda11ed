"""Counts raw votes: the score of an item is the number of different clients that voted for it.

A row says that a client voted for an item. A repeated row counts once. So adding or removing all
rows of one client moves every score by at most 1, and all scores in the same direction: the
add/remove relation. The number of items that a client votes for does not matter.

Votes for items outside the declared domain are dropped: such an item cannot be selected, and
whether anybody voted for it must stay secret. The counts are kept in memory, the votes are not.
Votes that are cast later need a new count.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import numpy as np

from privtopk.impl.scores.declaration import DomainLike
from privtopk.impl.scores.domain import Domain, Kind, RangeDomain, name_pieces
from privtopk.impl.scores.memory import SparseScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.duckdb.checks import public_domain
from privtopk.impl.sources.duckdb.origin import open_origin, origin_of
from privtopk.impl.sources.duckdb.packed_votes import packed_counts
from privtopk.impl.sources.duckdb.session import Session, column_of
from privtopk.impl.sources.duckdb.table_reference import TableReference, TypedColumn
from privtopk.impl.sources.duckdb.types import Expression, exact_text, item_expression, kind_of
from privtopk.impl.sources.table import (
    Declared,
    Statements,
    null_error,
    require_declared,
    require_no_flaw,
)
from privtopk.spec.model.errors import Reason, SelectionError

INTERVAL: Final = 0.1
"""Seconds between two reports of progress."""

MOST_NAMES: Final = 2**20
"""Items of a listed domain that are looked up at a time; each lookup scans the counts."""

Progress: TypeAlias = Callable[[float], None]
"""Receives the finished share of the work, between 0 and 1."""


class DuckdbVotes(SparseScores):
    """Votes as rows of client and item, in a table of DuckDB or in CSV or Parquet files."""

    def __init__(
        self,
        path: Path | str,
        table: str | None = None,
        *,
        client: str = "client",
        item: str = "item",
        domain: DomainLike | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Count the votes; what does not fit into memory goes to a temporary folder."""
        declared = require_declared(domain)
        origin = origin_of(path, table)
        with temporary_folder() as folder, open_origin(origin, folder) as (session, _):
            reference = origin.reference(session, (client, item))
            votes = VoteCounts(session, reference, origin.place)
            votes.count_votes(progress)
            self.domain = votes.resolve_domain(declared)
            counts = votes.page(self.domain)
        self.size = self.domain.size
        order = np.argsort(counts.items)
        self._index_scores(counts.items[order], counts.scores[order])

    def name(self, item: int) -> object:
        """Return the votes' own name of an item."""
        return self.domain.names(np.array([item], dtype=np.int64))[0]


class VoteCounts:
    """The DuckDB table `counted`: one row per item, with its number of clients."""

    def __init__(self, session: Session, reference: TableReference, place: str) -> None:
        """Take votes; nothing is counted yet."""
        self._session = session
        self._reference = reference
        self._place = place
        self._is_text = kind_of(reference.columns[1], str, place) is str

    def count_votes(self, progress: Progress | None) -> None:
        """Create the table, or refuse a row without a client or without an item."""
        packed = packed_counts(self._session, self._reference)
        if packed is None:
            run_with_progress(self._session, self._grouping_statement(), progress)
            self._require_votes()
        else:
            with self._session.register_columns("packed", item=packed.items, score=packed.scores):
                self._session.run("CREATE TEMP TABLE counted AS FROM packed")
        if progress is not None:
            progress(1.0)

    def _grouping_statement(self) -> str:
        """Return the statement that removes repeated pairs and counts the pairs of each item."""
        client, item = self._reference.columns
        votes = item_expression(item, str).value if self._is_text else item.name
        return f"""
            CREATE TEMP TABLE counted AS
            SELECT item, COUNT(*) AS score, COUNT(*) - COUNT(client) AS anonymous
            FROM (
                SELECT DISTINCT {exact_text(client)} AS client, {votes} AS item
                FROM {self._reference.sql}
            )
            GROUP BY item
        """

    def resolve_domain(self, declared: Declared) -> Domain:
        """Return the domain with items as the votes write them."""
        item = self._reference.columns[1]
        if not isinstance(declared, str):
            return declared.of_kind(kind_of(item, declared.kind, self._place))
        kind: Kind = str if self._is_text else int
        items = self._item_expression(kind)
        rows = f"(SELECT {items.value} AS item, {items.error_condition} AS is_foreign FROM counted)"
        return public_domain(self._session, Statements(rows, "item", "score"), kind)

    def page(self, domain: Domain) -> Page:
        """Return the counts by the numbers of the items; items outside the domain are dropped."""
        if isinstance(domain, RangeDomain):
            item = f"CAST({self._item_expression(int).value} AS BIGINT)"
            chosen = f"{item} BETWEEN {domain.first} AND {domain.last}"
            statement = f"SELECT {item} - {domain.first} AS item, score FROM counted WHERE {chosen}"
            return Page(*self._session.columns(statement))
        pages = [self._page_of(names, domain) for names in name_pieces(domain, MOST_NAMES)]
        return Page(
            np.concatenate([page.items for page in pages]),
            np.concatenate([page.scores for page in pages]),
        )

    def _page_of(self, names: list[Any], domain: Domain) -> Page:
        """Return the counts of some items of the domain."""
        item = self._item_expression(domain.kind).value
        with self._session.register_columns("wanted", item=column_of(names)):
            statement = f"SELECT {item} AS item, score FROM counted"
            found, scores = self._session.columns(
                f"{statement} WHERE {item} IN (SELECT item FROM wanted)"
            )
        return Page(domain.numbers(found), scores)

    def _require_votes(self) -> None:
        """Refuse a row without a client or without an item."""
        flaws = [
            ("WHERE anonymous > 0", null_error("client", Reason.NOT_A_VOTE)),
            ("WHERE item IS NULL", null_error("item", Reason.UNKNOWN_ITEM)),
        ]
        require_no_flaw(flaws, Statements("counted", "item", "score"), self._session.row)

    def _item_expression(self, kind: Kind) -> Expression:
        """Return the SQL expression of the table's items as numbers or as texts."""
        item = self._reference.columns[1]
        return item_expression(TypedColumn("item", "VARCHAR" if self._is_text else item.type), kind)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Yield a folder that is removed afterwards; refuse if it cannot be made or removed."""
    with translate_folder_errors("made"):
        folder = TemporaryDirectory()
    try:
        yield folder.name
    finally:
        with translate_folder_errors("removed"):
            folder.cleanup()


@contextmanager
def translate_folder_errors(done: str) -> Iterator[None]:
    """Turn an error of the file system into that of a selection."""
    try:
        yield
    except OSError as error:
        raise SelectionError(
            Reason.UNREACHABLE_SOURCE,
            f"the folder for rows that do not fit into memory cannot be {done}: {error.strerror}",
        ) from error


def run_with_progress(session: Session, statement: str, progress: Progress | None) -> None:
    """Run a statement that may take long, and report its progress.

    It runs in a thread of its own, so that the caller can interrupt it. A statement that has just
    ended has a progress of 0, so the largest share so far is reported.
    """
    share = 0.0
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(session.run, statement)
        try:
            while not wait([running], INTERVAL).done:
                share = max(share, session.progress)
                if progress is not None:
                    progress(share)
        except BaseException:
            session.interrupt()
            raise
    running.result()
