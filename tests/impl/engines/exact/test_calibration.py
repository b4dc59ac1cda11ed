"""Facts about the exact rate: a pure budget is spent exactly, and none is exceeded."""

from fractions import Fraction

import pytest

from privtopk.impl.engines.exact.calibration import exact_calibration
from privtopk.impl.engines.float_contest import LARGEST_RATE
from privtopk.spec.accounting.assumptions import Arithmetic
from privtopk.spec.accounting.guarantee import calibrate
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind

GUMBEL, LAPLACE = NoiseKind.GUMBEL, NoiseKind.LAPLACE


@pytest.mark.parametrize("kind", NoiseKind)
@pytest.mark.parametrize("epsilon", [1, 0.1, Fraction(1, 10), 3.7e-9, Fraction(10**40, 3**70)])
@pytest.mark.parametrize(
    ("relation", "parts"),
    [(Relation.ADD_REMOVE, 7), (Relation.SWAP, 14), (Relation.L_INFINITY, 14)],
)
def test_a_pure_budget_is_divided_exactly(
    kind: NoiseKind, epsilon: int | float | Fraction, relation: Relation, parts: int
) -> None:
    """The rate is the budget over k, or over 2k, as a rational; the guarantee is the budget."""
    rate, promise = exact_calibration(kind, epsilon, 7, 100, relation, 0)
    assert rate * parts == Fraction(epsilon)
    assert promise.epsilon is epsilon or promise.epsilon == epsilon
    assert (promise.delta, promise.arithmetic) == (0, Arithmetic.EXACT)


def test_a_delta_buys_a_larger_rate_within_the_budget() -> None:
    """With delta the rate is that of the search less 2^-40 of it, and the guarantee says so."""
    found = calibrate(GUMBEL, 1, 100, 1000, Relation.ADD_REMOVE, 1e-6)
    rate, promise = exact_calibration(GUMBEL, 1, 100, 1000, Relation.ADD_REMOVE, 1e-6)
    assert rate == Fraction(found) * (1 - Fraction(1, 2**40))
    assert rate > Fraction(1, 100)
    assert 1 - 1e-11 < promise.epsilon < 1 - 1e-13
    assert promise.delta == 1e-6


def test_laplace_spends_its_pure_budget_whatever_the_delta() -> None:
    """No approximate bound of Laplace noise is proved, so delta changes nothing."""
    rate, promise = exact_calibration(LAPLACE, Fraction(1, 3), 5, 10, Relation.ADD_REMOVE, 1e-6)
    assert (rate, promise.epsilon, promise.delta) == (Fraction(1, 15), Fraction(1, 3), 0)


def test_a_huge_budget_is_not_spent_in_full() -> None:
    """The rate has a largest value, and the guarantee states what is really spent."""
    rate, promise = exact_calibration(GUMBEL, 1e300, 2, 10, Relation.ADD_REMOVE, 0)
    assert rate == Fraction(LARGEST_RATE)
    assert promise.epsilon == 2 * Fraction(LARGEST_RATE)


@pytest.mark.parametrize("epsilon", [2, 2.0, Fraction(2)])
def test_the_guarantee_is_written_as_the_budget_was(epsilon: int | float | Fraction) -> None:
    """Equal budgets of different types are returned as given."""
    _, promise = exact_calibration(GUMBEL, epsilon, 3, 9, Relation.ADD_REMOVE, 0)
    assert (promise.epsilon, type(promise.epsilon)) == (2, type(epsilon))
