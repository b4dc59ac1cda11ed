"""Facts about the exact output law of the one-shot mechanism with Gumbel noise."""

import math
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from privtopk.spec.algorithms.peeling import peel
from privtopk.spec.laws.gumbel import (
    append_item,
    float_weights,
    ranked_law,
    ranking_probability,
    remaining_weight,
    set_law,
    set_probability,
    total,
    weights,
)
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import is_add_remove_neighbour, is_l_infinity_neighbour
from privtopk.spec.model.privacy import tight_ratio
from privtopk.spec.model.tape import every_outcome
from privtopk.spec.model.values import Histogram, Item
from support import refusal

TWO = Fraction(2)
HISTOGRAMS = st.lists(st.integers(0, 6), min_size=1, max_size=5).map(tuple)
BASES = st.fractions(min_value=Fraction(11, 10), max_value=5, max_denominator=20)


def item_set(*items: int) -> frozenset[Item]:
    """Return the set of the items with these numbers."""
    return frozenset(Item(i) for i in items)


def test_weights_are_exact_powers() -> None:
    """The weight of an item is the base to the power of its score, as a fraction."""
    assert weights((0, 2, 1), Fraction(3, 2)) == (
        Fraction(1),
        Fraction(9, 4),
        Fraction(3, 2),
    )


def test_float_weights_do_not_overflow() -> None:
    """The largest float weight is 1, for all scores."""
    assert float_weights((10**6, 10**6 - 2), 0.5) == (1.0, math.exp(-1))


def test_float_weights_use_epsilon_as_a_rate() -> None:
    """A float weight is e^(-epsilon d) for a score d below the largest one."""
    assert float_weights((3, 1), 0.7) == (1.0, math.exp(0.7 * -2))


def test_law_of_two_items_by_hand() -> None:
    """With e^epsilon = 2 and h = (1, 0) item 1 comes first with probability 2/3."""
    assert ranked_law(weights((1, 0), TWO), 1) == {(1,): Fraction(2, 3), (2,): Fraction(1, 3)}


def test_set_law_of_three_items_by_hand() -> None:
    """With e^epsilon = 2 and h = (1, 0, 0) the sets of two have probabilities 5, 5, 2 in 12."""
    assert set_law(weights((1, 0, 0), TWO), 2) == {
        item_set(1, 2): Fraction(5, 12),
        item_set(1, 3): Fraction(5, 12),
        item_set(2, 3): Fraction(2, 12),
    }


@given(HISTOGRAMS, BASES, st.data())
def test_exact_laws_sum_to_one(histogram: Histogram, base: Fraction, data: st.DataObject) -> None:
    """Both exact laws have total probability exactly 1."""
    k = data.draw(st.integers(1, len(histogram)))
    exact = weights(histogram, base)
    assert (sum(ranked_law(exact, k).values()), sum(set_law(exact, k).values())) == (1, 1)


@given(HISTOGRAMS, BASES, st.data())
def test_set_law_is_the_ranked_law_without_order(
    histogram: Histogram, base: Fraction, data: st.DataObject
) -> None:
    """The probability of a set is the sum over the orders of its items."""
    exact = weights(histogram, base)
    ranked = ranked_law(exact, data.draw(st.integers(1, len(histogram))))
    unordered: dict[frozenset[Item], Fraction] = {}
    for ranking, probability in ranked.items():
        chosen = frozenset(ranking)
        unordered[chosen] = unordered.get(chosen, Fraction(0)) + probability
    assert set_law(exact, len(next(iter(ranked)))) == unordered


def test_single_probabilities_are_entries_of_the_laws() -> None:
    """The probability of one ranking and of one set are the entries of the two laws."""
    exact = weights((3, 0, 1, 1), Fraction(3, 2))
    ranked, sets = ranked_law(exact, 3), set_law(exact, 3)
    assert {ranking: ranking_probability(exact, ranking) for ranking in ranked} == ranked
    assert {chosen: set_probability(exact, chosen) for chosen in sets} == sets


def test_law_is_what_peeling_draws() -> None:
    """All outcomes of k weighted draws without replacement give the ranked law."""
    exact = weights((2, 0, 1, 1), Fraction(3, 2))
    assert every_outcome(lambda tape: peel(exact, 3, tape)) == ranked_law(exact, 3)


def test_law_does_not_change_when_all_scores_shift() -> None:
    """One vote more for every item does not change the law."""
    assert ranked_law(weights((1, 4, 2), TWO), 2) == ranked_law(weights((0, 3, 1), TWO), 2)


def test_law_against_quadrature() -> None:
    """P(item 1 is first) is the integral of its noise density times the others' cdf."""
    histogram, epsilon = (2, 1, 3), 0.7
    noise = stats.gumbel_r(scale=1 / epsilon)

    def density(t: float) -> float:
        return float(noise.pdf(t - 2) * noise.cdf(t - 1) * noise.cdf(t - 3))

    numeric = integrate.quad(density, -30, 90, epsabs=1e-13, limit=200)[0]
    law = ranked_law(float_weights(histogram, epsilon), 1)
    assert law[(Item(1),)] == pytest.approx(numeric, abs=1e-12)


def test_float_law_keeps_its_digits() -> None:
    """With m = 10 and k = 4 the float law is within 4e-16 of the exact one on all 210 sets."""
    histogram = (9, 0, 3, 3, 7, 1, 0, 12, 5, 2)
    exact = set_law(weights(histogram, TWO), 4)
    floats = set_law(float_weights(histogram, math.log(2)), 4)
    error = max(abs(Fraction(floats[chosen]) - exact[chosen]) for chosen in exact)
    assert (len(exact), error < Fraction(4, 10**16)) == (210, True)


def test_remaining_weight_survives_a_dominant_item() -> None:
    """The weight beside an item 10^20 times heavier is not rounded away."""
    assert remaining_weight((1e20, 1.0, 2.0), item_set(1)) == 3.0


def test_total_keeps_the_arithmetic_of_its_terms() -> None:
    """The total of fractions is a fraction and of floats a float."""
    assert (total([Fraction(1, 3), Fraction(2, 3)]), total([0.5, 0.25])) == (Fraction(1), 0.75)


def test_items_are_appended() -> None:
    """The new item comes last."""
    assert append_item((Item(3), Item(1)), Item(2)) == (3, 1, 2)


def test_all_orders_are_equally_likely_for_equal_scores() -> None:
    """Equal scores give the uniform law on rankings."""
    law = ranked_law(weights((4, 4, 4), Fraction(5, 3)), 3)
    assert law == dict.fromkeys(permutations((1, 2, 3)), Fraction(1, 6))


@pytest.mark.parametrize(
    ("first", "second", "k", "ratio"),
    [
        ((1, 3), (0, 4), 1, Fraction(17, 5)),
        ((1, 0, 0), (0, 1, 1), 1, Fraction(5, 2)),
        ((1, 1, 3, 3), (0, 0, 4, 4), 2, Fraction(187, 15)),
    ],
)
def test_printed_bound_fails_under_l_infinity(
    first: Histogram, second: Histogram, k: int, ratio: Fraction
) -> None:
    """erratum:neighbour-relation: with e^epsilon = 2 an l-infinity pair has a ratio above 2^k."""
    p, q = (set_law(weights(histogram, TWO), k) for histogram in (first, second))
    assert is_l_infinity_neighbour(first, second)
    assert not is_add_remove_neighbour(first, second)
    assert tight_ratio(p, q) == ratio
    assert 2**k < ratio < 4**k


def test_bad_base_is_refused() -> None:
    """A base of at most 1 is refused by its own reason."""
    assert refusal(lambda: weights((1, 0), Fraction(1))) == (
        Reason.EPSILON_OUT_OF_RANGE,
        "base must be above 1, got 1",
    )


def test_float_base_is_refused() -> None:
    """A float base is refused, since the law would only look exact."""
    assert refusal(lambda: weights((1, 0), 1.5)) == (  # type: ignore[arg-type]
        Reason.WRONG_TYPE,
        "base must be an integer or a fraction, got 1.5",
    )


def test_weight_zero_is_refused() -> None:
    """A weight that underflowed to 0 is refused."""
    assert refusal(lambda: ranked_law(float_weights((1000, 0), 1), 2)) == (
        Reason.WEIGHT_OUT_OF_RANGE,
        "the weight of item 2 must be positive and finite, got 0.0",
    )


def test_repeated_item_is_refused() -> None:
    """A ranking names each item once."""
    assert refusal(lambda: ranking_probability(weights((1, 0), TWO), (Item(1), Item(1)))) == (
        Reason.DUPLICATE_ITEM,
        "items must be distinct, got 2 items of which 1 differ",
    )


def test_k_beyond_m_is_refused() -> None:
    """k is at most the number of weights."""
    assert refusal(lambda: set_law(weights((1, 0), TWO), 3)) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=2, got 3",
    )
