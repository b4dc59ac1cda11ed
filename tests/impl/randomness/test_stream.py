"""Facts about random numbers that are served one at a time."""

import math
from itertools import islice

import numpy as np
import pytest
from scipy import stats

from privtopk.impl.randomness.generators import (
    LARGEST_BLOCK,
    SMALLEST_BLOCK,
    Floats,
    Integers,
    SeededRandomness,
)
from privtopk.impl.randomness.stream import (
    WORDS,
    block_sizes,
    bounded_stream,
    float_stream,
    integer_stream,
    normals,
)
from support import seeded_coins


class ScriptedWords(SeededRandomness):
    """Randomness with given integers, which repeat."""

    def __init__(self, *words: int) -> None:
        """Take the words."""
        super().__init__(np.random.default_rng(0))
        self.words = words

    def integers(self, bound: int, n: int) -> Integers:
        """Return the words in order, over and over."""
        return np.resize(np.array(self.words, dtype=np.int64), n)


def test_blocks_double_up_to_the_largest() -> None:
    """A block is twice the one before, until it has the largest size."""
    sizes = list(islice(block_sizes(), 10))
    assert sizes[0] == SMALLEST_BLOCK
    assert sizes == [min(SMALLEST_BLOCK << i, LARGEST_BLOCK) for i in range(10)]


def test_stream_serves_blocks_in_order() -> None:
    """The numbers are served in the order of the draws, across blocks, without gaps."""
    drawn: list[float] = []

    def draw(n: int) -> Floats:
        block = np.arange(len(drawn), len(drawn) + n, dtype=np.float64)
        drawn.extend(block.tolist())
        return block

    number = float_stream(draw)
    served = [number() for _ in range(500)]
    assert served == [float(i) for i in range(500)]


def test_nothing_is_drawn_before_it_is_asked_for() -> None:
    """A stream that is never read draws nothing."""

    def draw(n: int) -> Integers:
        raise AssertionError

    integer_stream(draw)


def test_integers_are_plain() -> None:
    """A stream of integers serves Python integers, which never overflow."""
    number = integer_stream(lambda n: seeded_coins(1).integers(10, n))
    assert type(number()) is int


def test_bounded_integers_take_the_high_part() -> None:
    """The word w stands for floor(w n / 2^62)."""
    below = bounded_stream(ScriptedWords(WORDS // 2 + 1, WORDS - 1, WORDS // 3))
    assert [below(10), below(10), below(10)] == [5, 9, 3]


def test_surplus_words_are_rejected() -> None:
    """For n = 3 the word 0 is rejected: 2^62 is not divisible by 3."""
    assert WORDS % 3 == 1
    assert bounded_stream(ScriptedWords(0, WORDS - 1))(3) == 2


def test_word_at_the_edge_is_accepted() -> None:
    """The first word that is not rejected gives 0."""
    assert bounded_stream(ScriptedWords(1, WORDS - 1))(3) == 0


def test_bound_one_leaves_no_choice() -> None:
    """Below 1 there is only 0."""
    below = bounded_stream(seeded_coins(2))
    assert {below(1) for _ in range(100)} == {0}


@pytest.mark.parametrize("n", [WORDS, WORDS - 1, WORDS // 2 + 1])
def test_large_bounds_are_served(n: int) -> None:
    """Bounds up to 2^62 work, even if almost half of the words are rejected."""
    below = bounded_stream(seeded_coins(3))
    assert all(0 <= below(n) < n for _ in range(200))


def test_bounded_integers_are_uniform() -> None:
    """Each of 24 numbers is equally likely.

    Null hypothesis: uniform on 24 cells; n = 48,000, false alarms 1e-9; a law with
    sum (p - q)^2/q >= 0.003 is found with power 0.99.
    """
    below, n, cells = bounded_stream(seeded_coins(4)), 48_000, 24
    counts = np.bincount([below(cells) for _ in range(n)], minlength=cells)
    limit = stats.chi2.isf(1e-9, cells - 1)
    assert stats.ncx2.sf(limit, cells - 1, 0.003 * n) >= 0.99
    assert float(((counts - n / cells) ** 2 / (n / cells)).sum()) < limit


def test_normals_are_standard() -> None:
    """Box and Muller's variables have the standard normal law.

    Null hypothesis: the standard normal distribution function; n = 40,000, false alarms
    1e-9 (Dvoretzky, Kiefer, Wolfowitz, Massart); a distance of 0.025 is found with power 0.99.
    """
    n = 40_000
    limit = math.sqrt(math.log(2 / 1e-9) / (2 * n))
    assert limit + math.sqrt(math.log(2 / 0.01) / (2 * n)) <= 0.025
    assert stats.kstest(normals(seeded_coins(5), n), stats.norm.cdf).statistic < limit


def test_sine_and_cosine_are_uncorrelated() -> None:
    """The two variables of one radius have correlation 0.

    Null hypothesis: independent normals; n = 20,000 pairs, six standard deviations are
    0.043, false alarms 2e-9; a correlation of 0.06 is found with power 0.99.
    """
    first, second = np.split(normals(seeded_coins(6), 40_000), 2)
    assert abs(float(np.corrcoef(first, second)[0, 1])) < 6 / math.sqrt(20_000)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_any_number_of_normals(n: int) -> None:
    """An odd number of variables can be drawn too."""
    assert normals(seeded_coins(7), n).shape == (n,)
