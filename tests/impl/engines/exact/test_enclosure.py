"""Facts about comparisons of two items: bits are revealed until the intervals are disjoint."""

from fractions import Fraction

import numpy as np
import pytest

from privtopk.impl.engines.exact.enclosure import Contender, compare
from privtopk.impl.engines.exact.hidden_bits import HiddenBits
from privtopk.impl.randomness.generators import Integers
from privtopk.spec.model.errors import Reason
from privtopk.spec.noise.distributions import NoiseKind
from support import refusal
from support_exact import random_table
from support_served import ServedWords

kinds = pytest.mark.parametrize("kind", NoiseKind)


def contender(
    item: int, score: Fraction, field: ServedWords, words: Integers, kind: NoiseKind
) -> Contender:
    """Return an item with the first two of its words."""
    first, second = words[item, :2].tolist()
    return Contender(item, score, (first, second), kind, field)


class Ones:
    """Words that are all the same."""

    def words(self, n: int) -> Integers:
        """Return n of them."""
        return np.ones(n, dtype=np.int64)


@kinds
@pytest.mark.parametrize("common", [2, 3, 9])
def test_common_bits_are_passed_over(kind: NoiseKind, common: int) -> None:
    """Of two tied items the one with the smaller word wins, at the first word that differs."""
    words = random_table(np.random.default_rng(1), 2)
    words[1, :common] = words[0, :common]
    words[:, common] = 7 * 2**50, 9 * 2**50
    field = ServedWords(words)
    first, second = (contender(item, Fraction(5), field, words, kind) for item in (0, 1))
    assert (compare(first, second), compare(second, first)) == (1, -1)
    assert max(number for _, number in field.revealed) == common


@kinds
def test_the_score_counts_exactly(kind: NoiseKind) -> None:
    """If 126 bits are equal, a gap of 10^-30 noise scales decides without a further bit."""
    words = random_table(np.random.default_rng(2), 2)
    words[1] = words[0]
    field = ServedWords(words)
    more = contender(0, Fraction(10**30 + 1, 10**30), field, words, kind)
    less = contender(1, Fraction(1), field, words, kind)
    assert compare(more, less) == 1
    assert field.revealed == set()


@kinds
def test_items_that_never_part_are_found_out(kind: NoiseKind) -> None:
    """Two items that share their bits forever stop the selection, because fair bits do not."""
    field = HiddenBits(2, Ones())
    pair = [Contender(item, Fraction(0), (5, 5), kind, field) for item in (0, 1)]
    assert refusal(lambda: compare(*pair)) == (
        Reason.NO_ENTROPY,
        "the bits cannot be random: what ends after a few words does not end",
    )
