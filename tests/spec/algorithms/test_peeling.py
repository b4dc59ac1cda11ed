"""Facts about the peeling exponential mechanism."""

import math
from fractions import Fraction
from itertools import product

import pytest

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.algorithms.peeling import peel, peeling_law, peeling_mechanism
from privtopk.spec.laws.gumbel import weights
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.neighbours import is_add_remove_neighbour
from privtopk.spec.model.privacy import is_private
from privtopk.spec.model.tape import every_outcome, seeded_tape, tape_of
from support import refusal

TWO = Fraction(2)


def test_law_by_hand() -> None:
    """With e^epsilon = 2 and h = (1, 0, 0) the list (1, 2) has probability 2/4 * 1/2."""
    law = peeling_law((1, 0, 0), 2, TWO)
    assert {ranking: law[ranking] for ranking in law if 1 in ranking[:1]} == {
        (1, 2): Fraction(1, 4),
        (1, 3): Fraction(1, 4),
    }


def test_one_step_is_the_exponential_mechanism() -> None:
    """For k = 1 the law is that of the exponential mechanism."""
    law = peeling_law((2, 0, 1), 1, Fraction(3, 2))
    assert {item: p for (item,), p in law.items()} == exponential_law((2, 0, 1), Fraction(3, 2))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_drawing_has_the_law(k: int) -> None:
    """All outcomes of k draws without replacement together give the exact law."""
    exact = weights((2, 0, 1, 1), Fraction(5, 4))
    law = every_outcome(lambda tape: peel(exact, k, tape))
    assert law == peeling_law((2, 0, 1, 1), k, Fraction(5, 4))


def test_mechanism_has_the_law_of_its_epsilon() -> None:
    """With epsilon = ln 2 in floats the outcomes have the exact law of base 2 up to rounding."""
    law = every_outcome(lambda tape: peeling_mechanism((3, 1, 0), 2, math.log(2), tape))
    exact = peeling_law((3, 1, 0), 2, TWO)
    assert {o: float(p) for o, p in law.items()} == pytest.approx(
        {o: float(p) for o, p in exact.items()}, rel=1e-14
    )


def test_far_apart_scores_do_not_underflow() -> None:
    """After a leader by 10^6 votes the others keep their own odds 2 : 1."""
    drawn = [peeling_mechanism((10**6, 1, 0), 2, math.log(2), tape_of(0.5, u)) for u in (0.6, 0.7)]
    assert drawn == [(1, 2), (1, 3)]


def test_items_are_distinct() -> None:
    """m draws return every item once."""
    drawn = peeling_mechanism((4, 1, 0, 2, 2), 5, 0.3, seeded_tape(1))
    assert sorted(drawn) == [1, 2, 3, 4, 5]


def test_add_remove_pairs_satisfy_k_epsilon() -> None:
    """fact:gumbel-privacy: every add/remove pair with m = 3, k = 2 satisfies 2 epsilon."""
    laws = {h: peeling_law(h, 2, TWO) for h in product(range(3), repeat=3)}
    assert all(
        is_private(laws[first], laws[second], TWO**2)
        for first in laws
        for second in laws
        if is_add_remove_neighbour(first, second)
    )


def test_k_zero_is_refused() -> None:
    """k is at least 1."""
    assert refusal(lambda: peeling_mechanism((1, 0), 0, 1, tape_of())) == (
        Reason.K_OUT_OF_RANGE,
        "k must be between 1 and m=2, got 0",
    )


def test_negative_weight_is_refused() -> None:
    """A weight must be positive."""
    assert refusal(lambda: peel((1, -1), 1, tape_of(0.5))) == (
        Reason.WEIGHT_OUT_OF_RANGE,
        "the weight of item 2 must be positive and finite, got -1",
    )
