"""Facts about the permutation that is drawn entry by entry."""

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from privtopk.impl.noise.lazy_permutation import LARGEST_SIZE, FisherYatesPermutation, Unpaired
from privtopk.impl.randomness.generators import Integers, SeededRandomness
from privtopk.impl.randomness.stream import WORDS
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import tape_of
from privtopk.spec.model.values import Item, Position
from privtopk.spec.noise.permutation import LazyPermutation as SpecifiedPermutation
from support import refusal, seeded_coins

Query = tuple[str, int]


class Choices(SeededRandomness):
    """Randomness that makes given choices of m, m - 1, ... possibilities."""

    def __init__(self, m: int, choices: tuple[int, ...]) -> None:
        """Take one choice for each pair that will be drawn."""
        super().__init__(np.random.default_rng(0))
        self.words = [-(-choice * WORDS // (m - t)) + 1 for t, choice in enumerate(choices)]

    def integers(self, bound: int, n: int) -> Integers:
        """Return the words for the choices, and then zeros."""
        assert bound == WORDS
        return np.array((self.words + [0] * n)[:n], dtype=np.int64)


def queries(m: int) -> list[Query]:
    """Return every query of a permutation of m items."""
    return [("item_at", j) for j in range(1, m + 1)] + [("position_of", i) for i in range(m)]


def drawn_after(m: int, script: tuple[Query, ...], choices: tuple[int, ...]) -> tuple[int, ...]:
    """Return the whole permutation after some queries, for given choices."""
    order = FisherYatesPermutation(m, Choices(m, choices))
    for side, number in script:
        getattr(order, side)(number)
    order.check()
    return tuple(order.item_at(j) for j in range(1, m + 1))


@pytest.mark.parametrize("m", [1, 2, 3])
def test_permutation_is_uniform_for_every_interleaving(m: int) -> None:
    """After all first queries, the m! ways to choose give the m! permutations."""
    ways = list(product(*(range(m - t) for t in range(m))))
    assert len(ways) == factorial(m)
    for script in product(queries(m), repeat=m - 1):
        drawn = sorted(drawn_after(m, script, choices) for choices in ways)
        assert drawn == list(permutations(range(m)))


def test_permutation_is_uniform_for_four_items() -> None:
    """With four items, queries from alternating sides give all 24 permutations."""
    ways = list(product(range(4), range(3), range(2), range(1)))
    for first, second, third in product(range(4), range(1, 5), range(4)):
        script = (("position_of", first), ("item_at", second), ("position_of", third))
        drawn = sorted(drawn_after(4, script, choices) for choices in ways)
        assert drawn == list(permutations(range(4)))


def test_sorted_reading_agrees_with_the_specification() -> None:
    """The same choices, read from the top, give the permutation of the specification."""
    m = 6
    for choices in [(0, 0, 0, 0, 0, 0), (5, 4, 3, 2, 1, 0), (3, 1, 3, 0, 1, 0), (2, 2, 2, 2, 0, 0)]:
        tape = tape_of(*((choice + 0.5) / (m - t) for t, choice in enumerate(choices)))
        specified = SpecifiedPermutation(m, tape)
        assert drawn_after(m, (), choices) == tuple(
            specified.item_at(Position(j)) - 1 for j in range(1, m + 1)
        )


def test_mixed_reading_agrees_with_the_specification() -> None:
    """Queries from both sides get the answers of the specification for the same choices."""
    choices = (4, 0, 3, 1)
    tape = tape_of(*((choice + 0.5) / (7 - t) for t, choice in enumerate(choices)))
    fast, specified = FisherYatesPermutation(7, Choices(7, choices)), SpecifiedPermutation(7, tape)
    assert [fast.position_of(2), fast.item_at(1), fast.position_of(6), fast.item_at(3)] == [
        specified.position_of(Item(3)),
        specified.item_at(Position(1)) - 1,
        specified.position_of(Item(7)),
        specified.item_at(Position(3)) - 1,
    ]


def test_nothing_is_revealed_at_first() -> None:
    """A new permutation has its size and no pairs."""
    order = FisherYatesPermutation(2**60, seeded_coins(1))
    assert (order.size, order.revealed_count) == (2**60, 0)


def test_one_draw_a_pair() -> None:
    """A query of a revealed pair draws nothing."""
    order = FisherYatesPermutation(10, seeded_coins(2))
    item = order.item_at(4)
    assert (order.position_of(item), order.item_at(4), order.revealed_count) == (4, item, 1)


def test_huge_permutations_are_cheap() -> None:
    """Of 2^50 items only the queried ones are stored, and the pairs are consistent."""
    order = FisherYatesPermutation(2**50, seeded_coins(3))
    items = [order.item_at(2**40 + j) for j in range(100)]
    assert len(set(items)) == 100
    assert [order.position_of(item) for item in items] == [2**40 + j for j in range(100)]
    order.check()


@pytest.mark.parametrize("position", [0, -1, 4])
def test_positions_outside_are_refused(position: int) -> None:
    """Positions are numbered 1 to m, and a refusal draws nothing."""
    order = FisherYatesPermutation(3, seeded_coins(4))
    assert refusal(lambda: order.item_at(position)) == (
        Reason.INFEASIBLE_POSITIONS,
        f"position must be between 1 and m=3, got {position}",
    )
    assert order.revealed_count == 0


@pytest.mark.parametrize("item", [3, -1])
def test_items_outside_are_refused(item: int) -> None:
    """Items are numbered 0 to m - 1, and a refusal draws nothing."""
    order = FisherYatesPermutation(3, seeded_coins(5))
    assert refusal(lambda: order.position_of(item)) == (
        Reason.UNKNOWN_ITEM,
        f"item must be between 0 and 2, got {item}",
    )
    assert order.revealed_count == 0


@pytest.mark.parametrize(
    ("m", "reason", "message"),
    [
        (0, Reason.EMPTY_DOMAIN, "m must be at least 1, got 0"),
        (
            LARGEST_SIZE + 1,
            Reason.SIZE_OUT_OF_RANGE,
            f"m must be between 1 and {2**62}, got {2**62 + 1}",
        ),
    ],
)
def test_sizes_out_of_range_are_refused(m: int, reason: Reason, message: str) -> None:
    """There are between 1 and 2^62 items."""
    assert refusal(lambda: FisherYatesPermutation(m, seeded_coins(6))) == (reason, message)


def test_lost_pair_is_found() -> None:
    """Sides that disagree about a pair do not pass the check."""
    order = FisherYatesPermutation(5, seeded_coins(7))
    order.item_at(2)
    order._positions_of.clear()
    with pytest.raises(AssertionError):
        order.check()


def test_forgotten_move_is_found() -> None:
    """Unpaired numbers whose two directions differ do not pass the check."""
    numbers = Unpaired(0, 9)
    numbers.take(5)
    numbers._places.clear()
    with pytest.raises(AssertionError, match="no inverse"):
        numbers.check()


class PermutationMachine(RuleBasedStateMachine):
    """A lazy permutation beside a dictionary of the revealed pairs."""

    @initialize(m=st.sampled_from((1, 2, 5, 63, 64, 65, 1000, 2**20, 2**50)), seed=st.integers(0))
    def start(self, m: int, seed: int) -> None:
        """Start with nothing revealed."""
        self.m = m
        self.order = FisherYatesPermutation(m, seeded_coins(seed))
        self.pairs: dict[int, int] = {}

    @rule(data=st.data())
    def ask_for_an_item(self, data: st.DataObject) -> None:
        """Query a position, often one of the first."""
        positions = st.integers(1, self.m) | st.integers(1, min(self.m, 6))
        position = data.draw(positions)
        item = self.order.item_at(position)
        assert self.pairs.setdefault(position, item) == item

    @rule(data=st.data())
    def ask_for_a_position(self, data: st.DataObject) -> None:
        """Query an item, often one of the first."""
        items = st.integers(0, self.m - 1) | st.integers(0, min(self.m - 1, 5))
        item = data.draw(items)
        position = self.order.position_of(item)
        assert self.pairs.setdefault(position, item) == item

    @invariant()
    def pairs_are_a_bijection(self) -> None:
        """No item has two positions, and every structural invariant holds."""
        if not hasattr(self, "order"):
            return
        self.order.check()
        assert self.order.revealed_count == len(self.pairs)
        assert len(set(self.pairs.values())) == len(self.pairs)
        assert all(1 <= j <= self.m and 0 <= i < self.m for j, i in self.pairs.items())


PermutationMachine.TestCase.settings = settings(
    max_examples=50, stateful_step_count=30, deadline=None
)
TestPermutationMachine = PermutationMachine.TestCase
