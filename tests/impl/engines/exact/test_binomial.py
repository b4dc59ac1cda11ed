"""Facts about exact binomials: their law, the bound behind their rejection, and their coins."""

import math
from fractions import Fraction
from statistics import NormalDist

import pytest
from flint import ctx

from privtopk.impl.engines.exact import binomial
from privtopk.impl.engines.exact.balls import ball
from privtopk.impl.engines.exact.binomial import (
    acceptance,
    acceptance_interval,
    block_width,
    count_heads,
    fair_binomial,
    is_accepted_exactly,
    is_accepted_quickly,
    leading_ones,
)
from privtopk.impl.randomness.stream import bounded_stream, integer_stream
from privtopk.spec.model.errors import Reason
from support import fits, refusal, seeded_coins

ALL_ONES = 2**63 - 1


def draws(n: int, count: int, seed: int = 1) -> list[int]:
    """Return binomials from seeded coins."""
    coins = seeded_coins(seed)
    word = integer_stream(lambda size: coins.integers(2**63, size))
    below = bounded_stream(coins)
    return [fair_binomial(n, word, below) for _ in range(count)]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_coins_have_the_law_of_coins(n: int) -> None:
    """Heads of a few coins have their exact law.

    Null: Bin(n, 1/2). 8,000 draws, false alarms 1e-9, power 0.99 from a defect of 0.0113.
    """
    law = {heads: Fraction(math.comb(n, heads), 2**n) for heads in range(n + 1)}
    assert fits(draws(n, 8_000), law, 8_000, 0.0113)


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 31])
def test_rejection_has_the_law_of_coins(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By rejection, even and odd numbers of coins have their exact law.

    Null: Bin(n, 1/2), both tails as one class each. 8,000 draws, false alarms 1e-9, power 0.99
    from a defect of 0.0175. The majorant is larger than for many coins, which changes no law.
    """
    monkeypatch.setattr(binomial, "FEW", 10)
    monkeypatch.setattr(binomial, "MAJORANT", Fraction(3))
    ends = (n // 2 - 6, n // 2 + 6)
    law = dict.fromkeys(range(ends[0], ends[1] + 1), Fraction(0))
    for heads in range(n + 1):
        law[min(max(heads, ends[0]), ends[1])] += Fraction(math.comb(n, heads), 2**n)
    drawn = [min(max(heads, ends[0]), ends[1]) for heads in draws(n, 8_000)]
    assert fits(drawn, law, 8_000, 0.0175)


@pytest.mark.parametrize("n", [4097, 10**9, 2**60 + 1])
def test_many_coins_have_the_right_spread(n: int) -> None:
    """Heads of many coins are normal to 3 digits: eight classes of equal chance.

    Null: equal chances. 2,000 draws, false alarms 1e-9, power 0.99 from a defect of 0.054. The
    lattice moves a chance by 0.006 at most, which the test cannot see.
    """
    drawn = [(2 * heads - n) / math.sqrt(n) for heads in draws(n, 2_000)]
    classes = [min(7, int(8 * NormalDist().cdf(value))) for value in drawn]
    assert fits(classes, dict.fromkeys(range(8), 1 / 8), 2_000, 0.054)


def bound(n: int, block: int) -> float:
    """Return the bound of the docstring, times M."""
    half, width = n / 2, block_width(n)
    exponent = (block * width) ** 2 / (half + block * width)
    return math.ldexp(width * math.exp(-exponent), block + 2) / math.sqrt(math.pi * half)


@pytest.mark.parametrize("n", [4096, 4098, 5000, 10**4, 10**6, 2**40, 2**60])
def test_the_bound_is_below_the_majorant(n: int) -> None:
    """For every block the bound is below 2.02, and so below 9/4."""
    blocks = range(min(200, math.ceil(n / 2 / block_width(n)) + 1))
    assert max(bound(n, block) for block in blocks) < 2.02 < binomial.MAJORANT


@pytest.mark.parametrize("n", [4096, 4500, 2**20])
def test_acceptance_is_a_probability_below_its_bound(n: int) -> None:
    """In every block the probability is at most the bound over M, and that is below 1."""
    ctx.prec = 200
    width = block_width(n)
    for block in range(8):
        for distance in (block * width, block * width + width - 1):
            for heads in (n // 2 + distance, n // 2 - 1 - distance):
                chance = acceptance(n, heads, block)
                assert 0 < chance <= bound(n, block) * (1 + 1e-12) / binomial.MAJORANT
    ctx.prec = 53


def test_acceptance_is_proportional_to_the_law() -> None:
    """Probability of proposal times that of acceptance is C(n, heads)/2^n over M, exactly."""
    ctx.prec = 200
    n, width = 5000, block_width(5000)
    for distance in (0, 1, width, 3 * width - 1):
        block, heads = distance // width, 2500 + distance
        proposed = Fraction(1, 2 ** (block + 2) * width)
        wanted = Fraction(math.comb(n, heads), 2**n) / binomial.MAJORANT
        ratio = wanted / proposed
        assert abs(acceptance(n, heads, block) - ball(ratio)) < 1e-40
    ctx.prec = 53


@pytest.mark.parametrize(("n", "heads"), [(0, 0), (1, 1), (62, 62), (63, 63), (64, 64), (200, 200)])
def test_every_coin_is_tossed(n: int, heads: int) -> None:
    """Bits that are all ones are all heads."""
    assert count_heads(n, lambda: ALL_ONES) == heads


def test_leading_ones_are_counted_across_words() -> None:
    """A word of ones is followed by the next."""
    words = iter([ALL_ONES, 2**62 + 2**61, 0])
    assert leading_ones(lambda: next(words)) == 65
    assert leading_ones(lambda: next(words)) == 0


def test_endless_ones_are_found_out() -> None:
    """Bits without a zero raise an error, because fair bits have one."""
    assert refusal(lambda: leading_ones(lambda: ALL_ONES)) == (
        Reason.NO_ENTROPY,
        "the bits cannot be random: what ends after a few words does not end",
    )


@pytest.mark.parametrize("n", [4098, 10**4, 10**6 + 2, 2**40, 2**60])
def test_the_quick_interval_contains_the_probability(n: int) -> None:
    """The interval in doubles contains the logarithm that Arb proves, and is narrow."""
    ctx.prec = 300
    width = block_width(n)
    for block in range(7):
        for y in (block * width, block * width + width // 2, block * width + width - 1):
            if 16 * y > n // 2:
                continue
            low, high = acceptance_interval(n // 2, y, block, width)
            true = acceptance(n, n // 2 + y, block).log()
            assert low < true < high
            assert high - low < 1e-6
    ctx.prec = 53


def test_quick_and_is_accepted_exactlys_agree() -> None:
    """If doubles decide, they agree with Arb, even next to the probability."""
    coins = seeded_coins(9)
    word = integer_stream(lambda size: coins.integers(2**63, size))
    decided = 0
    for n in (4098, 10**5, 2**50):
        width = block_width(n)
        for place in range(60):
            block, heads = place % 3, n // 2 + (place % 3) * width + place % width
            ctx.prec = 200
            edge = float(acceptance(n, heads, block).mid()) * 2.0**63
            ctx.prec = 53
            shifts = (0.5, 1 - 1e-7, 1 - 1e-10, 1.0, 1 + 1e-10, 1 + 1e-7, 1.5)
            for number in [word(), *(min(int(edge * shift), 2**63 - 1) for shift in shifts)]:
                verdict = is_accepted_quickly(n, heads, block, number)
                if verdict is not None:
                    decided += 1
                    assert verdict == is_accepted_exactly(n, heads, block, number, word)
    assert decided > 700


@pytest.mark.parametrize(
    ("n", "heads", "block", "number"),
    [(10**4, 5000, 0, 2**40 - 1), (10**4, 5000, 101, 2**60), (10**4, 5313, 5, 2**60)],
)
def test_doubles_say_when_they_cannot_say(n: int, heads: int, block: int, number: int) -> None:
    """Few digits, far blocks and places far from the middle are left to Arb."""
    assert is_accepted_quickly(n, heads, block, number) is None
