"""The game behind the lower bounds: all adaptive ways to read the hard inputs, computed exactly.

A strategy chooses its next access from all answers so far, so it treats all inputs with the same
answers alike. Randomness does not help: a mixture is never better than its best part.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from privtopk.spec.lower_bounds.hard_families import HardInstance, hard_instance
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.values import Histogram, Item, items_of


def all_instances(m: int, s: int, a: int) -> list[HardInstance]:
    """Return every instance of these sizes, all equally likely."""
    return [
        hard_instance(m, chosen, low, 3)
        for chosen in combinations(items_of(m), s)
        for low in combinations(chosen, a)
    ]


def with_known_highs(instances: Sequence[HardInstance]) -> list[HardInstance]:
    """Return the instances that remain if the high items are those of the first instance."""
    return [each for each in instances if each.high == instances[0].high]


def sorted_items(histogram: Histogram) -> list[Item]:
    """Return all items in the order of sorted access."""
    source = StoredList(histogram)
    return [source.sorted_access().item for _ in histogram]


@dataclass(frozen=True, slots=True)
class HitsAndPrice:
    """The hits and the price of a strategy, summed over the inputs."""

    hits: int = 0
    price: int = 0

    def worth(self, rate: Fraction) -> int:
        """Return hits - rate * price, times the denominator of the rate."""
        return self.hits * rate.denominator - rate.numerator * self.price

    def __add__(self, other: "HitsAndPrice") -> "HitsAndPrice":
        """Return the sum over two sets of inputs."""
        return HitsAndPrice(self.hits + other.hits, self.price + other.price)


@dataclass(slots=True)
class HitGame:
    """A game: read the second histogram; every low item found counts, up to a number of hits."""

    instances: Sequence[HardInstance]
    hits: int
    rate: Fraction
    costs: tuple[int, int] = (1, 1)
    _orders: list[list[Item]] = field(init=False)
    _known: dict[tuple[frozenset[int], int, frozenset[Item]], HitsAndPrice] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Sort every input once."""
        self._orders = [sorted_items(each.neighbour) for each in self.instances]

    def best(self) -> HitsAndPrice:
        """Return hits and price of the strategy with the largest hits - rate * price."""
        return self._best(frozenset(range(len(self.instances))), 0, frozenset())

    def _best(self, alike: frozenset[int], ranks: int, read: frozenset[Item]) -> HitsAndPrice:
        state = (alike, ranks, read)
        if state not in self._known:
            found = min(self.hits, len(read & self.instances[min(alike)].low))
            choices = [HitsAndPrice(found * len(alike))]
            if found < self.hits:
                doors = [0, *(item for item in items_of(len(self._orders[0])) if item not in read)]
                choices += [self._after(door, alike, ranks, read) for door in doors]
            self._known[state] = max(choices, key=lambda outcome: outcome.worth(self.rate))
        return self._known[state]

    def _after(
        self, door: int, alike: frozenset[int], ranks: int, read: frozenset[Item]
    ) -> HitsAndPrice:
        """Return the best result if the next access is to item `door`, or sorted for door 0."""
        total = HitsAndPrice(0, self.costs[door > 0] * len(alike))
        for item, same in self._answers(door, alike, ranks):
            total += self._best(same, ranks + (door == 0), read | {item})
        return total

    def _answers(
        self, door: int, alike: frozenset[int], ranks: int
    ) -> Collection[tuple[Item, frozenset[int]]]:
        """Return the items read, each with the inputs that give the same answer."""
        answers: dict[tuple[Item, int], set[int]] = {}
        for index in alike:
            item = Item(door or self._orders[index][ranks])
            score = self.instances[index].neighbour[item - 1]
            answers.setdefault((item, score), set()).add(index)
        return [(item, frozenset(same)) for (item, _), same in answers.items()]


def least_price(
    instances: Sequence[HardInstance],
    hits: int,
    demanded: Fraction,
    costs: tuple[int, int] = (1, 1),
) -> Fraction:
    """Return the least mean price of a strategy with this mean number of hits, exactly.

    The pairs (hits, price) of all strategies and their mixtures form a convex region. The search
    follows its lower edge by chords; a chord is replaced while a strategy lies beyond it.
    """
    wanted = demanded * len(instances)
    below, above = HitsAndPrice(), HitGame(instances, hits, Fraction(0), costs).best()
    while above.hits > below.hits:
        rate = Fraction(above.hits - below.hits, above.price - below.price)
        beyond = HitGame(instances, hits, rate, costs).best()
        if beyond.worth(rate) <= above.worth(rate):
            return (below.price + (wanted - below.hits) / rate) / len(instances)
        below, above = (below, beyond) if beyond.hits >= wanted else (beyond, above)
    return Fraction(above.price, len(instances))
