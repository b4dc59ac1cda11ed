"""Facts about permute-and-flip."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.algorithms.permute_and_flip import (
    acceptances,
    permute_and_flip,
    permute_and_flip_law,
    permute_and_flip_mechanism,
    require_acceptances,
    symmetric_polynomials,
)
from privtopk.spec.laws.gumbel import float_weights
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.privacy import tight_ratio
from privtopk.spec.model.tape import every_outcome, tape_of
from privtopk.spec.model.values import Histogram, Item
from support import refusal

TWO = Fraction(2)
HISTOGRAMS = st.lists(st.integers(0, 5), min_size=1, max_size=4).map(tuple)
LAWS = {h: permute_and_flip_law(acceptances(h, TWO)) for h in product(range(4), repeat=3)}


def test_acceptance_falls_by_the_base_per_vote() -> None:
    """The best item is always accepted; one that is d votes below, with probability base^-d."""
    assert acceptances((1, 3, 0), TWO) == (
        Fraction(1, 4),
        Fraction(1),
        Fraction(1, 8),
    )


def test_law_of_two_items_by_hand() -> None:
    """The worse of two items is chosen with half its acceptance probability."""
    assert permute_and_flip_law(acceptances((0, 1), TWO)) == {1: Fraction(1, 4), 2: Fraction(3, 4)}


@given(HISTOGRAMS)
@settings(max_examples=30)
def test_drawing_has_the_law(histogram: Histogram) -> None:
    """All orders and all acceptances together give the law of the closed form."""
    accepted = acceptances(histogram, Fraction(3, 2))
    law = every_outcome(lambda tape: permute_and_flip(accepted, tape))
    assert law == permute_and_flip_law(accepted)


def test_law_is_noisy_max_with_exponential_noise() -> None:
    """P(i) is the integral of the exponential noise density times the others' cdf."""
    histogram, epsilon = np.array((3, 1, 2, 0)), 0.7

    def density(t: float) -> float:
        others = -np.expm1(-epsilon * np.maximum(t - histogram, 0))
        return float(epsilon * math.exp(-epsilon * (t - 1)) * np.prod(np.delete(others, 1)))

    numeric = integrate.quad(density, 3, 80, epsabs=1e-13, epsrel=1e-12)[0]
    law = permute_and_flip_law(float_weights((3, 1, 2, 0), epsilon))
    assert law[Item(2)] == pytest.approx(numeric, abs=1e-12)


def test_float_law_is_the_exact_one() -> None:
    """At epsilon = ln 2 the float law is the exact law rounded, m = 30 included."""
    histogram = tuple(i % 7 for i in range(30))
    exact = permute_and_flip_law(acceptances(histogram, TWO))
    assert permute_and_flip_law(float_weights(histogram, math.log(2))) == pytest.approx(
        {item: float(p) for item, p in exact.items()}, rel=1e-13
    )


@given(HISTOGRAMS)
@settings(max_examples=30)
def test_best_item_is_at_least_as_likely_as_under_the_exponential_mechanism(
    histogram: Histogram,
) -> None:
    """With the same epsilon no best item is less likely than under the exponential mechanism."""
    flipped = permute_and_flip_law(acceptances(histogram, TWO))
    exponential = exponential_law(histogram, TWO)
    best = [item for item in flipped if histogram[item - 1] == max(histogram)]
    assert all(flipped[item] >= exponential[item] for item in best)


@pytest.mark.parametrize(
    ("relation", "largest"), [(Relation.ADD_REMOVE, 2), (Relation.L_INFINITY, 4)]
)
def test_privacy_cost_is_exact(relation: Relation, largest: int) -> None:
    """The cost is exactly epsilon under add/remove and 2 epsilon under l-infinity.

    The largest ratio is taken over all neighbours with m = 3 and scores up to 3, e^epsilon = 2.
    """
    ratios = {
        tight_ratio(LAWS[first], LAWS[second])
        for first in LAWS
        for second in LAWS
        if is_neighbour(first, second, relation)
    }
    assert max(ratio for ratio in ratios if ratio is not None) == largest
    assert None not in ratios


@pytest.mark.parametrize(("first", "ratio"), [((0, 1), Fraction(3)), ((0, 2), Fraction(9))])
def test_bounds_are_attained_by_two_items(first: Histogram, ratio: Fraction) -> None:
    """Against (1, 1), (0, 1) attains e^epsilon and (0, 2) its square, here e^epsilon = 3."""
    p, q = (permute_and_flip_law(acceptances(h, Fraction(3))) for h in (first, (1, 1)))
    assert tight_ratio(p, q) == ratio


def test_symmetric_polynomials_by_hand() -> None:
    """For 2, 3, 5 they are 1, 10, 31, 30."""
    values = [Fraction(2), Fraction(3), Fraction(5)]
    assert symmetric_polynomials(values, Fraction(1)) == [1, 10, 31, 30]


def test_mechanism_is_a_function_of_its_tape() -> None:
    """Item 2 comes first and is rejected; then item 1 is accepted with probability 1."""
    uniforms = (0.6, 0.1, 0.5, 0.5)
    assert permute_and_flip_mechanism((1, 0), 0.7, tape_of(*uniforms)) == 1


def test_mechanism_uses_epsilon_as_a_rate() -> None:
    """With h = (2, 0) item 2 is drawn with probability e^(-2 epsilon) / 2, epsilon = 0.7."""
    law = every_outcome(lambda tape: permute_and_flip_mechanism((2, 0), 0.7, tape))
    assert float(law[Item(2)]) == pytest.approx(math.exp(-1.4) / 2, rel=1e-15)


@pytest.mark.parametrize("accepted", [(0.5, 0.25), (1, 1.5), (1, -0.5)])
def test_acceptances_without_a_sure_one_are_refused(accepted: tuple[float, ...]) -> None:
    """Acceptance probabilities lie in [0, 1] and the largest is 1."""
    assert refusal(lambda: require_acceptances(accepted)) == (
        Reason.PROBABILITY_OUT_OF_RANGE,
        "acceptance probabilities must lie between 0 and 1, and the largest must be 1",
    )


def test_empty_domain_is_refused() -> None:
    """There must be at least one item."""
    assert refusal(lambda: permute_and_flip((), tape_of())) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )
