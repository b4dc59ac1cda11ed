"""Raw votes, counted once: how many different clients voted for each item.

A row says that a client voted for an item. Whoever says so twice counts once, so that adding or
removing all rows of one client moves every score by at most 1, and all of them the same way:
the add/remove relation. How many items a client votes for does not matter.

Votes for items outside the declared domain are dropped: what is not of the domain cannot be
selected, and whether anybody voted for it must not be told. The counts are held in memory; the
votes are not. To have later votes counted, count again.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import numpy as np

from privtopk.impl.scores.domain import Domain, Kind, RangeDomain
from privtopk.impl.scores.memory import SparseScores
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.duckdb.checks import public_domain, require_declared, require_none
from privtopk.impl.sources.duckdb.origin import origin_of, reading
from privtopk.impl.sources.duckdb.packed_votes import packed_counts
from privtopk.impl.sources.duckdb.relation import Column, Relation
from privtopk.impl.sources.duckdb.session import Session, column_of
from privtopk.impl.sources.duckdb.types import Expression, exact, item_of, kind_of
from privtopk.impl.sources.table import Declared, Statements, null
from privtopk.spec.model.errors import Reason

INTERVAL: Final = 0.1
"""Seconds between two reports of progress."""

Progress: TypeAlias = Callable[[float], None]
"""Is told the share of the work that is done."""


class DuckdbVotes(SparseScores):
    """Votes as rows of client and item, in a table of DuckDB or in CSV or Parquet files."""

    def __init__(
        self,
        path: Path | str,
        table: str | None = None,
        *,
        client: str = "client",
        item: str = "item",
        domain: Declared | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Count; what does not fit into memory goes to a temporary folder meanwhile."""
        declared = require_declared(domain)
        origin = origin_of(path, table)
        with TemporaryDirectory() as folder, reading(origin, folder) as (opened, _):
            relation = origin.relation(opened, (client, item))
            counted = Counted(opened, relation, origin.place)
            counted.count(progress)
            self.domain = counted.domain(declared)
            counts = counted.page(self.domain)
        self.size = self.domain.size
        order = np.argsort(counts.items)
        self._index_scores(counts.items[order], counts.scores[order])

    def name(self, item: int) -> object:
        """Return what the votes call an item."""
        return self.domain.names(np.array([item], dtype=np.int64))[0]


class Counted:
    """The table `counted` of items and their numbers of clients, in DuckDB."""

    def __init__(self, opened: Session, relation: Relation, place: str) -> None:
        """Take votes that are not yet counted."""
        self._opened = opened
        self._relation = relation
        self._place = place
        self._is_text = kind_of(relation.columns[1], str, place) is str

    def count(self, progress: Progress | None) -> None:
        """Make the table, and refuse a row without a client or without an item."""
        packed = packed_counts(self._opened, self._relation)
        if packed is None:
            watched(self._opened, self._grouping(), progress)
            self._require_votes()
        else:
            with self._opened.shown("packed", item=packed.items, score=packed.scores):
                self._opened.run("CREATE TEMP TABLE counted AS FROM packed")
        if progress is not None:
            progress(1.0)

    def _grouping(self) -> str:
        """Return the statement that counts: each pair once, then the pairs of each item."""
        client, item = self._relation.columns
        votes = item_of(item, str).value if self._is_text else item.name
        return f"""
            CREATE TEMP TABLE counted AS
            SELECT item, COUNT(*) AS score, COUNT(*) - COUNT(client) AS anonymous
            FROM (
                SELECT DISTINCT {exact(client)} AS client, {votes} AS item
                FROM {self._relation.place}
            )
            GROUP BY item
        """

    def domain(self, declared: Declared) -> Domain:
        """Return the domain as the votes write items."""
        item = self._relation.columns[1]
        if not isinstance(declared, str):
            return declared.of_kind(kind_of(item, declared.kind, self._place))
        kind: Kind = str if self._is_text else int
        items = self._as(kind)
        rows = f"(SELECT {items.value} AS item, {items.is_wrong} AS is_foreign FROM counted)"
        return public_domain(self._opened, Statements(rows, "item", "score"), kind)

    def page(self, domain: Domain) -> Page:
        """Return the counts of the items of the domain by their numbers, and drop the others."""
        if isinstance(domain, RangeDomain):
            item = f"CAST({self._as(int).value} AS BIGINT)"
            chosen = f"{item} BETWEEN {domain.first} AND {domain.last}"
            statement = f"SELECT {item} - {domain.first} AS item, score FROM counted WHERE {chosen}"
            return Page(*self._opened.columns(statement))
        names = domain.names(np.arange(domain.size))
        item = self._as(domain.kind).value
        with self._opened.shown("asked", item=column_of(names)):
            statement = f"SELECT {item} AS item, score FROM counted"
            found, scores = self._opened.columns(
                f"{statement} WHERE {item} IN (SELECT item FROM asked)"
            )
        return Page(domain.numbers(found), scores)

    def _require_votes(self) -> None:
        """Refuse a row without a client or without an item."""
        no_client = null("client", Reason.NOT_A_VOTE)
        no_item = null("item", Reason.UNKNOWN_ITEM)
        wrong = [("WHERE anonymous > 0", no_client), ("WHERE item IS NULL", no_item)]
        require_none(self._opened, Statements("counted", "item", "score"), wrong)

    def _as(self, kind: Kind) -> Expression:
        """Return the items of the table as numbers or as texts."""
        item = self._relation.columns[1]
        return item_of(Column("item", "VARCHAR" if self._is_text else item.type), kind)


def watched(opened: Session, statement: str, progress: Progress | None) -> None:
    """Run a statement that may take long, and tell its progress.

    It runs in a thread of its own, so that whoever waits for it can break it off.
    """
    opened.run("SET enable_progress_bar = true")
    opened.run("SET enable_progress_bar_print = false")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(opened.run, statement)
        try:
            while not wait([running], INTERVAL).done:
                if progress is not None:
                    progress(opened.progress)
        except BaseException:
            opened.interrupt()
            raise
    running.result()
