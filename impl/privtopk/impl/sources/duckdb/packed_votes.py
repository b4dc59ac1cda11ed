"""Counts votes whose clients and items are numbers by sorting.

If a pair of client and item fits into 63 bits, it is packed into one number. After a sort, equal
pairs are neighbours, and so are the pairs of one item. This takes a sixth of the time of grouping.
"""

from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.duckdb.session import Session
from privtopk.impl.sources.duckdb.table_reference import TableReference
from privtopk.impl.sources.duckdb.types import NARROW

MOST_VOTES: Final = 2**26
"""2^26 pairs take half a gigabyte; DuckDB counts more votes than that, and can use the disk."""

MOST_PAIRS: Final = 2**63


def packed_counts(session: Session, reference: TableReference) -> Page | None:
    """Return the number of clients per item, or None if packing is not possible.

    It needs rows that are not recomputed between two queries, and no NULL in either column.
    """
    client, item = reference.columns
    if reference.is_recomputed or not {client.type, item.type} <= NARROW:
        return None
    ends = ", ".join(
        f"MIN({name}), MAX({name}), COUNT({name})" for name in (client.name, item.name)
    )
    ((*known, votes),) = session.rows(f"SELECT {ends}, COUNT(*) FROM {reference.sql}")
    first_client, last_client, clients, first_item, last_item, items = known
    if not (0 < votes <= MOST_VOTES and clients == items == votes):
        return None
    width = last_client - first_client + 1
    if width * (last_item - first_item + 1) >= MOST_PAIRS:
        return None
    (pairs,) = session.columns(
        f"SELECT CAST((CAST({item.name} AS BIGINT) - {first_item}) * {width} "
        f"+ (CAST({client.name} AS BIGINT) - {first_client}) AS BIGINT) FROM {reference.sql}"
    )
    return count_clients(pairs, width, first_item)


def count_clients(pairs: Integers, width: int, first_item: int) -> Page:
    """Return the number of different pairs per item; the array is sorted in place."""
    pairs.sort()
    voted = pairs[run_starts(pairs)] // width
    places = run_starts(voted)
    return Page(voted[places] + first_item, np.diff(places, append=len(voted)))


def run_starts(ascending: Integers) -> Integers:
    """Return the start of each run of equal numbers in a non-empty array."""
    return np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
