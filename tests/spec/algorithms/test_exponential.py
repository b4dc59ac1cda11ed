"""Facts about the exponential mechanism."""

import math
from fractions import Fraction
from itertools import product

import pytest

from privtopk.spec.algorithms.exponential import (
    exponential_law,
    exponential_mechanism,
    weighted_item,
)
from privtopk.spec.laws.gumbel import weights
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.privacy import is_private, tight_ratio
from privtopk.spec.model.tape import every_outcome, tape_of
from privtopk.spec.model.values import Item
from support import refusal

TWO = Fraction(2)


def test_law_by_hand() -> None:
    """With e^epsilon = 2 the scores 0, 1, 3 are chosen with odds 1 : 2 : 8."""
    assert exponential_law((0, 1, 3), TWO) == {
        1: Fraction(1, 11),
        2: Fraction(2, 11),
        3: Fraction(8, 11),
    }


def test_drawing_has_the_law() -> None:
    """All outcomes of the one choice together give the exact law."""
    exact = weights((2, 0, 1), Fraction(3, 2))
    law = every_outcome(lambda tape: weighted_item(exact, tape))
    assert law == exponential_law((2, 0, 1), Fraction(3, 2))


def test_mechanism_uses_epsilon_as_a_rate() -> None:
    """With h = (2, 0) item 2 is drawn with probability 1 / (1 + e^(2 epsilon)), epsilon = 0.7."""
    law = every_outcome(lambda tape: exponential_mechanism((2, 0), 0.7, tape))
    assert float(law[Item(2)]) == pytest.approx(1 / (1 + math.exp(1.4)), rel=1e-15)


def test_mechanism_is_a_function_of_its_tape() -> None:
    """The same uniforms select the same items."""
    assert [exponential_mechanism((1, 0), math.log(2), tape_of(u)) for u in (0.6, 0.7)] == [1, 2]


@pytest.mark.parametrize(
    ("relation", "ratio"), [(Relation.ADD_REMOVE, TWO), (Relation.L_INFINITY, TWO**2)]
)
def test_neighbours_satisfy_their_guarantee(relation: Relation, ratio: Fraction) -> None:
    """All pairs with m = 3 and scores up to 3 satisfy epsilon, under l-infinity 2 epsilon."""
    laws = {h: exponential_law(h, TWO) for h in product(range(4), repeat=3)}
    assert all(
        is_private(laws[first], laws[second], ratio)
        for first in laws
        for second in laws
        if is_neighbour(first, second, relation)
    )


def test_l_infinity_pair_breaks_epsilon() -> None:
    """erratum:exponential-mechanism: with e^epsilon = 2, (1, 3) against (0, 4) has ratio 17/5."""
    assert tight_ratio(exponential_law((1, 3), TWO), exponential_law((0, 4), TWO)) == Fraction(
        17, 5
    )


def test_l_infinity_ratio_approaches_two_epsilon() -> None:
    """With one item against m - 1 others the ratio tends to e^(2 epsilon): 401/101 at m = 201."""
    first, second = (1, *(0,) * 200), (0, *(1,) * 200)
    ratio = tight_ratio(exponential_law(first, TWO), exponential_law(second, TWO))
    assert ratio == Fraction(401, 101)


def test_negative_score_is_refused() -> None:
    """A negative score is refused; the message does not show it."""
    assert refusal(lambda: exponential_law((1, -1), TWO)) == (
        Reason.NEGATIVE_SCORE,
        "the score of item 2 must not be negative",
    )


def test_infinite_epsilon_is_refused() -> None:
    """An infinite epsilon is refused."""
    assert refusal(lambda: exponential_mechanism((1, 0), math.inf, tape_of(0.5))) == (
        Reason.EPSILON_OUT_OF_RANGE,
        "epsilon must be positive and finite, got inf",
    )
