"""Facts about random subsets: their law, their ends, and domains of up to 2^62 numbers."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from privtopk.impl.randomness import subset
from privtopk.impl.randomness.generators import Floats, Integers
from privtopk.impl.randomness.subset import bernoulli_subset, uniform_subset
from support import fits, seeded_coins

DRAWS = 20_000
DEFECT = 0.0066
"""The smallest sum of (p - q)^2/q that a chi-square test here finds with power 0.99."""


class Served:
    """Random numbers from a list; the last one repeats."""

    is_secure = False

    def __init__(self, numbers: list[float]) -> None:
        self._numbers = numbers
        self.served = 0

    def exponentials(self, n: int) -> Floats:
        """Return the next numbers."""
        places = np.minimum(np.arange(self.served, self.served + n), len(self._numbers) - 1)
        self.served += n
        return np.array(self._numbers)[places]

    def uniforms(self, n: int) -> Floats:
        """Serve none."""
        raise NotImplementedError

    def integers(self, bound: int, n: int) -> Integers:
        """Serve the numbers as integers below the bound."""
        return self.exponentials(n).astype(np.int64) % bound


def bernoulli_law(size: int, level: float) -> dict[tuple[int, ...], float]:
    """Return the probability of each subset."""
    chance = -math.expm1(-level)
    return {
        chosen: chance ** len(chosen) * (1 - chance) ** (size - len(chosen))
        for count in range(size + 1)
        for chosen in combinations(range(size), count)
    }


def by_walking(size: int, level: float, numbers: list[float]) -> list[int]:
    """Return the numbers that a walk reaches which skips floor(X / level) numbers each time."""
    places, position = [], -1
    for number in [*numbers, *[numbers[-1]] * (size + 1)]:
        position += math.floor(number / level) + 1
        if position >= size:
            break
        places.append(position)
    return places


@pytest.mark.slow
@pytest.mark.parametrize(("size", "level"), [(1, 0.7), (4, 1.1), (5, 0.6)])
def test_every_subset_has_its_probability(size: int, level: float) -> None:
    """Each number is in with probability 1 - e^-level, independently of the others."""
    coins = seeded_coins(size)
    drawn = [tuple(bernoulli_subset(size, level, coins).tolist()) for _ in range(DRAWS)]
    assert fits(drawn, bernoulli_law(size, level), DRAWS, DEFECT)


@pytest.mark.slow
def test_every_subset_has_its_probability_where_gaps_are_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The law is the same if only the number of gaps is used."""
    monkeypatch.setattr(subset, "SPARSE", 1.0)
    coins = seeded_coins(11)
    drawn = [tuple(bernoulli_subset(4, 0.4, coins).tolist()) for _ in range(DRAWS)]
    assert fits(drawn, bernoulli_law(4, 0.4), DRAWS, DEFECT)


@given(
    size=st.integers(1, 40),
    level=st.floats(0.05, 30.0),
    numbers=st.lists(st.floats(1e-3, 20.0), min_size=1, max_size=30),
)
def test_gaps_are_walked(size: int, level: float, numbers: list[float]) -> None:
    """For the same random numbers, a walk of one gap at a time gives the same subset."""
    found = bernoulli_subset(size, level, Served(numbers)).tolist()
    assert found == by_walking(size, level, numbers)


def test_many_more_than_expected() -> None:
    """If there are more members than a block holds, more blocks follow until the end."""
    assert bernoulli_subset(1000, 0.001, Served([0.0005])).tolist() == list(range(1000))


def test_no_chance() -> None:
    """At level 0 nothing is chosen, and nothing is drawn."""
    coins = Served([1.0])
    assert (bernoulli_subset(2**62, 0.0, coins).tolist(), coins.served) == ([], 0)


def test_certainty() -> None:
    """At level infinity everything is chosen."""
    assert bernoulli_subset(4, math.inf, Served([1.0])).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("level", [5e-324, 1e-300, 2.0**-200])
@pytest.mark.parametrize("size", [1, 2**62])
def test_almost_no_chance(size: int, level: float) -> None:
    """A level that is tiny for every domain chooses nothing, without an overflow."""
    assert bernoulli_subset(size, level, seeded_coins(1)).tolist() == []


@pytest.mark.parametrize("level", [50.0, 1e6, 1e300])
def test_almost_certainty(level: float) -> None:
    """A level far above all exponentials chooses everything."""
    assert bernoulli_subset(5, level, seeded_coins(1)).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize("bits", [40, 53, 62])
def test_the_last_bits_in_a_huge_domain(bits: int) -> None:
    """The last two bits of the smallest chosen number, which is a single gap, are uniform."""
    coins = seeded_coins(bits)
    smallest: list[int] = []
    while len(smallest) < DRAWS:
        chosen = bernoulli_subset(2**bits, 2.0 ** (4 - bits), coins)
        smallest += chosen[:1].tolist()
    assert fits([place % 4 for place in smallest], dict.fromkeys(range(4), 1 / 4), DRAWS, DEFECT)


@pytest.mark.parametrize("bits", [40, 53, 62])
def test_a_huge_domain_is_reached_everywhere(bits: int) -> None:
    """The numbers chosen from a huge domain fill its eight parts evenly."""
    coins = seeded_coins(bits)
    draws = [bernoulli_subset(2**bits, 2.0 ** (6 - bits), coins) for _ in range(330)]
    parts = np.concatenate(draws) >> (bits - 3)
    assert fits(parts[:DRAWS].tolist(), dict.fromkeys(range(8), 1 / 8), DRAWS, DEFECT)


@pytest.mark.slow
def test_the_number_chosen_from_a_huge_domain() -> None:
    """Of 2^62 numbers at level 2^-61 the number chosen has the Poisson law of mean 2."""
    coins = seeded_coins(3)
    counts = [min(len(bernoulli_subset(2**62, 2.0**-61, coins)), 7) for _ in range(DRAWS)]
    law = {count: float(stats.poisson.pmf(count, 2)) for count in range(7)}
    assert fits(counts, law | {7: float(stats.poisson.sf(6, 2))}, DRAWS, DEFECT)


def test_the_end_of_the_largest_domain() -> None:
    """A sum that reaches 2^63 wraps to a negative number, and still ends the walk."""
    to_the_end = [2 - 2.0**-52, 510 * 2.0**-61, 4.0]
    (found,) = subset.by_gaps(2**62, 2.0**-61, Served(to_the_end))
    assert found.tolist() == [2**62 - 512, 2**62 - 1]


@pytest.mark.parametrize("level", [0.3, math.inf])
def test_blocks_are_pieces_of_the_subset(level: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of every length together are the same subset."""
    numbers = [step / 100 for step in range(1, 60)]
    whole = bernoulli_subset(50, level, Served(numbers)).tolist()
    monkeypatch.setattr(subset, "BLOCK", 3)
    blocks = [block.tolist() for block in subset.bernoulli_blocks(50, level, Served(numbers))]
    assert [item for block in blocks for item in block] == whole
    assert max(map(len, blocks)) == 3


def test_numbers_ascend() -> None:
    """The chosen numbers ascend, each once."""
    chosen = bernoulli_subset(100_000, 0.1, seeded_coins(2))
    assert bool(np.all(np.diff(chosen) > 0))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), [(5, 2), (4, 3), (6, 1)])
def test_sets_of_one_size_are_equally_likely(size: int, count: int) -> None:
    """All sets of distinct numbers have the same probability, also those of the largest numbers."""
    coins = seeded_coins(size * count)
    sets = list(combinations(range(size), count))
    drawn = [tuple(uniform_subset(size, count, coins).tolist()) for _ in range(DRAWS)]
    assert fits(drawn, dict.fromkeys(sets, 1 / len(sets)), DRAWS, DEFECT)


def test_a_repeated_number_is_drawn_again() -> None:
    """A repeated number is replaced by the next one, and none is dropped."""
    assert uniform_subset(10, 3, Served([9, 9, 4, 9, 9, 7])).tolist() == [4, 7, 9]


def test_all_numbers() -> None:
    """There is one set of all numbers."""
    assert uniform_subset(3, 3, seeded_coins(1)).tolist() == [0, 1, 2]


def test_no_numbers() -> None:
    """Choosing no numbers draws nothing."""
    assert uniform_subset(10, 0, Served([1.0])).tolist() == []
