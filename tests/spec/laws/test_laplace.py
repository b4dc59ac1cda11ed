"""Facts about the exact law of the selected set under Laplace noise."""

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from privtopk.spec.laws.laplace import (
    ScoreGroup,
    antiderivative,
    exact_laplace_set_law,
    exact_laplace_set_probability,
    laplace_set_law,
    laplace_set_probability,
    pattern_of,
    rest_power,
    separation_density,
    separation_integral,
    tail_power,
)
from privtopk.spec.laws.laplace import product as laurent_product
from privtopk.spec.laws.log_linear import LogLinear
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import is_add_remove_neighbour
from privtopk.spec.model.values import Histogram, Item
from support import refusal

TWO = Fraction(2)
Array: TypeAlias = npt.NDArray[np.float64]
ONE = frozenset({Item(1)})
HISTOGRAMS = st.lists(st.integers(0, 5), min_size=1, max_size=5).map(tuple)
BASES = st.fractions(min_value=Fraction(11, 10), max_value=5, max_denominator=12)


def by_quadrature(histogram: Histogram, chosen: frozenset[Item], epsilon: float) -> float:
    """Return the defining integral, split at the scores, where the density has kinks."""
    inside = np.array([histogram[i - 1] for i in chosen])
    outside = np.array([h for i, h in enumerate(histogram, start=1) if i not in chosen])

    def cdf(z: Array) -> Array:
        tail = np.exp(-epsilon * np.abs(z)) / 2
        return np.where(z < 0, tail, 1 - tail)

    def density(t: float) -> float:
        hazard = np.sum(epsilon * np.exp(-epsilon * np.abs(t - inside)) / 2 / cdf(inside - t))
        return float(hazard * np.prod(cdf(inside - t)) * np.prod(cdf(t - outside)))

    far = 40 / epsilon
    ends = [min(histogram) - far, *sorted(set(histogram)), max(histogram) + far]
    return math.fsum(
        integrate.quad(density, a, b, epsabs=1e-14, epsrel=1e-12)[0] for a, b in pairwise(ends)
    )


def pure_ratio_is_at_most(
    p: Mapping[frozenset[Item], LogLinear], q: Mapping[frozenset[Item], LogLinear], ratio: Fraction
) -> bool:
    """Return whether P(S) <= ratio Q(S) for every set, decided without rounding."""
    return not any((p[chosen] - q[chosen] * ratio).is_positive() for chosen in p)


def test_one_item_is_certain() -> None:
    """With m = k = 1 the only set has probability exactly 1."""
    assert exact_laplace_set_law((7,), 1, TWO) == {ONE: LogLinear(Fraction(1), Fraction(0), TWO)}


def test_two_items_by_hand() -> None:
    """With gap g, item 2 wins with probability e^(-epsilon g) (1/2 + epsilon g / 4)."""
    assert exact_laplace_set_law((3, 0), 1, TWO)[frozenset({Item(2)})] == LogLinear(
        Fraction(1, 16), Fraction(3, 32), TWO
    )


def test_equal_scores_are_equally_likely() -> None:
    """Equal scores give the uniform law, exactly and in floats."""
    exact = exact_laplace_set_law((2, 2, 2, 2), 2, Fraction(3, 2))
    assert set(exact.values()) == {LogLinear(Fraction(1, 6), Fraction(0), Fraction(3, 2))}
    assert set(laplace_set_law((2, 2, 2, 2), 2, 0.3).values()) == {1 / 6}


@given(HISTOGRAMS, BASES, st.data())
@settings(max_examples=40)
def test_total_probability_is_exactly_one(
    histogram: Histogram, base: Fraction, data: st.DataObject
) -> None:
    """The rational parts sum to 1 and the logarithmic parts to 0."""
    law = exact_laplace_set_law(histogram, data.draw(st.integers(1, len(histogram))), base)
    everything = sum(law.values(), start=LogLinear(Fraction(0), Fraction(0), base))
    assert everything == LogLinear(Fraction(1), Fraction(0), base)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 1.7])
def test_float_law_against_quadrature(epsilon: float) -> None:
    """Every set's probability is its defining integral, for epsilon below, at and above 1."""
    histogram = (3, 1, 0, 3, 2)
    law = laplace_set_law(histogram, 2, epsilon)
    numeric = {chosen: by_quadrature(histogram, chosen, epsilon) for chosen in law}
    assert law == pytest.approx(numeric, abs=1e-12)


def test_float_law_is_the_exact_law() -> None:
    """For epsilon = ln(3/2) both laws agree to the last digits of a float."""
    histogram = (5, 0, 2, 2, 1, 9)
    floats = laplace_set_law(histogram, 3, math.log(1.5))
    exact = exact_laplace_set_law(histogram, 3, Fraction(3, 2))
    assert floats == pytest.approx(
        {chosen: float(probability) for chosen, probability in exact.items()}, rel=1e-14
    )


def test_tiny_probabilities_keep_their_relative_accuracy() -> None:
    """A loser by 400 votes at epsilon = 1/2 wins with probability e^(-200) (1/2 + 200/4)."""
    probability = laplace_set_probability((400, 0), {Item(2)}, Fraction(1, 2))
    assert probability == pytest.approx(math.exp(-200) * 50.5, rel=1e-13)


def test_law_does_not_change_when_all_scores_shift() -> None:
    """One vote more for every item does not change the law, even at scores of a million."""
    shifted = laplace_set_law((10**6, 10**6 + 2, 10**6 + 1), 2, 0.7)
    assert shifted == laplace_set_law((0, 2, 1), 2, 0.7)


def test_law_depends_on_epsilon_times_score() -> None:
    """Doubling epsilon and halving the scores changes nothing."""
    assert laplace_set_law((0, 4, 2), 1, 0.5) == laplace_set_law((0, 2, 1), 1, 1)


def test_single_probability_is_the_entry_of_the_law() -> None:
    """The probability of one set is its entry in the law, exactly and in floats."""
    histogram, chosen = (4, 0, 1, 1), frozenset({Item(2), Item(3)})
    exact = exact_laplace_set_law(histogram, 2, TWO)[chosen]
    assert exact_laplace_set_probability(histogram, chosen, TWO) == exact
    assert (
        laplace_set_probability(histogram, chosen, 0.4)
        == laplace_set_law(histogram, 2, 0.4)[chosen]
    )


def test_pattern_merges_equal_scores() -> None:
    """Only the numbers of selected and unselected items of each score matter."""
    assert pattern_of((5, 3, 5, 3, 3), {Item(1), Item(2)}) == ((0, 1, 2), (2, 1, 1))


def test_histogram_of_a_hundred_items_with_two_scores() -> None:
    """With m = 100 and two scores the exact law of a set is one short computation."""
    histogram = (3,) * 10 + (0,) * 90
    top = frozenset(Item(i) for i in range(1, 11))
    exact = exact_laplace_set_probability(histogram, top, TWO)
    assert float(exact) == pytest.approx(by_quadrature(histogram, top, math.log(2)), rel=1e-9)


def test_l_infinity_ratio_approaches_e_to_the_two_epsilon() -> None:
    """fact:laplace-privacy: with m = 100 and epsilon = 1 an l-infinity pair has ratio 7.389056."""
    low = laplace_set_probability((0,) + (1,) * 99, ONE, 1)
    high = laplace_set_probability((1,) + (0,) * 99, ONE, 1)
    assert high / low == pytest.approx(7.3890560980735, rel=1e-13)
    assert 0 < math.exp(2) - high / low < 1e-9


def test_l_infinity_ratio_stays_below_e_to_the_two_epsilon() -> None:
    """The same pair with e^epsilon = 2 has a ratio below 4 by less than 10^-13, exactly decided."""
    low = exact_laplace_set_probability((0,) + (1,) * 99, ONE, TWO)
    high = exact_laplace_set_probability((1,) + (0,) * 99, ONE, TWO)
    assert (4 * low - high).is_positive()
    assert Decimal(4) - high.decimal(25) / low.decimal(25) < Decimal("1e-13")


def test_add_remove_ratio_stays_within_e_to_the_k_epsilon() -> None:
    """Every add/remove pair with m = 3 and scores up to 2 satisfies k epsilon, k = 1 and 2."""
    for k in (1, 2):
        laws = {h: exact_laplace_set_law(h, k, TWO) for h in product(range(3), repeat=3)}
        assert all(
            pure_ratio_is_at_most(laws[first], laws[second], TWO**k)
            for first in laws
            for second in laws
            if is_add_remove_neighbour(first, second)
        )


def test_separation_density_by_hand() -> None:
    """A single selected item contributes its lower tail below its score, its upper tail above."""
    groups = [ScoreGroup(Fraction(0), Fraction(1), 1, 0)]
    half = Fraction(1, 2)
    assert [separation_density(groups, below) for below in (0, 1)] == [{1: half}, {-1: half}]


def test_integral_of_one_item_has_no_logarithm() -> None:
    """The two halves of one Laplace density integrate to 1 + 0."""
    assert separation_integral([ScoreGroup(Fraction(0), Fraction(1), 1, 0)]) == (
        Fraction(1),
        Fraction(0),
    )


def test_tail_powers() -> None:
    """A tail and its rest are raised to powers by the binomial theorem."""
    third = Fraction(1, 3)
    assert tail_power(third, -1, 2) == {-2: Fraction(1, 9)}
    assert rest_power(third, 1, 2) == {0: 1, 1: Fraction(-2, 3), 2: Fraction(1, 9)}


def test_laurent_product() -> None:
    """(1 + y)(1 - 1/y) is y - 1/y."""
    one = Fraction(1)
    assert laurent_product({0: one, 1: one}, {0: one, -1: -one}) == {0: 0, -1: -1, 1: 1}


def test_antiderivative_leaves_out_the_constant_term() -> None:
    """Against dy / y, y^2 integrates to y^2 / 2 and the constant is left to the logarithm."""
    assert antiderivative({0: Fraction(5), 2: Fraction(1)}, Fraction(3)) == Fraction(9, 2)


def test_empty_selection_is_refused() -> None:
    """A set of no items is refused as k = 0."""
    assert refusal(lambda: laplace_set_probability((1, 0), (), 1)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=2, got 0",
    )


def test_unknown_item_is_refused() -> None:
    """A set must consist of items of the domain."""
    assert refusal(lambda: exact_laplace_set_probability((1, 0), {Item(3)}, TWO)) == (
        Reason.UNKNOWN_ITEM,
        "item must be between 1 and m=2, got 3",
    )


def test_epsilon_zero_is_refused() -> None:
    """An epsilon of 0 is refused."""
    assert refusal(lambda: laplace_set_law((1, 0), 1, 0)) == (
        Reason.EPSILON_OUT_OF_RANGE,
        "epsilon must be positive and finite, got 0",
    )
