"""The exact law of the set that the one-shot mechanism returns under Laplace noise.

S is the top set when some t separates it: every noisy score outside S lies below t, and t
is the smallest noisy score inside. With G the product of the survival functions of the
items in S and H the product of the distribution functions of the others,

    P(S) = - integral of H dG.

Put y = e^(epsilon t). Between two neighbouring scores every factor has at most two terms in
y: F(t - h) is e^(-epsilon h) y / 2 below h and 1 - e^(epsilon h) / (2 y) above it. So the
integrand is a Laurent polynomial in y, its integral against dy / y has one logarithmic
term, and P(S) = a + b ln x with rational a and b when x = e^epsilon is rational.

Items of equal score are merged into powers of one factor. There is no ranked law: under
Laplace noise the algorithms release the set only.

Paper: algo:one-shot, def:noise, rem:ranked-release.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final, Generic, TypeAlias, TypeVar

from privtopk.spec.laws.log_linear import FLOAT_DIGITS, LogLinear, quotient, wide_context
from privtopk.spec.model.parameters import (
    require_base,
    require_distinct_items,
    require_epsilon,
    require_histogram,
    require_k,
)
from privtopk.spec.model.values import Histogram, Item, Number, items_of

Coefficient = TypeVar("Coefficient", Fraction, Decimal)
Probability = TypeVar("Probability")

Laurent: TypeAlias = dict[int, Coefficient]
"""A polynomial in y and 1/y: the coefficient of each power of y."""

Pattern: TypeAlias = tuple[tuple[int, int, int], ...]
"""Per distinct score: its distance from the smallest, its items in S and its items outside."""

GUARD_DIGITS: Final = 10
"""Digits for the rounding of all operations on one term: a few times m^2, for m <= 10^4."""


@dataclass(frozen=True, slots=True)
class ScoreGroup(Generic[Coefficient]):
    """The items of one score."""

    place: Coefficient
    """The score, in the unit in which the logarithm of y is measured."""

    y: Coefficient
    """The value of y where t equals the score."""

    selected: int
    unselected: int


def laplace_set_probability(
    histogram: Histogram, selected: Collection[Item], epsilon: Number
) -> float:
    """Return P(top set = selected) under Laplace(1/epsilon) noise, to a float's precision."""
    pattern = pattern_of(require_histogram(histogram), selected)
    return _float_probability(pattern, Fraction(require_epsilon(epsilon)))


def laplace_set_law(histogram: Histogram, k: int, epsilon: Number) -> dict[frozenset[Item], float]:
    """Return the law of the set of the k largest scores under Laplace(1/epsilon) noise."""
    scale = Fraction(require_epsilon(epsilon))
    return _law(histogram, k, lambda pattern: _float_probability(pattern, scale))


def exact_laplace_set_probability(
    histogram: Histogram, selected: Collection[Item], base: Fraction
) -> LogLinear:
    """Return P(top set = selected) exactly, for a rational base = e^epsilon."""
    pattern = pattern_of(require_histogram(histogram), selected)
    return _exact_probability(pattern, require_base(base))


def exact_laplace_set_law(
    histogram: Histogram, k: int, base: Fraction
) -> dict[frozenset[Item], LogLinear]:
    """Return the law of the set of the k largest noisy scores exactly."""
    rational = require_base(base)
    return _law(histogram, k, lambda pattern: _exact_probability(pattern, rational))


def pattern_of(histogram: Histogram, selected: Collection[Item]) -> Pattern:
    """Return all that P(S) depends on: how many items of each score are in S and outside."""
    chosen = require_distinct_items(selected, len(histogram))
    require_k(len(chosen), len(histogram))
    inside = Counter(histogram[item - 1] for item in chosen)
    everywhere = Counter(histogram)
    smallest = min(everywhere)
    return tuple(
        (score - smallest, inside[score], everywhere[score] - inside[score])
        for score in sorted(everywhere)
    )


def _law(
    histogram: Histogram, k: int, probability: Callable[[Pattern], Probability]
) -> dict[frozenset[Item], Probability]:
    """Return the law over the sets of k items; computes each pattern of scores once."""
    scores = require_histogram(histogram)
    size = require_k(k, len(scores))
    known: dict[Pattern, Probability] = {}
    law: dict[frozenset[Item], Probability] = {}
    for chosen in combinations(items_of(len(scores)), size):
        pattern = pattern_of(scores, chosen)
        if pattern not in known:
            known[pattern] = probability(pattern)
        law[frozenset(chosen)] = known[pattern]
    return law


def _exact_probability(pattern: Pattern, base: Fraction) -> LogLinear:
    """Return a + b ln(base), with the scores themselves as places."""
    groups = [
        ScoreGroup(Fraction(score), base**score, inside, outside)
        for score, inside, outside in pattern
    ]
    rational, log_coefficient = separation_integral(groups)
    return LogLinear(rational, log_coefficient, base)


def _float_probability(pattern: Pattern, epsilon: Fraction) -> float:
    """Return a + b with places epsilon h, in enough digits for a relative error of 10^-20.

    Invariant: the terms that cancel add up to at most `magnitude` in absolute value, since
    |1 - c y| has c y <= 1/2 where it is used, and there are m such factors.
    """
    m = sum(inside + outside for _, inside, outside in pattern)
    width = 2 + int(epsilon * pattern[-1][0])
    magnitude = Decimal(2 * m * (len(pattern) + 1) * width**2) * Decimal(3) ** m / Decimal(2) ** m
    precision = FLOAT_DIGITS + GUARD_DIGITS + magnitude.adjusted() + 2
    while True:
        with localcontext(wide_context(precision)):
            value = sum(separation_integral(_decimal_groups(pattern, epsilon)))
            if value > magnitude.scaleb(GUARD_DIGITS + FLOAT_DIGITS - precision):
                return float(value)
        precision *= 2


def _decimal_groups(pattern: Pattern, epsilon: Fraction) -> list[ScoreGroup[Decimal]]:
    """Return the groups with their places at epsilon h, in the current precision."""
    places = [quotient(epsilon * score) for score, _, _ in pattern]
    return [
        ScoreGroup(place, place.exp(), inside, outside)
        for place, (_, inside, outside) in zip(places, pattern, strict=True)
    ]


def separation_integral(
    groups: Sequence[ScoreGroup[Coefficient]],
) -> tuple[Coefficient, Coefficient]:
    """Return a and b, where P(S) = a + b times the logarithm of y per unit of place."""
    plain = logarithmic = groups[0].place * 0
    for below in range(len(groups) + 1):
        integrand = separation_density(groups, below)
        if below > 0:
            plain -= antiderivative(integrand, groups[below - 1].y)
        if below < len(groups):
            plain += antiderivative(integrand, groups[below].y)
        if 0 < below < len(groups):
            width = groups[below].place - groups[below - 1].place
            logarithmic += integrand.get(0, width * 0) * width
    return plain, logarithmic


def separation_density(
    groups: Sequence[ScoreGroup[Coefficient]], below: int
) -> Laurent[Coefficient]:
    """Return -H y dG/dy where t lies above exactly the first `below` scores.

    All its powers of y are positive below the smallest score and negative above the
    largest, so the two outer intervals contribute nothing at 0 and at infinity.
    """
    one = groups[0].y / groups[0].y
    survival, distribution = {0: one}, {0: one}
    for index, group in enumerate(groups):
        if index < below:
            tail, power = group.y / 2, -1
            survival = product(survival, tail_power(tail, power, group.selected))
            distribution = product(distribution, rest_power(tail, power, group.unselected))
        else:
            tail, power = 1 / (2 * group.y), 1
            survival = product(survival, rest_power(tail, power, group.selected))
            distribution = product(distribution, tail_power(tail, power, group.unselected))
    slope = {power: -power * coefficient for power, coefficient in survival.items() if power}
    return product(slope, distribution)


def tail_power(tail: Coefficient, power: int, count: int) -> Laurent[Coefficient]:
    """Return (tail y^power)^count."""
    return {power * count: tail**count}


def rest_power(tail: Coefficient, power: int, count: int) -> Laurent[Coefficient]:
    """Return (1 - tail y^power)^count."""
    return {power * j: comb(count, j) * (-tail) ** j for j in range(count + 1)}


def product(left: Laurent[Coefficient], right: Laurent[Coefficient]) -> Laurent[Coefficient]:
    """Return the product of two Laurent polynomials."""
    terms: dict[int, Coefficient] = {}
    for power, coefficient in left.items():
        for other_power, other_coefficient in right.items():
            term = coefficient * other_coefficient
            place = power + other_power
            terms[place] = terms[place] + term if place in terms else term
    return terms


def antiderivative(polynomial: Laurent[Coefficient], y: Coefficient) -> Coefficient:
    """Return the integral against dy / y at y, without the logarithmic term."""
    value = y * 0
    for power, coefficient in polynomial.items():
        if power:
            value += coefficient * y**power / power
    return value
