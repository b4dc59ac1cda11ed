"""Facts about the rank-free oracle: one list behind two doors, with the law of the full list."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.model.values import Item, Number, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.rank_free import RankFreeOracle
from support import THIRDS, fits, refusal, third

DRAWS = 20_000
DEFECT = 0.006
"""The sum of (p - q)^2/q from which on a chi-square test here finds a wrong law, power 0.99."""


def test_nothing_is_read_at_first() -> None:
    """A new oracle of any size has an empty ledger and has read no uniform."""
    oracle = RankFreeOracle(2**50, Gumbel(1), tape_of())
    assert (oracle.size, oracle.ledger) == (2**50, Ledger())


@pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])
def test_sorted_list_descends_and_names_every_item(noise: Noise) -> None:
    """m sorted accesses deliver each item once with noises that never rise."""
    oracle = RankFreeOracle(30, noise, seeded_tape(3))
    entries = [oracle.sorted_access() for _ in range(30)]
    assert sorted(entry.item for entry in entries) == list(items_of(30))
    assert all(high.value >= low.value for high, low in pairwise(entries))


def test_both_doors_show_one_list() -> None:
    """What random access told of an item is what sorted access delivers, and the other way."""
    oracle = RankFreeOracle(12, Gumbel(1), seeded_tape(4))
    told = {item: oracle.random_access(item) for item in items_of(6)}
    delivered = {entry.item: entry.value for entry in (oracle.sorted_access() for _ in range(12))}
    assert {item: delivered[item] for item in told} == told
    assert {item: oracle.random_access(item) for item in items_of(12)} == delivered


def test_ledger_names_door_and_item() -> None:
    """Every access is recorded in order, repeated ones too."""
    oracle = RankFreeOracle(3, Gumbel(1), seeded_tape(5))
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
        oracle = RankFreeOracle(20, noise, seeded_tape(6))
        return [
            answer
            for i in range(1, 11)
            for answer in (oracle.sorted_access(), oracle.random_access(Item(2 * i)))
        ]

    assert transcript() == transcript()


def test_top_of_a_huge_list_is_finite() -> None:
    """Of 2^50 noises the largest is about 35/epsilon, and ten of them differ."""
    oracle = RankFreeOracle(2**50, Gumbel(1), seeded_tape(7))
    values = [oracle.sorted_access().value for _ in range(10)]
    assert len(set(values)) == 10
    assert 30 < values[9] < values[0] < 50


def test_random_access_adds_an_exponential_to_the_frontier() -> None:
    """A new item gets E = c + Exp(1), with c = 0 before anything is delivered."""
    oracle = RankFreeOracle(5, Gumbel(1), tape_of(0.3))
    assert oracle.random_access(Item(4)) == Gumbel(1).from_exponential(-math.log(0.3))


def test_sorted_access_takes_the_minimum_of_the_unseen() -> None:
    """The first of five has E = Exp(1)/5 and is the item that the second uniform names."""
    oracle = RankFreeOracle(5, Gumbel(1), tape_of(0.3, 0.5))
    assert oracle.sorted_access() == Entry(Item(3), Gumbel(1).from_exponential(-math.log(0.3) / 5))


def test_pending_item_goes_first_if_it_is_smaller() -> None:
    """An item met by random access is delivered when the fresh minimum is larger."""
    oracle = RankFreeOracle(2, Gumbel(1), tape_of(0.9, 0.5))
    value = oracle.random_access(Item(2))
    assert oracle.sorted_access() == Entry(Item(2), value)


def test_fresh_minimum_is_thrown_away() -> None:
    """After a pending item the next minimum starts anew from its level."""
    oracle = RankFreeOracle(2, Gumbel(1), tape_of(0.9, 0.5, 0.8, 0.5))
    oracle.random_access(Item(2))
    oracle.sorted_access()
    level = -math.log(0.9) - math.log(0.8)
    assert oracle.sorted_access() == Entry(Item(1), Gumbel(1).from_exponential(level))


def test_last_pending_items_need_no_uniform() -> None:
    """When every item is seen, sorted access reads nothing from the tape."""
    oracle = RankFreeOracle(2, Gumbel(1), tape_of(0.9, 0.5))
    values = {item: oracle.random_access(item) for item in items_of(2)}
    assert [oracle.sorted_access() for _ in range(2)] == [
        Entry(Item(1), values[Item(1)]),
        Entry(Item(2), values[Item(2)]),
    ]


def test_exhausted_list_is_refused() -> None:
    """After m sorted accesses the next is refused and leaves no trace."""
    oracle = RankFreeOracle(2, Gumbel(1), seeded_tape(1))
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
    oracle = RankFreeOracle(3, Gumbel(1), tape_of())
    assert (refusal(lambda: oracle.random_access(Item(item))), oracle.ledger) == (
        (Reason.UNKNOWN_ITEM, f"item must be between 1 and m=3, got {item}"),
        Ledger(),
    )


@pytest.mark.parametrize("item", [True, 1.0, "1", None])
def test_items_of_another_type_are_refused(item: Any) -> None:
    """What is no integer is no item, and nothing is drawn for it."""
    oracle = RankFreeOracle(3, Gumbel(1), tape_of())
    assert (refusal(lambda: oracle.random_access(item)), oracle.ledger) == (
        (Reason.WRONG_TYPE, f"item must be an integer, got {item!r}"),
        Ledger(),
    )


@pytest.mark.parametrize("m", [0, -1])
def test_empty_domains_are_refused(m: int) -> None:
    """There is at least one item."""
    expected = (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")
    assert refusal(lambda: RankFreeOracle(m, Gumbel(1), tape_of())) == expected


@pytest.mark.parametrize("m", [True, 2.0, "2", None])
def test_sizes_of_another_type_are_refused(m: Any) -> None:
    """The size is an integer."""
    expected = (Reason.WRONG_TYPE, f"m must be an integer, got {m!r}")
    assert refusal(lambda: RankFreeOracle(m, Gumbel(1), tape_of())) == expected


@pytest.mark.parametrize("ask", [lambda o: o.sorted_access(), lambda o: o.random_access(Item(1))])
def test_exhausted_tape_is_refused(ask: Callable[[RankFreeOracle], object]) -> None:
    """Without uniforms nothing is answered and nothing is recorded."""
    oracle = RankFreeOracle(3, Gumbel(1), tape_of())
    assert (refusal(lambda: ask(oracle)), oracle.ledger) == (
        (Reason.TAPE_EXHAUSTED, "the tape has no more uniforms"),
        Ledger(),
    )


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
        oracle = RankFreeOracle(3, noise, tape)
        strategy(oracle)
        return tuple(third(noise.cdf(oracle.random_access(item))) for item in items_of(3))

    assert fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)


class OracleMachine(RuleBasedStateMachine):
    """A rank-free oracle beside a dictionary of what it told and a list of what it delivered."""

    @initialize(m=st.integers(1, 7), seed=st.integers(0, 2**32))
    def start(self, m: int, seed: int) -> None:
        """Start with nothing read."""
        self.m = m
        self.oracle = RankFreeOracle(m, Gumbel(0.5), seeded_tape(seed))
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
