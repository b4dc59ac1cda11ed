"""Facts about the requirements on a predecessor index, and how wrong indexes are found."""

from bisect import bisect_left, bisect_right, insort
from typing import Any

import pytest
from hypothesis import given, settings

from conformance.support_oracle import run_case
from privtopk.conformance.evidence.decision import CaseVerdict
from privtopk.conformance.requirements.index import UNIVERSES, IndexRefusals, Neighbours, keys_of
from privtopk.conformance.subjects.reference import naive_index
from privtopk.impl.subjects import sorted_blocks, van_emde_boas

NEIGHBOURS, REFUSALS = Neighbours(), IndexRefusals()


class ListIndex:
    """A right index: a sorted list with a universe."""

    def __init__(self, universe: int) -> None:
        if universe < 1:
            raise ValueError("universe must be at least 1")
        self.universe = universe
        self.members: list[int] = []

    def insert(self, key: int) -> None:
        """Add a key."""
        if not 0 <= key < self.universe:
            raise ValueError("a key outside the universe")
        if key not in self.members:
            insort(self.members, key)

    def __contains__(self, key: int) -> bool:
        return key in self.members

    def predecessor(self, key: int) -> int | None:
        """Return the largest member strictly below, or None."""
        at = bisect_left(self.members, key)
        return self.members[at - 1] if at else None

    def successor(self, key: int) -> int | None:
        """Return the smallest member strictly above, or None."""
        at = bisect_right(self.members, key)
        return self.members[at] if at < len(self.members) else None


class AtMost(ListIndex):
    """Returns a member as its own predecessor."""

    def predecessor(self, key: int) -> int | None:
        """Return the largest member at most the key."""
        return key if key in self else super().predecessor(key)


class ZeroIsNone(ListIndex):
    """Treats the member 0 as no member."""

    def predecessor(self, key: int) -> int | None:
        """Return None for 0."""
        return super().predecessor(key) or None


class Narrow(ListIndex):
    """Keeps 32 bits of a key."""

    def insert(self, key: int) -> None:
        """Add the low bits."""
        super().insert(key % 2**32)


class Capped(ListIndex):
    """Forgets its smallest member beyond 2000."""

    def insert(self, key: int) -> None:
        """Add a key, and drop one."""
        super().insert(key)
        del self.members[: len(self.members) - 2000]


class Doubled(ListIndex):
    """Stores a key twice if it is inserted twice."""

    def insert(self, key: int) -> None:
        """Add a key."""
        insort(self.members, key)

    def successor(self, key: int) -> int | None:
        """Return the next entry."""
        at = bisect_left(self.members, key) + (key in self)
        return self.members[at] if at < len(self.members) else None


class Corrupt(ListIndex):
    """Has a broken invariant after three insertions."""

    def check(self) -> None:
        """Fail."""
        if len(self.members) > 2:
            raise AssertionError("too many members")


class Wrapping(ListIndex):
    """Reduces keys modulo the universe."""

    def insert(self, key: int) -> None:
        """Add the remainder."""
        super().insert(key % self.universe)


class Silent(ListIndex):
    """Ignores a key outside the universe."""

    def insert(self, key: int) -> None:
        """Add a key if it is in the universe."""
        if 0 <= key < self.universe:
            super().insert(key)


class Late(ListIndex):
    """Refuses a key after keeping it."""

    def insert(self, key: int) -> None:
        """Add a key."""
        if key not in self.members:
            insort(self.members, key)
        if not 0 <= key < self.universe:
            raise ValueError("a key outside the universe")


class Quitting(ListIndex):
    """Ends the process instead of refusing."""

    def insert(self, key: int) -> None:
        """Add a key."""
        if not 0 <= key < self.universe:
            raise SystemExit(3)
        super().insert(key)


@pytest.mark.parametrize("index", [ListIndex, naive_index, van_emde_boas, sorted_blocks])
def test_a_right_index_has_the_right_neighbours(index: Any) -> None:
    """A right index passes the comparison with a sorted list."""
    case = run_case(index, NEIGHBOURS, budget=0.3)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize("index", [ListIndex, naive_index, van_emde_boas, sorted_blocks])
def test_a_right_index_refuses_or_keeps(index: Any) -> None:
    """An index with a universe refuses keys outside, one without keeps them: both are right."""
    case = run_case(index, REFUSALS)
    assert (case.verdict, case.message) == (CaseVerdict.PASS, "")


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (AtMost, "universe 1, insert 0: the predecessor of 0 must be None, got 0"),
        (ZeroIsNone, "universe 2, insert 0: the predecessor of 1 must be 0, got None"),
        (Doubled, "universe 1, insert 0, insert 0: the successor of 0 must be None, got 0"),
    ],
)
def test_wrong_neighbours_are_reported_by_the_shortest_script(index: Any, message: str) -> None:
    """The smallest script that shows a wrong neighbour is reported."""
    case = run_case(index, NEIGHBOURS)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


def test_keys_cut_to_32_bits_are_found() -> None:
    """An index that keeps 32 bits of its keys fails in the larger universes."""
    case = run_case(Narrow, NEIGHBOURS)
    assert case.verdict is CaseVerdict.FAIL
    assert case.message.startswith("universe 281474976710656, insert 4294967296: ")


def test_a_broken_invariant_is_found() -> None:
    """An index whose own check fails does not pass."""
    case = run_case(Corrupt, NEIGHBOURS)
    message = "the subject raised AssertionError: too many members"
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


def test_lost_keys_are_found_among_many() -> None:
    """An index that drops keys beyond 2000 fails only with many keys."""
    case = run_case(Capped, NEIGHBOURS, budget=0.3)
    assert case.verdict is CaseVerdict.FAIL
    assert case.failed_experiment is not None
    assert case.experiments[case.failed_experiment].name.startswith("crowd in universe")


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (Silent, "key -1 in universe 1: membership of -1 must be True, got False"),
        (Wrapping, "key -1 in universe 1: membership of -1 must be True, got False"),
        (Late, "key -1 in universe 1: the predecessor of 0 must be None, got -1"),
        (Quitting, "the subject raised SystemExit: 3"),
    ],
)
def test_keys_outside_are_not_lost_in_silence(index: Any, message: str) -> None:
    """A key outside the universe that is neither refused nor kept is a breach."""
    case = run_case(index, REFUSALS)
    assert (case.verdict, case.message) == (CaseVerdict.FAIL, message)


@pytest.mark.parametrize("universe", UNIVERSES)
def test_keys_lie_in_their_universe(universe: int) -> None:
    """Scripts use only keys of the universe."""

    @settings(max_examples=50, database=None)
    @given(keys_of(universe))
    def every_key(key: int) -> None:
        assert 0 <= key < universe

    every_key()
