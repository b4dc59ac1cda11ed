"""Facts that hold for both oracles: one list behind two doors, with the law of the full list."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from privtopk.spec.model.access import Door, DualAccess, Entry, Ledger
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape, tape_of
from privtopk.spec.model.values import Item, Number, items_of
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.noise.online_oracle import OnlineOracle
from privtopk.spec.noise.rank_free import RankFreeOracle
from support import THIRDS, fits, refusal, third

Oracle: TypeAlias = type[OnlineOracle] | type[RankFreeOracle]

DRAWS = 20_000
DEFECT = 0.006
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""

for_both_oracles = pytest.mark.parametrize("oracle_class", [OnlineOracle, RankFreeOracle])
for_both_noises = pytest.mark.parametrize("noise", [Gumbel(0.5), Laplace(0.5)])


@for_both_oracles
def test_nothing_is_read_at_first(oracle_class: Oracle) -> None:
    """A new oracle of any size has an empty ledger and has read no uniform."""
    oracle = oracle_class(2**50, Gumbel(1), tape_of())
    assert (oracle.size, oracle.ledger) == (2**50, Ledger())


@for_both_oracles
@for_both_noises
def test_sorted_list_descends_and_names_every_item(oracle_class: Oracle, noise: Noise) -> None:
    """m sorted accesses deliver each item once, and the noise never rises."""
    oracle = oracle_class(30, noise, seeded_tape(3))
    entries = [oracle.sorted_access() for _ in range(30)]
    assert sorted(entry.item for entry in entries) == list(items_of(30))
    assert all(high.value >= low.value for high, low in pairwise(entries))


@for_both_oracles
def test_both_doors_show_one_list(oracle_class: Oracle) -> None:
    """Both doors return the same noise of an item, whichever is used first."""
    oracle = oracle_class(12, Gumbel(1), seeded_tape(4))
    returned = {item: oracle.random_access(item) for item in items_of(6)}
    delivered = {entry.item: entry.value for entry in (oracle.sorted_access() for _ in range(12))}
    assert {item: delivered[item] for item in returned} == returned
    assert {item: oracle.random_access(item) for item in items_of(12)} == delivered


@for_both_oracles
def test_ledger_names_door_and_item(oracle_class: Oracle) -> None:
    """Every access is recorded in order, repeated ones too."""
    oracle = oracle_class(3, Gumbel(1), seeded_tape(5))
    oracle.random_access(Item(2))
    first = oracle.sorted_access().item
    oracle.random_access(Item(2))
    assert oracle.ledger == Ledger(
        ((Door.RANDOM, Item(2)), (Door.SORTED, first), (Door.RANDOM, Item(2)))
    )


@for_both_oracles
@for_both_noises
def test_transcript_replays(oracle_class: Oracle, noise: Noise) -> None:
    """The same tape and the same queries give the same answers."""

    def transcript() -> list[Entry | Number]:
        oracle = oracle_class(20, noise, seeded_tape(6))
        return [
            answer
            for i in range(1, 11)
            for answer in (oracle.sorted_access(), oracle.random_access(Item(2 * i)))
        ]

    assert transcript() == transcript()


@for_both_oracles
def test_top_of_a_huge_list_is_finite(oracle_class: Oracle) -> None:
    """The largest of 2^50 noises is about 35/epsilon, and the ten largest differ."""
    oracle = oracle_class(2**50, Gumbel(1), seeded_tape(7))
    values = [oracle.sorted_access().value for _ in range(10)]
    assert len(set(values)) == 10
    assert 30 < values[9] < values[0] < 50


@for_both_oracles
def test_exhausted_list_is_refused(oracle_class: Oracle) -> None:
    """After m sorted accesses the next one is refused and not recorded."""
    oracle = oracle_class(2, Gumbel(1), seeded_tape(1))
    oracle.sorted_access()
    oracle.sorted_access()
    before = oracle.ledger
    assert (refusal(oracle.sorted_access), oracle.ledger) == (
        (Reason.LIST_EXHAUSTED, "all m=2 items have been delivered"),
        before,
    )


@for_both_oracles
@pytest.mark.parametrize("item", [0, -1, 4])
def test_unknown_items_are_refused(oracle_class: Oracle, item: int) -> None:
    """Random access to an item outside the domain is refused before anything is drawn."""
    oracle = oracle_class(3, Gumbel(1), tape_of())
    assert (refusal(lambda: oracle.random_access(Item(item))), oracle.ledger) == (
        (Reason.UNKNOWN_ITEM, f"item must be between 1 and m=3, got {item}"),
        Ledger(),
    )


@for_both_oracles
@pytest.mark.parametrize("item", [True, 1.0, "1", None])
def test_items_of_another_type_are_refused(oracle_class: Oracle, item: Any) -> None:
    """An item must be an integer; nothing is drawn for another type."""
    oracle = oracle_class(3, Gumbel(1), tape_of())
    assert (refusal(lambda: oracle.random_access(item)), oracle.ledger) == (
        (Reason.WRONG_TYPE, f"item must be an integer, got {item!r}"),
        Ledger(),
    )


@for_both_oracles
@pytest.mark.parametrize("m", [0, -1])
def test_empty_domains_are_refused(oracle_class: Oracle, m: int) -> None:
    """There is at least one item."""
    expected = (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")
    assert refusal(lambda: oracle_class(m, Gumbel(1), tape_of())) == expected


@for_both_oracles
@pytest.mark.parametrize("m", [True, 2.0, "2", None])
def test_sizes_of_another_type_are_refused(oracle_class: Oracle, m: Any) -> None:
    """The size is an integer."""
    expected = (Reason.WRONG_TYPE, f"m must be an integer, got {m!r}")
    assert refusal(lambda: oracle_class(m, Gumbel(1), tape_of())) == expected


@for_both_oracles
@pytest.mark.parametrize("ask", [lambda o: o.sorted_access(), lambda o: o.random_access(Item(1))])
def test_exhausted_tape_is_refused(
    oracle_class: Oracle, ask: Callable[[DualAccess], object]
) -> None:
    """Without uniforms no query is answered or recorded."""
    oracle = oracle_class(3, Gumbel(1), tape_of())
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
@for_both_oracles
@for_both_noises
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_noises_are_independent_whatever_is_asked(
    oracle_class: Oracle, strategy: Callable[[DualAccess], None], noise: Noise
) -> None:
    """After any adaptive order of queries the three items have i.i.d. noises of the right law.

    Null hypothesis: (F(Z_1), F(Z_2), F(Z_3)) is uniform on the cube, cut into 27 equal cells;
    n = 20,000, false alarms 1e-9; a law with sum (p - q)^2/q >= 0.006 is found with power 0.99.
    """
    tape = seeded_tape(80)

    def cells() -> tuple[int, ...]:
        oracle = oracle_class(3, noise, tape)
        strategy(oracle)
        return tuple(third(noise.cdf(oracle.random_access(item))) for item in items_of(3))

    assert fits((cells() for _ in range(DRAWS)), THIRDS, DRAWS, DEFECT)


class OracleMachine(RuleBasedStateMachine):
    """An oracle beside a dictionary of the noise it returned and a list of what it delivered."""

    oracle_class: ClassVar[Oracle]

    @initialize(m=st.integers(1, 7), seed=st.integers(0, 2**32))
    def start(self, m: int, seed: int) -> None:
        """Start with nothing read."""
        self.m = m
        self.oracle = self.oracle_class(m, Gumbel(0.5), seeded_tape(seed))
        self.returned: dict[Item, Number] = {}
        self.delivered: list[Entry] = []
        self.accesses: list[tuple[Door, Item]] = []

    @rule(data=st.data())
    def random_access(self, data: st.DataObject) -> None:
        """Ask for an item, seen or unseen."""
        item = Item(data.draw(st.integers(1, self.m)))
        value = self.oracle.random_access(item)
        self.accesses.append((Door.RANDOM, item))
        assert self.returned.setdefault(item, value) == value

    @precondition(lambda self: len(self.delivered) < self.m)
    @rule()
    def sorted_access(self) -> None:
        """Ask for the next item."""
        entry = self.oracle.sorted_access()
        self.accesses.append((Door.SORTED, entry.item))
        self.delivered.append(entry)
        assert self.returned.setdefault(entry.item, entry.value) == entry.value

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
        """Items are delivered once, in descending order, and no seen item is overtaken."""
        items = [entry.item for entry in self.delivered]
        values = [entry.value for entry in self.delivered]
        assert len(set(items)) == len(items)
        assert values == sorted(values, reverse=True)
        pending = [value for item, value in self.returned.items() if item not in items]
        assert not values or all(value <= values[-1] for value in pending)
        assert self.oracle.ledger == Ledger(tuple(self.accesses))


class OnlineMachine(OracleMachine):
    """The online oracle."""

    oracle_class = OnlineOracle


class RankFreeMachine(OracleMachine):
    """The rank-free oracle."""

    oracle_class = RankFreeOracle


OnlineMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=20)
RankFreeMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=20)
TestOnlineMachine = OnlineMachine.TestCase
TestRankFreeMachine = RankFreeMachine.TestCase
