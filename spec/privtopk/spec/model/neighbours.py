"""The three neighbour relations, and how they relate.

A privacy statement means nothing without its relation. In the paper's definition one client
joins or leaves. Because no score moves by more than 1, the paper then also calls any two
histograms at distance 1 neighbours. That relation is wider, and under it the paper's Gumbel
bound fails by a factor of two.

- add/remove implies swap: the client that leaves is replaced by one without votes.
- swap and l-infinity are the same relation on histograms.
- two l-infinity neighbours are two add/remove steps apart, through `meeting_point`.

Paper:    def:differential-privacy, model:votes.
Deviates: erratum:neighbour-relation.
Ours:     ours:relations.
"""

from enum import StrEnum

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_member
from privtopk.spec.model.values import Histogram


class Relation(StrEnum):
    """Which pairs of inputs must be hard to tell apart.

    Deviates: erratum:neighbour-relation.
    """

    ADD_REMOVE = "add-remove"
    """One client joins or leaves: all scores move the same way, by 0 or 1."""

    SWAP = "swap"
    """One client replaced by another: each score moves by at most 1, either way."""

    L_INFINITY = "l-infinity"
    """The paper's wider relation: each score moves by at most 1, for any reason."""


def differences(first: Histogram, second: Histogram) -> tuple[int, ...]:
    """Return second[i] - first[i] for every item of their common domain."""
    if len(first) != len(second):
        raise SelectionError(
            Reason.DIFFERENT_DOMAINS,
            f"both histograms must have the same domain, got sizes {len(first)} and {len(second)}",
        )
    return tuple(after - before for before, after in zip(first, second, strict=True))


def is_add_remove_neighbour(first: Histogram, second: Histogram) -> bool:
    """Return whether one client joined or left: all changes are 0 or 1, or all are 0 or -1."""
    changes = differences(first, second)
    return all(0 <= change <= 1 for change in changes) or all(
        -1 <= change <= 0 for change in changes
    )


def is_l_infinity_neighbour(first: Histogram, second: Histogram) -> bool:
    """Return whether no score moves by more than 1."""
    return all(-1 <= change <= 1 for change in differences(first, second))


def is_swap_neighbour(first: Histogram, second: Histogram) -> bool:
    """Return whether one client was replaced.

    Every l-infinity pair qualifies: the old client may have voted for exactly the items that
    lose a vote, and the new one for exactly those that gain one.
    """
    return is_l_infinity_neighbour(first, second)


def is_neighbour(first: Histogram, second: Histogram, relation: Relation) -> bool:
    """Return whether two histograms are neighbours under the named relation.

    Ours: ours:relations.
    """
    match require_member("relation", relation, Relation):
        case Relation.ADD_REMOVE:
            return is_add_remove_neighbour(first, second)
        case Relation.SWAP:
            return is_swap_neighbour(first, second)
        case Relation.L_INFINITY:
            return is_l_infinity_neighbour(first, second)


def meeting_point(first: Histogram, second: Histogram) -> Histogram:
    """Return the smaller score of every item: one add/remove step from either histogram.

    Ours: ours:relations.
    """
    differences(first, second)
    return tuple(min(pair) for pair in zip(first, second, strict=True))
