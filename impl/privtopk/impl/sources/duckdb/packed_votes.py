"""Votes whose clients and items are numbers, counted by a sort.

Where a pair of client and item fits 63 bits, it is packed into one number. Sorted, equal pairs
stand side by side, and so do the pairs of an item. That takes a sixth of the time of grouping.
"""

from typing import Final

import numpy as np

from privtopk.impl.randomness.generators import Integers
from privtopk.impl.scores.protocols import Page
from privtopk.impl.sources.duckdb.relation import Relation
from privtopk.impl.sources.duckdb.session import Session
from privtopk.impl.sources.duckdb.types import NARROW

MOST_VOTES: Final = 2**26
"""So many fit into half a gigabyte; more are left to an engine that can go to the disk."""

MOST_PAIRS: Final = 2**63


def packed_counts(opened: Session, relation: Relation) -> Page | None:
    """Return how many clients voted for each item, None if that must be found out otherwise.

    The rows must stay as they are between two questions, and none may lack a client or an item.
    """
    client, item = relation.columns
    if relation.is_fleeting or not {client.type, item.type} <= NARROW:
        return None
    ends = ", ".join(
        f"MIN({name}), MAX({name}), COUNT({name})" for name in (client.name, item.name)
    )
    ((*known, votes),) = opened.rows(f"SELECT {ends}, COUNT(*) FROM {relation.place}")
    first_client, last_client, clients, first_item, last_item, items = known
    if not (0 < votes <= MOST_VOTES and clients == items == votes):
        return None
    width = last_client - first_client + 1
    if width * (last_item - first_item + 1) >= MOST_PAIRS:
        return None
    (pairs,) = opened.columns(
        f"SELECT CAST((CAST({item.name} AS BIGINT) - {first_item}) * {width} "
        f"+ (CAST({client.name} AS BIGINT) - {first_client}) AS BIGINT) FROM {relation.place}"
    )
    return counted(pairs, width, first_item)


def counted(pairs: Integers, width: int, first_item: int) -> Page:
    """Return how many different pairs each item has; the array is sorted in place."""
    pairs.sort()
    voted = pairs[starts(pairs)] // width
    places = starts(voted)
    return Page(voted[places] + first_item, np.diff(places, append=len(voted)))


def starts(ascending: Integers) -> Integers:
    """Return where equal numbers begin; there is at least one."""
    return np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
