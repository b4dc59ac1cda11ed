"""Facts about report noisy max."""

import math
from fractions import Fraction
from itertools import product

import pytest

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.algorithms.noisy_max import (
    exact_laplace_noisy_max_law,
    gumbel_noisy_max_law,
    laplace_noisy_max_law,
    noisy_max_mechanism,
    report_noisy_max,
)
from privtopk.spec.laws.log_linear import LogLinear
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import is_l_infinity_neighbour
from privtopk.spec.model.tape import tape_of
from privtopk.spec.noise.distributions import Gumbel, Laplace
from support import refusal

TWO = Fraction(2)


def test_the_largest_noisy_score_wins() -> None:
    """Scores 3, 5, 4 with noise 0, -2, 0 select item 3."""
    assert report_noisy_max((3, 5, 4), (0, -2, 0)) == 3


def test_ties_go_to_the_smaller_item() -> None:
    """Equal noisy scores select the item with the smaller number."""
    assert report_noisy_max((1, 2, 0), (1, 0, 2)) == 1


@pytest.mark.parametrize("noise", [Gumbel(0.7), Laplace(0.7)])
def test_mechanism_takes_one_uniform_per_item_in_order(noise: Gumbel | Laplace) -> None:
    """The noise of item i is the quantile of the i-th uniform, for both noises."""
    uniforms = (0.2, 0.9, 0.5)
    noise_values = [noise.quantile(u) for u in uniforms]
    assert noisy_max_mechanism((3, 1, 2), noise, tape_of(*uniforms)) == report_noisy_max(
        (3, 1, 2), noise_values
    )


def test_gumbel_law_is_the_exponential_mechanism() -> None:
    """With Gumbel noise the law is that of the exponential mechanism."""
    base = Fraction(3, 2)
    assert gumbel_noisy_max_law((2, 0, 1), base) == exponential_law((2, 0, 1), base)


def test_exact_laplace_law_of_two_items() -> None:
    """With Laplace noise and gap 1 the loser wins with x^-1 (1/2 + ln(x) / 4)."""
    assert exact_laplace_noisy_max_law((1, 0), TWO) == {
        1: LogLinear(Fraction(3, 4), Fraction(-1, 8), TWO),
        2: LogLinear(Fraction(1, 4), Fraction(1, 8), TWO),
    }


def test_float_laplace_law_is_the_exact_one() -> None:
    """At epsilon = ln 3 the float law is the exact law rounded."""
    exact = exact_laplace_noisy_max_law((2, 0, 1), Fraction(3))
    assert laplace_noisy_max_law((2, 0, 1), math.log(3)) == pytest.approx(
        {item: float(p) for item, p in exact.items()}, rel=1e-14
    )


def test_the_two_noises_differ() -> None:
    """For three items Laplace and Gumbel noise of one scale have different laws."""
    gumbel = {item: float(p) for item, p in gumbel_noisy_max_law((2, 0, 1), TWO).items()}
    assert laplace_noisy_max_law((2, 0, 1), math.log(2)) != pytest.approx(gumbel, abs=1e-3)


def test_laplace_satisfies_two_epsilon_under_l_infinity() -> None:
    """fact:laplace-privacy: every l-infinity pair with m = 3 and scores up to 2 satisfies it."""
    laws = {h: exact_laplace_noisy_max_law(h, TWO) for h in product(range(3), repeat=3)}
    assert not any(
        (laws[first][item] - laws[second][item] * 4).is_positive()
        for first in laws
        for second in laws
        if is_l_infinity_neighbour(first, second)
        for item in laws[first]
    )


def test_laplace_exceeds_epsilon_under_l_infinity() -> None:
    """With e^epsilon = 2 the pair (0, 2), (1, 1) has a ratio above 2."""
    low = exact_laplace_noisy_max_law((0, 2), TWO)
    high = exact_laplace_noisy_max_law((1, 1), TWO)
    item = next(iter(low))
    assert (high[item] - low[item] * 2).is_positive()


def test_missing_noise_is_refused() -> None:
    """Every score needs a noise value."""
    assert refusal(lambda: report_noisy_max((1, 0, 0), (0.5, 0.25))) == (
        Reason.DIFFERENT_DOMAINS,
        "there must be one noise for each of the m=3 items, got 2",
    )


def test_empty_histogram_is_refused() -> None:
    """There must be at least one item."""
    assert refusal(lambda: report_noisy_max((), ())) == (
        Reason.EMPTY_DOMAIN,
        "m must be at least 1, got 0",
    )
