"""Facts about exact random subsets: the floors are correct, the places independent."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx

from privtopk.impl.engines.exact import subset
from privtopk.impl.engines.exact.bits import CoinBits
from privtopk.impl.engines.exact.quantile import uniforms
from privtopk.impl.engines.exact.subset import Gaps, bernoulli_blocks, uniform_subset
from privtopk.impl.randomness.generators import Integers
from privtopk.spec.model.errors import Reason
from support import fits, refusal, seeded_coins

LAST = 2**63 - 1
CHANCES = [Fraction(1, 2), Fraction(1, 3), Fraction(999, 1000), Fraction(1, 50), Fraction(3, 2**9)]


class Script:
    """Words that a test has chosen; the last one is repeated forever."""

    def __init__(self, *words: int) -> None:
        self._words = list(words)

    def words(self, n: int) -> Integers:
        """Return the next words."""
        drawn = [self._words.pop(0) if len(self._words) > 1 else self._words[0] for _ in range(n)]
        return np.array(drawn, dtype=np.int64)


def is_floor(gap: int, chance: Fraction, number: int, bits: int) -> bool:
    """Return whether a gap is the geometric variable of every V with these leading bits.

    It is g if (1 - p)^(g + 1) < 1 - V <= (1 - p)^g, in exact rationals.
    """
    least, largest = 1 - Fraction(number + 1, 2**bits), 1 - Fraction(number, 2**bits)
    return (1 - chance) ** (gap + 1) <= least and largest <= (1 - chance) ** gap


def close_words(chance: Fraction, gap: int, offset: int) -> tuple[int, int]:
    """Return the two words of a V close to the point where a gap begins."""
    number = int((1 - (1 - chance) ** gap) * 2**126) + offset
    number = min(max(number, 0), 2**126 - 1)
    return number >> 63, number & LAST


@pytest.mark.parametrize("chance", CHANCES)
def test_floors_are_true(chance: Fraction) -> None:
    """The floor in doubles is the floor for every V with these bits, by exact rationals."""
    generator = np.random.default_rng(1)
    words, tails = generator.integers(0, 2**63, size=(2, 400))
    gaps = Gaps(10**6, chance, CoinBits(seeded_coins())).floors(uniforms(words, tails)).tolist()
    pairs = zip(words.tolist(), tails.tolist(), strict=True)
    numbers = [word << 63 | tail for word, tail in pairs]
    assert all(
        is_floor(gap, chance, number, 126) for gap, number in zip(gaps, numbers, strict=True)
    )


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("offset", [-3, -2, -1, 0, 1, 2, 3])
def test_floors_next_to_a_jump_are_true(chance: Fraction, offset: int) -> None:
    """Near a jump of the floor, further words decide correctly."""
    gaps = [gap for gap in (1, 2, 3, 7, 20) if (1 - chance) ** gap > Fraction(1, 2**100)]
    for gap in gaps:
        words = close_words(chance, gap, offset)
        for further in (0, LAST):
            bits = Script(further)
            given = uniforms(np.array([words[0]]), np.array([words[1]]))
            try:
                found = int(Gaps(10**6, chance, bits).floors(given)[0])
            except ValueError:
                # All further bits are 0 or 1: V is the very point at which the floor changes.
                assert offset in (-1, 0)
                continue
            number = words[0] << 63 | words[1]
            whole = (number << 6300) | (2**6300 - 1 if further else 0)
            assert is_floor(found, chance, whole, 126 + 6300)


def test_doubt_changes_no_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors so large that every floor is in doubt lead to the same floors."""
    generator = np.random.default_rng(2)
    given = uniforms(*generator.integers(0, 2**63, size=(2, 200)))
    gaps = Gaps(10**6, Fraction(1, 50), CoinBits(seeded_coins()))
    sure = gaps.floors(given).tolist()
    monkeypatch.setattr(subset, "GAP_RADIUS", 1.0)
    assert gaps.floors(given).tolist() == sure


def test_long_gaps_end_at_the_size() -> None:
    """A gap beyond the end equals the size, even if a double cannot represent it."""
    size = 2**60 + 1
    gaps = Gaps(size, Fraction(1, 2**62), CoinBits(seeded_coins()))
    given = uniforms(np.array([LAST - 1, LAST, 2**61]), np.array([0, LAST - 2**56, 0]))
    assert gaps.floors(given).tolist()[:2] == [size, size]


def test_gaps_close_to_a_large_size_are_exact() -> None:
    """Gaps of size - 2 and size - 1 are exact for sizes that a double cannot represent."""
    size, chance = 2**60 + 1, Fraction(1, 2**60)
    gaps = Gaps(size, chance, CoinBits(seeded_coins()))
    with ctx.workprec(300):
        for wanted in (size - 2, size - 1):
            level = (arb(wanted) + 0.5) * -(-(arb(2) ** -60)).log1p()
            number = int((-(-level).expm1() * arb(2) ** 126).floor().unique_fmpz())
            found = gaps.refine_floor(number >> 63, number & LAST)
            assert found == wanted


def test_a_floor_that_never_settles_is_found_out() -> None:
    """Bits that stay at a jump forever stop the selection, because fair bits do not."""
    bits = Script(0)
    assert refusal(lambda: Gaps(10, Fraction(1, 2), bits).refine_floor(2**62, 0)) == (
        Reason.NO_ENTROPY,
        "the bits cannot be random: what ends after a few words does not end",
    )


@pytest.mark.parametrize(("chosen", "among"), [(1, 2), (2, 3), (1, 4)])
def test_subsets_have_the_product_law(chosen: int, among: int) -> None:
    """Each of four numbers is chosen independently of the others.

    Null: the product law. 2,100 draws, false alarms 1e-9, power 0.99 from a defect of 0.05.
    """
    bits = CoinBits(seeded_coins())
    draws = 2_100
    chance = Fraction(chosen, among)
    law = {
        subset: chance ** sum(subset) * (1 - chance) ** (4 - sum(subset))
        for subset in product((0, 1), repeat=4)
    }
    drawn = [subset_of(bits, chosen, among) for _ in range(draws)]
    assert fits(drawn, law, draws, 0.05)


def subset_of(bits: CoinBits, chosen: int, among: int) -> tuple[int, ...]:
    """Return which of four numbers are chosen."""
    items = [item for block in bernoulli_blocks(4, chosen, among, bits) for item in block.tolist()]
    return tuple(int(item in items) for item in range(4))


def test_chances_0_and_1() -> None:
    """Chance 0 chooses no number, chance 1 chooses all."""
    bits = CoinBits(seeded_coins())
    assert list(bernoulli_blocks(5, 0, 7, bits)) == []
    assert [block.tolist() for block in bernoulli_blocks(5, 7, 7, bits)] == [[0, 1, 2, 3, 4]]


@pytest.mark.parametrize("exponent", [20, 40, 55, 62])
def test_counts_have_the_right_mean(exponent: int) -> None:
    """Of 2^n items with chance 16/2^n about 16 are chosen, different and in order.

    Null: the count is Poisson to 5 digits. 400 draws: |z| > 6.5 has probability 8e-11; a mean
    that is wrong by 10 % is found with power 0.93.
    """
    bits = CoinBits(seeded_coins(exponent))
    size = 2**exponent
    counts = []
    for _ in range(400):
        blocks = list(bernoulli_blocks(size, 2**67 >> exponent, 2**63, bits))
        places = np.concatenate(blocks)
        assert (np.diff(places) > 0).all()
        assert len(places) == 0 or (places[0] >= 0 and places[-1] < size)
        counts.append(len(places))
    assert abs(np.mean(counts) - 16) < 6.5 * 4 / 20


def test_sparse_counts_are_those_of_exact_floors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count from sums of quotients is the count from exact floors, for the same words."""
    size, chance = 2**60, Fraction(20, 2**60)
    counts = [Gaps(size, chance, CoinBits(seeded_coins(seed))).count() for seed in range(60)]
    monkeypatch.setattr(subset, "SUM_RADIUS", 1.0)
    exact = [Gaps(size, chance, CoinBits(seeded_coins(seed))).count() for seed in range(60)]
    assert counts == exact
    assert len(set(counts)) > 5


@pytest.mark.parametrize("size", [3, 5])
def test_uniform_subsets_are_uniform(size: int) -> None:
    """Every pair is equally likely.

    Null: the uniform law. 5,500 draws, false alarms 1e-9, power 0.99 from a defect of 0.0175.
    """
    bits = CoinBits(seeded_coins())
    law = {(a, b): Fraction(2, size * (size - 1)) for b in range(size) for a in range(b)}
    drawn = [tuple(uniform_subset(size, 2, bits).tolist()) for _ in range(5_500)]
    assert fits(drawn, law, 5_500, 0.0175)
