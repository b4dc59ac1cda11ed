"""Facts about the online oracle: one list behind two doors, with the law of the full list."""

import math
from collections.abc import Callable
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.model.values import Item, Number, Position, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.online_oracle import OnlineOracle, OrderStatistics
from privtopk.spec.noise.predecessor import NaiveIndex
from support import THIRDS, fits, refusal, third

DRAWS = 20_000
DEFECT = 0.006
"""The sum of (p - q)^2/q from which on a chi-square test here finds a wrong law, power 0.99."""


def test_nothing_is_read_at_first() -> None:
    """A new oracle of any size has an empty ledger and has read no uniform."""
    oracle = OnlineOracle(2**50, Gumbel(1), tape_of())
    assert (oracle.size, oracle.ledger) == (2**50, Ledger())


@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_sorted_list_descends_and_names_every_item(noise: Noise) -> None:
    """m sorted accesses deliver each item once with noises that never rise."""
    oracle = OnlineOracle(30, noise, seeded_tape(3))
    entries = [oracle.sorted_access() for _ in range(30)]
    assert sorted(entry.item for entry in entries) == list(items_of(30))
    assert all(high.value >= low.value for high, low in pairwise(entries))


def test_both_doors_show_one_list() -> None:
    """What random access told of an item is what sorted access delivers, and the other way."""
    oracle = OnlineOracle(12, Gumbel(1), seeded_tape(4))
    told = {item: oracle.random_access(item) for item in items_of(6)}
    delivered = {entry.item: entry.value for entry in (oracle.sorted_access() for _ in range(12))}
    assert {item: delivered[item] for item in told} == told
    assert {item: oracle.random_access(item) for item in items_of(12)} == delivered


def test_ledger_names_door_and_item() -> None:
    """Every access is recorded in order, repeated ones too."""
    oracle = OnlineOracle(3, Gumbel(1), seeded_tape(5))
    oracle.random_access(Item(2))
    first = oracle.sorted_access().item
    oracle.random_access(Item(2))
    assert oracle.ledger == Ledger(
        ((Door.RANDOM, Item(2)), (Door.SORTED, first), (Door.RANDOM, Item(2)))
    )


@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_transcript_replays(noise: Noise) -> None:
    """The same tape and the same questions give the same answers."""

    def transcript() -> list[Entry | Number]:
        oracle = OnlineOracle(20, noise, seeded_tape(6))
        return [
            answer
            for i in range(1, 11)
            for answer in (oracle.sorted_access(), oracle.random_access(Item(2 * i)))
        ]

    assert transcript() == transcript()


def test_top_of_a_huge_list_is_finite() -> None:
    """Of 2^50 noises the largest is about 35/epsilon, and ten of them differ."""
    oracle = OnlineOracle(2**50, Gumbel(1), seeded_tape(7))
    values = [oracle.sorted_access().value for _ in range(10)]
    assert len(set(values)) == 10
    assert 30 < values[9] < values[0] < 50


def test_index_may_be_brought_along() -> None:
    """Another index of the same behaviour gives the same list, and is told every position."""
    index = NaiveIndex()
    ours = OnlineOracle(9, Gumbel(1), seeded_tape(8), index)
    default = OnlineOracle(9, Gumbel(1), seeded_tape(8))
    assert [ours.sorted_access() for _ in range(4)] == [default.sorted_access() for _ in range(4)]
    assert [j in index for j in range(1, 7)] == [True, True, True, True, False, False]


def test_exhausted_list_is_refused() -> None:
    """After m sorted accesses the next is refused and leaves no trace."""
    oracle = OnlineOracle(2, Gumbel(1), seeded_tape(1))
    oracle.sorted_access()
    oracle.sorted_access()
    before = oracle.ledger
    assert (refusal(oracle.sorted_access), oracle.ledger) == (
        (Reason.LIST_EXHAUSTED, "all m=2 items have been delivered"),
        before,
    )


@pytest.mark.parametrize("item", [0, -1, 4])
def test_unknown_items_are_refused(item: int) -> None:
    """Random access to an item outside the domain is refused before anything is drawn."""
    oracle = OnlineOracle(3, Gumbel(1), tape_of())
    assert (refusal(lambda: oracle.random_access(Item(item))), oracle.ledger) == (
        (Reason.UNKNOWN_ITEM, f"item must be between 1 and m=3, got {item}"),
        Ledger(),
    )


@pytest.mark.parametrize("item", [True, 1.0, "1", None])
def test_items_of_another_type_are_refused(item: Any) -> None:
    """What is no integer is no item, and nothing is drawn for it."""
    oracle = OnlineOracle(3, Gumbel(1), tape_of())
    assert (refusal(lambda: oracle.random_access(item)), oracle.ledger) == (
        (Reason.WRONG_TYPE, f"item must be an integer, got {item!r}"),
        Ledger(),
    )


@pytest.mark.parametrize("m", [0, -1])
def test_empty_domains_are_refused(m: int) -> None:
    """There is at least one item."""
    expected = (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")
    assert refusal(lambda: OnlineOracle(m, Gumbel(1), tape_of())) == expected
    assert refusal(lambda: OrderStatistics(m, tape_of())) == expected


@pytest.mark.parametrize("m", [True, 2.0, "2", None])
def test_sizes_of_another_type_are_refused(m: Any) -> None:
    """The size is an integer."""
    expected = (Reason.WRONG_TYPE, f"m must be an integer, got {m!r}")
    assert refusal(lambda: OnlineOracle(m, Gumbel(1), tape_of())) == expected
    assert refusal(lambda: OrderStatistics(m, tape_of())) == expected


@pytest.mark.parametrize("ask", [lambda o: o.sorted_access(), lambda o: o.random_access(Item(1))])
def test_exhausted_tape_is_refused(ask: Callable[[OnlineOracle], object]) -> None:
    """Without uniforms nothing is answered and nothing is recorded."""
    oracle = OnlineOracle(3, Gumbel(1), tape_of())
    assert (refusal(lambda: ask(oracle)), oracle.ledger) == (
        (Reason.TAPE_EXHAUSTED, "the tape has no more uniforms"),
        Ledger(),
    )


@pytest.mark.parametrize("j", [0, 4, -1])
def test_positions_outside_are_refused(j: int) -> None:
    """The virtual ends are no positions."""
    levels = OrderStatistics(3, tape_of())
    assert refusal(lambda: levels.at(Position(j))) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"j must be between 1 and 3, got {j}",
    )


@given(st.permutations(range(1, 9)), st.integers(0, 2**32))
def test_levels_rise_with_their_positions(order: list[int], seed: int) -> None:
    """Drawn in any order, the levels rise from position to position and keep their values."""
    levels = OrderStatistics(8, seeded_tape(seed))
    drawn = {j: levels.at(Position(j)) for j in order}
    ranked = [drawn[j] for j in range(1, 9)]
    assert ranked == sorted(ranked)
    assert all(0 < level < math.inf for level in ranked)
    assert {j: levels.at(Position(j)) for j in order} == drawn


@pytest.mark.slow
@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_levels_have_the_joint_law(order: tuple[int, int, int]) -> None:
    """In every order of queries the levels are the order statistics of three exponentials.

    Null hypothesis: the spacings (4 - j)(E_(j) - E_(j-1)) are i.i.d. Exp(1), cut into thirds:
    27 equal cells; n = 20,000, false alarms 1e-9; a law with sum (p - q)^2/q >= 0.006 is found
    with power 0.99.
    """
    tape = seeded_tape(int("".join(map(str, order))))

    def cells() -> tuple[int, ...]:
        levels = OrderStatistics(3, tape)
        drawn = {0: 0.0, **{j: levels.at(Position(j)) for j in order}}
        return tuple(third(-math.expm1((4 - j) * (drawn[j - 1] - drawn[j]))) for j in (1, 2, 3))

    assert fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)


@pytest.mark.slow
def test_independent_levels_are_told_apart() -> None:
    """The control: levels with the right marginals, drawn independently, are not accepted."""
    tape = seeded_tape(70)

    def cells() -> tuple[int, ...]:
        drawn = {0: 0.0, **{j: OrderStatistics(3, tape).at(Position(j)) for j in (1, 2, 3)}}
        return tuple(
            third(max(0.0, -math.expm1((4 - j) * (drawn[j - 1] - drawn[j])))) for j in (1, 2, 3)
        )

    assert not fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)


def read_sorted(oracle: DualAccess) -> None:
    """Read the list from the top."""
    for _ in range(3):
        oracle.sorted_access()


def read_random(oracle: DualAccess) -> None:
    """Read the items from the last to the first."""
    for item in (3, 2, 1):
        oracle.random_access(Item(item))


def read_as_algorithm_three(oracle: DualAccess) -> None:
    """Ask for item 2, then for the top, then for another item that depends on the answers."""
    first = oracle.random_access(Item(2))
    top = oracle.sorted_access()
    oracle.random_access(Item(1) if top.value > first else Item(3))
    oracle.sorted_access()
    oracle.sorted_access()


STRATEGIES = {"sorted": read_sorted, "random": read_random, "adaptive": read_as_algorithm_three}


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_noises_are_independent_whatever_is_asked(
    strategy: Callable[[DualAccess], None], noise: Noise
) -> None:
    """After any adaptive order of queries the three items have i.i.d. noises of the right law.

    Null hypothesis: (F(Z_1), F(Z_2), F(Z_3)) is uniform on the cube, cut into 27 equal cells;
    n = 20,000, false alarms 1e-9; a law with sum (p - q)^2/q >= 0.006 is found with power 0.99.
    """
    tape = seeded_tape(80)

    def cells() -> tuple[int, ...]:
        oracle = OnlineOracle(3, noise, tape)
        strategy(oracle)
        return tuple(third(noise.cdf(oracle.random_access(item))) for item in items_of(3))

    assert fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)


class OracleMachine(RuleBasedStateMachine):
    """An online oracle beside a dictionary of what it told and a list of what it delivered."""

    @initialize(m=st.integers(1, 7), seed=st.integers(0, 2**32))
    def start(self, m: int, seed: int) -> None:
        """Start with nothing read."""
        self.m = m
        self.oracle = OnlineOracle(m, Gumbel(0.5), seeded_tape(seed))
        self.told: dict[Item, Number] = {}
        self.delivered: list[Entry] = []
        self.accesses: list[tuple[Door, Item]] = []

    @rule(data=st.data())
    def random_access(self, data: st.DataObject) -> None:
        """Ask for an item, known or not."""
        item = Item(data.draw(st.integers(1, self.m)))
        value = self.oracle.random_access(item)
        self.accesses.append((Door.RANDOM, item))
        assert self.told.setdefault(item, value) == value

    @precondition(lambda self: len(self.delivered) < self.m)
    @rule()
    def sorted_access(self) -> None:
        """Ask for the next item."""
        entry = self.oracle.sorted_access()
        self.accesses.append((Door.SORTED, entry.item))
        self.delivered.append(entry)
        assert self.told.setdefault(entry.item, entry.value) == entry.value

    @precondition(lambda self: len(self.delivered) == self.m)
    @rule()
    def sorted_access_past_the_end(self) -> None:
        """Ask once too often."""
        assert refusal(self.oracle.sorted_access) == (
            Reason.LIST_EXHAUSTED,
            f"all m={self.m} items have been delivered",
        )

    @invariant()
    def answers_belong_to_one_list(self) -> None:
        """Items are delivered once and in descending order, before all that is only told."""
        items = [entry.item for entry in self.delivered]
        values = [entry.value for entry in self.delivered]
        assert len(set(items)) == len(items)
        assert values == sorted(values, reverse=True)
        pending = [value for item, value in self.told.items() if item not in items]
        assert not values or all(value <= values[-1] for value in pending)
        assert self.oracle.ledger == Ledger(tuple(self.accesses))


OracleMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=20)
TestOracleMachine = OracleMachine.TestCase
