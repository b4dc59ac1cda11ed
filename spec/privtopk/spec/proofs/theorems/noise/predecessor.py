"""Theorems about the index that finds the neighbours of a number, for any integer keys.

Paper: lem:sampling-zj.
"""

from privtopk.spec.noise.predecessor import NaiveIndex

Keys = tuple[int, int, int]


def index_of(keys: Keys) -> NaiveIndex:
    """Return the index into which the keys were inserted in this order."""
    index = NaiveIndex()
    for key in keys:
        index.insert(key)
    return index


def thm_the_predecessor_is_the_nearest_key_below(keys: Keys, query: int) -> bool:
    """The predecessor is a key below the query with none between; None only if none is below.

    Claim: lem:sampling-zj
    Seconds: 40
    post: _
    """
    found = index_of(keys).predecessor(query)
    below = [key for key in keys if key < query]
    if found is None:
        return not below
    return found in below and all(key <= found for key in below)


def thm_the_successor_mirrors_the_predecessor(keys: Keys, query: int) -> bool:
    """The successor is the negated predecessor among the negated keys; both may be missing.

    Claim: lem:sampling-zj
    Seconds: 40
    post: _
    """
    first, second, third = keys
    index, mirror = index_of(keys), index_of((-first, -second, -third))
    above, below = index.successor(query), mirror.predecessor(-query)
    if above is None or below is None:
        return above is below is None
    return above == -below


def thm_successor_undoes_predecessor(keys: Keys, query: int) -> bool:
    """From a key, one step down and one step up leads back to it.

    Claim: lem:sampling-zj
    Seconds: 40
    pre: query in keys
    post: _
    """
    index = index_of(keys)
    before = index.predecessor(query)
    return index.minimum() == query if before is None else index.successor(before) == query


def thm_membership_is_what_was_inserted(keys: Keys, query: int) -> bool:
    """A number is in the index exactly if it was inserted, once or twice.

    Claim: lem:sampling-zj
    Seconds: 40
    post: _
    """
    index = index_of(keys)
    return (
        (query in index) == (query in keys)
        and index.minimum() == min(keys)
        and index.maximum() == max(keys)
    )
