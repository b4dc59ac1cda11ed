"""The number of marked items in a draw without replacement, exactly and in floats.

Hyp(population, marked, draws) is the law of how many of `draws` items, taken at random
from a population, are marked. The stopping round of the threshold algorithm, the
candidates of the two-phase algorithm and all three lower bounds are tails of it.

The float forms cost a bounded number of logarithms per probability. Factorials enter by
their remainders in Stirling's formula, powers by their deviance from the mean, so no terms
of the size of log(population!) cancel. For populations up to 10^12 the relative error of a
probability at distance d from the mean is below 1e-13 + 4e-15 d.

Paper:    cor:chernoff-without-replacement, fact:stirling, lem:permutation-and-independence.
Deviates: erratum:claim-one (the law itself stands in for its Chernoff bound).
Ours:     ours:hypergeometric-moment.
"""

import math
from fractions import Fraction
from typing import Final

from privtopk.spec.model.parameters import require_at_least, require_between, require_integer
from privtopk.spec.model.values import running_sum

STIRLING_FROM: Final = 16
"""From here on, four terms of Stirling's series are accurate to 2e-14."""

NEGLIGIBLE: Final = 1e-17
"""A term this small relative to the sum so far does not change a float."""


def require_draw(population: int, marked: int, draws: int) -> None:
    """Raise unless the population is at least 1 and has enough items to mark and to draw."""
    require_at_least("population", population, 1)
    require_between("marked", marked, 0, population)
    require_between("draws", draws, 0, population)


def hypergeometric_pmf(population: int, marked: int, draws: int, count: int) -> Fraction:
    """Return the probability that exactly `count` of the drawn items are marked."""
    require_draw(population, marked, draws)
    require_integer("count", count)
    if not 0 <= count <= draws:
        return Fraction(0)
    ways = math.comb(marked, count) * math.comb(population - marked, draws - count)
    return Fraction(ways, math.comb(population, draws))


def hypergeometric_cdf(population: int, marked: int, draws: int, count: int) -> Fraction:
    """Return the probability that at most `count` of the drawn items are marked."""
    require_draw(population, marked, draws)
    require_integer("count", count)
    ways = sum(
        math.comb(marked, x) * math.comb(population - marked, draws - x)
        for x in range(min(count, draws) + 1)
    )
    return Fraction(ways, math.comb(population, draws))


def hypergeometric_moment(population: int, marked: int, draws: int, base: Fraction) -> Fraction:
    """Return E[base^count] for a base of at least 0.

    For base <= 1 it is at most (1 - (1 - base) marked/population)^draws, the moment of as many
    independent draws.

    Ours: ours:hypergeometric-moment.
    """
    require_draw(population, marked, draws)
    terms = (hypergeometric_pmf(population, marked, draws, x) * base**x for x in range(draws + 1))
    return sum(terms, Fraction(0))


def negative_hypergeometric_tail(population: int, marked: int, k: int, n: int) -> Fraction:
    """Return P(N >= n), where N unmarked items come before the k-th marked one.

    In a random order of the population, N >= n means that at most k - 1 of the first
    n + k - 1 items are marked.
    """
    require_wait(population, marked, k, n)
    if n <= 0:
        return Fraction(1)
    if n > population - marked:
        return Fraction(0)
    return hypergeometric_cdf(population, marked, n + k - 1, k - 1)


def require_wait(population: int, marked: int, k: int, n: int) -> None:
    """Raise unless the population has a k-th marked item."""
    require_at_least("population", population, 1)
    require_between("marked", marked, 1, population)
    require_between("k", k, 1, marked)
    require_integer("n", n)


def stirling_remainder(n: int) -> float:
    """Return log n! - n log n + n, which is 0 for n = 0 and about log(2 pi n) / 2 after.

    Paper: fact:stirling.
    """
    if n == 0:
        return 0.0
    if n < STIRLING_FROM:
        return math.log(math.factorial(n)) - n * math.log(n) + n
    square = n * n
    series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / n
    return math.log(2 * math.pi * n) / 2 + series


def deviance(observed: int, expected: float, difference: float) -> float:
    """Return o log(o/e) - (o - e); takes o - e too, because computing it loses digits."""
    if observed == 0:
        return expected
    return observed * math.log1p(difference / expected) - difference


def hypergeometric_log_pmf(population: int, marked: int, draws: int, count: int) -> float:
    """Return the logarithm of `hypergeometric_pmf`; the arguments are not checked.

    The items are marked or not, and drawn or not. Each of these four counts is compared with
    its value under independence; they all differ from it by the same amount.
    """
    rest, left = population - marked, population - draws
    cells = (count, marked - count, draws - count, left - marked + count)
    if min(cells) < 0:
        return -math.inf
    products = (marked * draws, marked * left, rest * draws, rest * left)
    shift = (count * population - products[0]) / population
    shifts = (shift, -shift, -shift, shift)
    log_ways = running_sum(stirling_remainder(margin) for margin in (marked, rest, draws, left))
    inside = running_sum(stirling_remainder(cell) for cell in cells)
    log_ways -= stirling_remainder(population) + inside
    return log_ways - running_sum(
        deviance(cell, product / population, difference)
        for cell, product, difference in zip(cells, products, shifts, strict=True)
    )


def hypergeometric_pmf_float(population: int, marked: int, draws: int, count: int) -> float:
    """Return `hypergeometric_pmf` as a float, for populations up to 10^12."""
    require_draw(population, marked, draws)
    require_integer("count", count)
    return math.exp(hypergeometric_log_pmf(population, marked, draws, count))


def hypergeometric_cdf_float(population: int, marked: int, draws: int, count: int) -> float:
    """Return `hypergeometric_cdf` as a float, summed from `count` away from the mean.

    The number of terms grows with the standard deviation of the law, not with `count`; above
    the mean the value is 1 minus the upper tail.
    """
    require_draw(population, marked, draws)
    require_integer("count", count)
    if count * population < marked * draws:
        return _lower_sum(population, marked, draws, count)
    # More than `count` marked items in a draw are fewer than draws - count unmarked ones.
    return 1 - _lower_sum(population, population - marked, draws, draws - count - 1)


def _lower_sum(population: int, marked: int, draws: int, count: int) -> float:
    """Return P(at most count) for a count below the mean, from the largest term down."""
    total, term = 0.0, math.exp(hypergeometric_log_pmf(population, marked, draws, count))
    while term > NEGLIGIBLE * total:
        total += term
        term *= count * (population - marked - draws + count)
        term /= (marked - count + 1) * (draws - count + 1)
        count -= 1
    return total


def negative_hypergeometric_tail_float(population: int, marked: int, k: int, n: int) -> float:
    """Return `negative_hypergeometric_tail` as a float."""
    require_wait(population, marked, k, n)
    if n <= 0:
        return 1.0
    if n > population - marked:
        return 0.0
    return hypergeometric_cdf_float(population, marked, n + k - 1, k - 1)
