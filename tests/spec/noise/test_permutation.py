"""Facts about the permutation that is drawn entry by entry."""

from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import Tape, every_outcome, seeded_tape, tape_of
from privtopk.spec.model.values import Item, Position, items_of
from privtopk.spec.noise.permutation import LazyPermutation, SparseArrangement
from support import refusal

Query = tuple[str, int]


def queries(m: int) -> list[Query]:
    """Return every query to a permutation of m items."""
    return [(side, number) for side in ("item_at", "position_of") for number in range(1, m + 1)]


def ask(order: LazyPermutation, query: Query) -> None:
    """Make one query."""
    side, number = query
    if side == "item_at":
        order.item_at(Position(number))
    else:
        order.position_of(Item(number))


def drawn_after(m: int, script: tuple[Query, ...], tape: Tape) -> tuple[Item, ...]:
    """Return the whole permutation after some queries."""
    order = LazyPermutation(m, tape)
    for query in script:
        ask(order, query)
    return tuple(order.item_at(Position(j)) for j in range(1, m + 1))


@pytest.mark.parametrize("m", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_permutation_is_uniform_for_every_interleaving(m: int) -> None:
    """After any queries, all m! permutations have probability 1/m!, exactly.

    Every sequence of m - 1 queries from either side is tried; the last entry is forced.
    """
    uniform = {order: Fraction(1, factorial(m)) for order in permutations(items_of(m))}
    scripts = list(product(queries(m), repeat=m - 1))
    assert len(scripts) == (2 * m) ** (m - 1)
    for script in scripts:
        assert every_outcome(lambda tape, s=script: drawn_after(m, s, tape)) == uniform  # type: ignore[misc]


def test_permutation_is_uniform_for_adaptive_queries() -> None:
    """A query may depend on earlier answers, and the law stays uniform."""

    def run(tape: Tape) -> tuple[Item, ...]:
        order = LazyPermutation(4, tape)
        first = order.position_of(Item(2))
        second = order.item_at(Position(first % 4 + 1))
        order.position_of(Item(second % 4 + 1))
        return tuple(order.item_at(Position(j)) for j in range(1, 5))

    assert every_outcome(run) == {order: Fraction(1, 24) for order in permutations(items_of(4))}


def test_first_answer_is_uniform() -> None:
    """The first answer from either side is uniform."""
    uniform = {number: Fraction(1, 5) for number in range(1, 6)}
    assert every_outcome(lambda tape: LazyPermutation(5, tape).position_of(Item(3))) == uniform
    assert every_outcome(lambda tape: LazyPermutation(5, tape).item_at(Position(3))) == uniform


def test_one_draw_per_pair() -> None:
    """A query of a revealed pair reads no uniform."""
    order = LazyPermutation(10, tape_of(0.55))
    item = order.item_at(Position(4))
    assert (order.position_of(item), order.item_at(Position(4)), order.revealed) == (4, item, 1)


def test_nothing_is_revealed_at_first() -> None:
    """A new permutation has its size and no pairs."""
    order = LazyPermutation(2**60, tape_of())
    assert (order.size, order.revealed) == (2**60, 0)


def test_huge_permutations_are_cheap() -> None:
    """A permutation of 2^50 items stores only those asked for, and the pairs are consistent."""
    order = LazyPermutation(2**50, seeded_tape(1))
    items = [order.item_at(Position(2**40 + j)) for j in range(100)]
    assert len(set(items)) == 100
    assert [order.position_of(item) for item in items] == [2**40 + j for j in range(100)]


def test_permutation_replays() -> None:
    """The same tape gives the same permutation."""
    script = (("position_of", 3), ("item_at", 1))
    assert drawn_after(7, script, seeded_tape(5)) == drawn_after(7, script, seeded_tape(5))


@pytest.mark.parametrize("position", [0, -1, 4])
def test_positions_outside_are_refused(position: int) -> None:
    """Positions are numbered 1 to m, and a refusal draws nothing."""
    order = LazyPermutation(3, tape_of())
    assert refusal(lambda: order.item_at(Position(position))) == (
        Reason.INFEASIBLE_POSITIONS,
        f"position must be between 1 and m=3, got {position}",
    )
    assert order.revealed == 0


@pytest.mark.parametrize("position", [True, 1.0, 1.5, "1", None])
def test_positions_of_another_type_are_refused(position: Any) -> None:
    """A position is an integer, and a refusal draws nothing."""
    order = LazyPermutation(3, tape_of())
    assert refusal(lambda: order.item_at(position)) == (
        Reason.WRONG_TYPE,
        f"position must be an integer, got {position!r}",
    )
    assert order.revealed == 0


@pytest.mark.parametrize("item", [0, -1, 4])
def test_items_outside_are_refused(item: int) -> None:
    """Items are numbered 1 to m, and a refusal draws nothing."""
    order = LazyPermutation(3, tape_of())
    assert refusal(lambda: order.position_of(Item(item))) == (
        Reason.UNKNOWN_ITEM,
        f"item must be between 1 and m=3, got {item}",
    )
    assert order.revealed == 0


@pytest.mark.parametrize("item", [True, 1.0, "1", None])
def test_items_of_another_type_are_refused(item: Any) -> None:
    """An item is an integer."""
    order = LazyPermutation(3, tape_of())
    assert refusal(lambda: order.position_of(item)) == (
        Reason.WRONG_TYPE,
        f"item must be an integer, got {item!r}",
    )


@pytest.mark.parametrize("m", [0, -1])
def test_empty_permutations_are_refused(m: int) -> None:
    """A permutation has at least one item."""
    expected = (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")
    assert refusal(lambda: LazyPermutation(m, tape_of())) == expected
    assert refusal(lambda: SparseArrangement(m)) == expected


def test_exhausted_tape_is_refused() -> None:
    """A new pair needs a draw; without one nothing is revealed."""
    order = LazyPermutation(3, tape_of())
    assert refusal(lambda: order.item_at(Position(1))) == (
        Reason.TAPE_EXHAUSTED,
        "the tape has no more uniforms",
    )
    assert order.revealed == 0


def test_new_arrangement_is_the_identity() -> None:
    """Every number starts at its own place."""
    arrangement = SparseArrangement(4)
    assert [(arrangement.at(i), arrangement.place_of(i)) for i in range(1, 5)] == [
        (i, i) for i in range(1, 5)
    ]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=12))
def test_arrangement_agrees_with_a_list(exchanges: list[tuple[int, int]]) -> None:
    """After any exchanges the arrangement is that of a plain list, and both maps are inverse."""
    arrangement, model = SparseArrangement(6), list(range(1, 7))
    for first, second in exchanges:
        arrangement.exchange(first, second)
        model[first - 1], model[second - 1] = model[second - 1], model[first - 1]
    assert [arrangement.at(place) for place in range(1, 7)] == model
    assert [arrangement.place_of(number) for number in model] == list(range(1, 7))


class PermutationMachine(RuleBasedStateMachine):
    """A lazy permutation beside a plain dictionary of the pairs it has returned."""

    @initialize(m=st.integers(1, 8), seed=st.integers(0, 2**32))
    def start(self, m: int, seed: int) -> None:
        """Start with nothing revealed."""
        self.m = m
        self.order = LazyPermutation(m, seeded_tape(seed))
        self.returned: dict[int, int] = {}

    @rule(data=st.data())
    def ask_for_an_item(self, data: st.DataObject) -> None:
        """Ask which item stands at a position."""
        position = data.draw(st.integers(1, self.m))
        item = self.order.item_at(Position(position))
        assert self.returned.setdefault(position, item) == item

    @rule(data=st.data())
    def ask_for_a_position(self, data: st.DataObject) -> None:
        """Ask at which position an item stands."""
        item = data.draw(st.integers(1, self.m))
        position = self.order.position_of(Item(item))
        assert self.returned.setdefault(position, item) == item

    @precondition(lambda self: self.returned)
    @rule(data=st.data())
    def ask_again_from_the_other_side(self, data: st.DataObject) -> None:
        """Ask for a known pair by its item."""
        position = data.draw(st.sampled_from(sorted(self.returned)))
        assert self.order.position_of(Item(self.returned[position])) == position

    @invariant()
    def pairs_are_a_partial_bijection(self) -> None:
        """Every revealed pair was returned, no item occurs twice, all lie in the domain."""
        items = list(self.returned.values())
        assert self.order.revealed == len(items) == len(set(items))
        assert set(items) | set(self.returned) <= set(range(1, self.m + 1))


PermutationMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=20)
TestPermutationMachine = PermutationMachine.TestCase
