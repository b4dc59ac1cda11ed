"""A set of integers that finds the neighbours of a number: the index that Lemma 4.5 needs.

The paper uses a van Emde Boas tree for its O(log log m) time. The specification defines only
the behaviour, by a naive model that fast indexes are compared with.

Paper: lem:sampling-zj.
"""

from typing import Protocol


class PredecessorIndex(Protocol):
    """A growing set of integers with its order."""

    def insert(self, key: int) -> None:
        """Add a key; adding one twice changes nothing."""

    def __contains__(self, key: int) -> bool:
        """Return whether the key was added."""

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""

    def minimum(self) -> int | None:
        """Return the smallest member, or None."""

    def maximum(self) -> int | None:
        """Return the largest member, or None."""


class NaiveIndex:
    """The naive model: a set that is searched from end to end."""

    def __init__(self) -> None:
        """Start empty."""
        self._members: frozenset[int] = frozenset()

    def insert(self, key: int) -> None:
        """Add a key."""
        self._members = frozenset((*self._members, key))

    def __contains__(self, key: int) -> bool:
        return key in self._members

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""
        return max((member for member in self._members if member < key), default=None)

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""
        return min((member for member in self._members if member > key), default=None)

    def minimum(self) -> int | None:
        """Return the smallest member, or None."""
        return min(self._members, default=None)

    def maximum(self) -> int | None:
        """Return the largest member, or None."""
        return max(self._members, default=None)
