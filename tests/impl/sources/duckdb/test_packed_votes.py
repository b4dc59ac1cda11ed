"""Facts about counting by sorting: the counts are those of a set of pairs."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privtopk.impl.sources.duckdb import packed_votes
from privtopk.impl.sources.duckdb.packed_votes import packed_counts
from privtopk.impl.sources.duckdb.session import Session, open_session
from privtopk.impl.sources.duckdb.table_reference import TableReference, TypedColumn

VOTES = TableReference("votes", (TypedColumn("client", "BIGINT"), TypedColumn("item", "BIGINT")))


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A session for all examples, because opening one takes longer than all their queries."""
    with open_session("here") as connection:
        yield connection


def with_votes(session: Session, rows: list[tuple[int | None, int | None]]) -> Session:
    """Return the session, with a table of votes."""
    session.run(
        "CREATE OR REPLACE TABLE votes AS "
        "SELECT unnest(?::BIGINT[]) AS client, unnest(?::BIGINT[]) AS item",
        ([client for client, _ in rows], [item for _, item in rows]),
    )
    return session


FEW = st.integers(-3, 3)
FAR = st.integers(-(2**30), 2**30)
ROWS = st.lists(st.tuples(FEW | FAR, FEW | FAR), min_size=1, max_size=30)


@given(rows=ROWS)
@example(rows=[(-(2**63), 5), (-(2**63), 5), (-(2**63) + 1, 5)])
@example(rows=[(5, -(2**63)), (5, -(2**63)), (6, -(2**63))])
@example(rows=[(2**63 - 1, 0), (1, 0), (2**63 - 1, 0)])
def test_each_pair_counts_once(session: Session, rows: list[tuple[int, int]]) -> None:
    """The counts are those of the set of pairs, by ascending item, even near the 64-bit limits."""
    page = packed_counts(with_votes(session, [*rows]), VOTES)
    assert page is not None
    counts = Counter(item for _, item in set(rows))
    assert list(zip(page.items.tolist(), page.scores.tolist(), strict=True)) == sorted(
        counts.items()
    )


@pytest.mark.parametrize(
    ("clients", "is_packed"), [(2**32 - 1, True), (2**32, False), (2**63, False)]
)
def test_pairs_that_do_not_fit(session: Session, clients: int, is_packed: bool) -> None:
    """Pairs of more than 63 bits cannot be packed: here are 2^31 possible items."""
    with_votes(session, [(-5, 0), (clients - 6, 2**31 - 1)])
    assert (packed_counts(session, VOTES) is not None) is is_packed


@pytest.mark.parametrize("rows", [[], [(None, 1), (1, 1)], [(1, None), (1, 1)], [(None, None)]])
def test_rows_that_are_no_votes(
    session: Session, rows: list[tuple[int | None, int | None]]
) -> None:
    """Empty tables and rows with NULL are not packed; the usual count refuses them."""
    assert packed_counts(with_votes(session, rows), VOTES) is None


def test_too_many_votes(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """More votes than fit into memory are not packed."""
    with_votes(session, [(1, 1), (2, 1), (3, 1)])
    monkeypatch.setattr(packed_votes, "MOST_VOTES", 3)
    assert packed_counts(session, VOTES) is not None
    monkeypatch.setattr(packed_votes, "MOST_VOTES", 2)
    assert packed_counts(session, VOTES) is None


@pytest.mark.parametrize(("client", "item"), [("VARCHAR", "BIGINT"), ("BIGINT", "HUGEINT")])
def test_other_types(session: Session, client: str, item: str) -> None:
    """Texts and wide numbers are not packed."""
    columns = (TypedColumn("client", client), TypedColumn("item", item))
    assert packed_counts(with_votes(session, [(1, 1)]), TableReference("votes", columns)) is None


def test_rows_that_are_recomputed(session: Session) -> None:
    """Packing needs two queries, so rows that are recomputed for each query are not packed."""
    fleeting = TableReference("votes", VOTES.columns, is_recomputed=True)
    assert packed_counts(with_votes(session, [(1, 1)]), fleeting) is None
