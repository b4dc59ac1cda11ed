"""Facts about the limited domain mechanism."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privtopk.spec.algorithms.limited_domain import (
    border_width,
    draw_until_stop,
    limited_domain,
    limited_domain_law,
    limited_domain_mechanism,
    stop_threshold,
    stop_weight,
    stopped_law,
)
from privtopk.spec.algorithms.one_shot import one_shot_ranked
from privtopk.spec.laws.gumbel import ranked_law, weights
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import is_add_remove_neighbour
from privtopk.spec.model.privacy import tight_delta
from privtopk.spec.model.tape import every_outcome, seeded_tape, tape_of
from privtopk.spec.model.values import Histogram, Item
from privtopk.spec.noise.distributions import Gumbel
from support import refusal

TWO = Fraction(2)
DELTA = Fraction(1, 10)


def largest_delta(m: int, k: int, k_bar: int) -> Fraction:
    """Return the smallest delta for k epsilon over all add/remove pairs with scores up to 2."""
    laws = {h: limited_domain_law(h, k, k_bar, TWO, DELTA) for h in product(range(3), repeat=m)}
    return max(
        tight_delta(laws[first], laws[second], TWO**k)
        for first in laws
        for second in laws
        if first < second and is_add_remove_neighbour(first, second)
    )


def test_border_width() -> None:
    """At most min(k-bar, m - k-bar) items cross the border."""
    assert [border_width(5, k_bar) for k_bar in (1, 2, 3, 4, 5)] == [1, 2, 2, 1, 0]


def test_threshold_by_hand() -> None:
    """The token stands 1 + ln(c / delta) / epsilon above the best item that does not enter."""
    assert stop_threshold((9, 7, 4, 2, 0), 2, 0.5, 0.01) == pytest.approx(
        4 + 1 + math.log(2 / 0.01) / 0.5, rel=1e-15
    )


def test_weight_is_the_base_to_the_threshold() -> None:
    """The exact weight of the token is base^threshold."""
    exact = stop_weight((9, 7, 4, 2, 0), 2, TWO, Fraction(1, 100))
    threshold = stop_threshold((9, 7, 4, 2, 0), 2, math.log(2), 0.01)
    assert exact == 2**5 * 200
    assert 2**threshold == pytest.approx(2**5 * 200, rel=1e-13)


def test_no_token_when_everything_enters() -> None:
    """With k-bar = m the token has weight 0 and stands at minus infinity."""
    assert stop_weight((3, 1), 2, TWO, DELTA) == 0
    assert stop_threshold((3, 1), 2, 1, 0.1) == -math.inf


def test_items_above_the_noisy_token_are_returned_in_order() -> None:
    """With noisy scores 5, 8, 7 and the token at 6 the selection is (2, 3)."""
    assert limited_domain((5, 4, 4, 0), 3, 3, 5, (0, 4, 3, 99), 1) == (2, 3)


def test_at_most_k_items_are_returned() -> None:
    """Of three items above the token only the best k = 2 are returned."""
    assert limited_domain((5, 4, 4, 0), 2, 3, 1, (0, 4, 3, 0), 0) == (2, 3)


def test_nothing_may_be_returned() -> None:
    """If the token ranks first the selection is empty."""
    assert limited_domain((5, 4, 4), 2, 2, 50, (0, 0, 0), 0) == ()


def test_noise_of_items_that_do_not_enter_is_not_used() -> None:
    """No noise can bring an item outside the true top k-bar into the selection."""
    assert limited_domain((5, 4, 3), 2, 2, 0, (0, 0, 10**9), 0) == (1, 2)


def test_law_by_hand() -> None:
    """Two items enter with weights 4 and 2, the token has 2^(0+1) * 1 / (1/10) = 20."""
    assert limited_domain_law((2, 1, 0), 2, 2, TWO, DELTA) == {
        (): Fraction(20, 26),
        (1,): Fraction(4, 26) * Fraction(20, 22),
        (2,): Fraction(2, 26) * Fraction(20, 24),
        (1, 2): Fraction(4, 26) * Fraction(2, 22),
        (2, 1): Fraction(2, 26) * Fraction(4, 24),
    }


@given(st.lists(st.integers(0, 4), min_size=2, max_size=5).map(tuple), st.data())
@settings(max_examples=40)
def test_law_sums_to_one(histogram: Histogram, data: st.DataObject) -> None:
    """The exact law has total probability exactly 1."""
    k_bar = data.draw(st.integers(1, len(histogram)))
    k = data.draw(st.integers(1, k_bar))
    assert sum(limited_domain_law(histogram, k, k_bar, Fraction(3, 2), DELTA).values()) == 1


@pytest.mark.parametrize("k", [1, 2, 3])
def test_drawing_has_the_law(k: int) -> None:
    """All outcomes of the draws together, the token among them, give the exact law."""
    entering = {Item(4): Fraction(5), Item(1): Fraction(2), Item(2): Fraction(1, 3)}
    law = every_outcome(lambda tape: draw_until_stop(entering, Fraction(7, 2), k, tape))
    assert law == stopped_law(entering, Fraction(7, 2), k)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_whole_domain_is_the_one_shot_law(k: int) -> None:
    """With k-bar = m the law is that of the one-shot mechanism, and k items are returned."""
    law = limited_domain_law((3, 0, 1), k, 3, TWO, DELTA)
    assert law == ranked_law(weights((3, 0, 1), TWO), k)


def test_whole_domain_is_the_one_shot_algorithm() -> None:
    """With k-bar = m and the same tape the selection is that of the one-shot mechanism."""
    histogram = (4, 0, 2, 2, 1)
    assert [
        limited_domain_mechanism(histogram, 3, 5, 0.7, 0.01, seeded_tape(seed))
        for seed in range(20)
    ] == [one_shot_ranked(histogram, 3, Gumbel(0.7), seeded_tape(seed)) for seed in range(20)]


def test_float_law_is_the_exact_one() -> None:
    """The law of float weights is the exact law rounded."""
    exact = stopped_law({Item(1): Fraction(4), Item(2): Fraction(2)}, Fraction(20), 2)
    floats = stopped_law({Item(1): 4.0, Item(2): 2.0}, 20.0, 2)
    assert floats == pytest.approx({o: float(p) for o, p in exact.items()}, rel=1e-14)


def test_mechanism_has_the_law() -> None:
    """Null: the selection is empty with its exact probability 10/13.

    2000 runs with fixed seeds; a correct mechanism is off by more than 5 standard errors with
    probability 6e-7, and a shift of 0.07 is found with probability above 0.98.
    """
    epsilon, runs = math.log(2), 2000
    empty = sum(
        limited_domain_mechanism((2, 1, 0), 2, 2, epsilon, 0.1, seeded_tape(seed)) == ()
        for seed in range(runs)
    )
    expected = float(limited_domain_law((2, 1, 0), 2, 2, TWO, DELTA)[()])
    error = math.sqrt(expected * (1 - expected) / runs)
    assert abs(empty / runs - expected) < 5 * error


@pytest.mark.parametrize(("m", "k", "k_bar"), [(3, 1, 1), (3, 1, 2), (3, 2, 2), (4, 2, 2)])
def test_add_remove_pairs_satisfy_k_epsilon_with_delta(m: int, k: int, k_bar: int) -> None:
    """Every add/remove pair with scores up to 2 satisfies (k epsilon, delta)."""
    assert 0 < largest_delta(m, k, k_bar) <= DELTA


def test_delta_is_needed() -> None:
    """With k-bar = 1 the item that leaves the domain makes delta / (1 + delta) unavoidable."""
    assert largest_delta(3, 1, 1) == DELTA / (1 + DELTA)


def test_k_bar_below_k_is_refused() -> None:
    """At least k items must enter."""
    assert refusal(lambda: limited_domain_law((3, 1, 0), 2, 1, TWO, DELTA)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "k_bar must be between 2 and 3, got 1",
    )


def test_delta_zero_is_refused() -> None:
    """The threshold would be infinite with delta = 0."""
    assert refusal(lambda: limited_domain_mechanism((3, 1, 0), 1, 2, 1, 0, tape_of())) == (
        Reason.PROBABILITY_OUT_OF_RANGE,
        "delta must be strictly between 0 and 1, got 0",
    )


def test_missing_noise_is_refused() -> None:
    """Every item needs a noise value, also those that do not enter."""
    assert refusal(lambda: limited_domain((3, 1, 0), 1, 2, 0, (0, 0), 0)) == (
        Reason.DIFFERENT_DOMAINS,
        "there must be one noise for each of the m=3 items, got 2",
    )
