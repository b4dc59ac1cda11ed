"""The terms in the proof of Lemma B.1 for late rounds.

Tests: lem:cost-tail-large.
"""

from fractions import Fraction

import pytest

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.upper_bounds.access import rounds_tail
from privtopk.spec.upper_bounds.late_rounds import (
    excess,
    first_moment,
    hidden_goal,
    hidden_rows,
    is_far,
    largest_product,
    late_tail,
    near_chance,
    second_moment,
)


def test_what_is_hidden_after_five_rounds_of_eight() -> None:
    """At r = 6 three rows are hidden, and k = 4 needs two points hidden from both sides."""
    assert (hidden_rows(8, 6), hidden_goal(8, 4, 6)) == (3, 2)


def test_excess_over_k() -> None:
    """At m = 8, k = 4 and r = 6 the mean r^2/m exceeds k by one half."""
    assert excess(8, 4, 6) == Fraction(1, 2)


def test_far_rounds_begin_at_their_ratio() -> None:
    """With m = 9 a round is far exactly from r^2/(mk) = 10/8 on."""
    assert [is_far(9, k, 9) for k in (7, 8)] == [True, False]


def test_moments_of_one_hidden_row() -> None:
    """One hidden row and column meet with probability 1/m, and never twice."""
    assert (first_moment(5, 1), second_moment(5, 1)) == (Fraction(1, 5), Fraction(0))


def test_largest_product_is_taken_at_the_end() -> None:
    """For q = 5 and v = 3 the products V(V - 2) are largest at V = 5."""
    assert largest_product(5, 3) == max(x * (x - 2) for x in range(6)) == 15


def test_late_tail_is_the_tail_of_the_rounds() -> None:
    """P(V < v) is P(T >= r)."""
    assert late_tail(8, 4, 6) == rounds_tail(8, 4, 5) == Fraction(5, 7)


@pytest.mark.parametrize(
    ("m", "k", "r", "expected"), [(8, 4, 6, Fraction(3, 28)), (5, 4, 5, Fraction(1, 5))]
)
def test_near_chance_is_below_the_truth(m: int, k: int, r: int, expected: Fraction) -> None:
    """The bound by moments is positive and at most P(V >= v)."""
    assert near_chance(m, k, r) == expected <= 1 - late_tail(m, k, r)


def test_refuses_an_early_round() -> None:
    """A round up to the middle is not late."""
    with pytest.raises(SelectionError) as refused:
        hidden_rows(8, 4)
    assert (refused.value.reason, str(refused.value)) == (
        Reason.SIZE_OUT_OF_RANGE,
        "r must be between 5 and 8, got 4",
    )
