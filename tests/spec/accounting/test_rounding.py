"""Facts about rounding: no epsilon, delta or rho is below the number that it stands for.

The references are exact rationals and 110-digit arithmetic. All random cases are seeded.
"""

import math
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privtopk.spec.accounting.bounded_range import log_moment_of_step
from privtopk.spec.accounting.composition import (
    azuma_composition,
    durfee_rogers_by_square,
    durfee_rogers_by_tanh,
    printed_composition,
    renyi_composition,
    zcdp_composition,
    zcdp_of_steps,
)
from privtopk.spec.accounting.conversion import simple_from_zcdp
from privtopk.spec.accounting.guarantee import calibrate, guarantee
from privtopk.spec.accounting.noisy_values import (
    growth_of_rates,
    noisy_values_composition,
    printed_laplace_composition,
)
from privtopk.spec.accounting.optimal_composition import delta_of_fixed_steps, delta_of_pure_steps
from privtopk.spec.accounting.rounding import (
    digits_at_least,
    float_at_least,
    float_at_most,
    lowered_until,
    raised_until,
    round_down,
    round_up,
)
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind
from support_accounting import (
    DIGITS,
    Steps,
    delta_of_two_points,
    log_moment,
    random_budgets,
    random_steps,
    renyi_epsilon,
    rho_of,
    zcdp_epsilon,
)

TIGHT = mpmath.mpf("1e-13")
"""What rounding up may add to a number, as a share of its terms."""

LARGEST = sys.float_info.max
SMALLEST = 5e-324

numbers = st.one_of(
    st.integers(-(10**320), 10**320),
    st.fractions(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.fractions().map(lambda x: x / 10**330),
)


def is_tight(computed: float, true: Any, terms: Any = None) -> bool:
    """Return whether a number is at least the true one and exceeds it by a small share only."""
    excess = mpmath.mpf(computed) - true
    return bool(0 <= excess <= TIGHT * (true if terms is None else terms))


@given(numbers)
def test_the_next_double_above(number: int | float | Fraction) -> None:
    """`float_at_least` is not below the number, and the double before it is."""
    above = float_at_least(number)
    assert math.nextafter(above, -math.inf) < number <= above


@given(numbers)
def test_the_next_double_below(number: int | float | Fraction) -> None:
    """`float_at_most` is not above the number, and the double after it is."""
    below = float_at_most(number)
    assert below <= number < math.nextafter(below, math.inf)


@pytest.mark.parametrize(
    ("number", "below", "above"),
    [
        (Fraction(1, 10), math.nextafter(0.1, 0), 0.1),
        (Decimal("0.1"), math.nextafter(0.1, 0), 0.1),
        (10**400, LARGEST, math.inf),
        (-(10**400), -math.inf, -LARGEST),
        (Fraction(1, 10**400), 0.0, SMALLEST),
        (Decimal("1e-999999"), 0.0, SMALLEST),
        (2**53 + 1, 2.0**53, 2.0**53 + 2),
    ],
)
def test_numbers_between_two_doubles(
    number: int | Fraction | Decimal, below: float, above: float
) -> None:
    """Fractions, decimals and integers of any size are rounded to the double on either side."""
    assert (float_at_most(number), float_at_least(number)) == (below, above)


@given(st.floats(-1e300, 1e300), st.integers(1, 128))
def test_raising_covers_the_error(value: float, units: int) -> None:
    """A raised value is above, and a lowered one below, by at least the error, exactly."""
    error = abs(Fraction(value)) * units / 2**52
    assert Fraction(round_up(value, units)) >= Fraction(value) + error
    assert Fraction(round_down(value, units)) <= Fraction(value) - error


def test_a_search_ends_on_the_safe_side() -> None:
    """A number is raised or lowered, in steps that grow, until it is within."""
    higher = raised_until(lambda x: x >= 1.001, 1.0)
    lower = lowered_until(lambda x: x <= 0.999, 1.0)
    assert 1.001 <= higher < 1.003
    assert 0.997 < lower <= 0.999


def test_a_search_downwards_ends_at_zero() -> None:
    """If no positive number is within, the search returns 0."""
    assert lowered_until(lambda x: False, 1e-300) == 0.0


@pytest.mark.parametrize("kind", NoiseKind)
@pytest.mark.parametrize(
    ("relation", "sides"),
    [(Relation.ADD_REMOVE, 1), (Relation.SWAP, 2), (Relation.L_INFINITY, 2)],
)
def test_pure_budgets_hold_in_exact_rationals(
    kind: NoiseKind, relation: Relation, sides: int
) -> None:
    """On 5,000 budgets each, k times the rate is at most the total, and no larger double is."""
    for total, k in random_budgets(5_000, 1):
        rate = calibrate(kind, total, k, 10**6, relation, 0)
        spent = sides * k * Fraction(rate)
        reported = guarantee(kind, rate, k, 10**6, relation, 0).epsilon
        assert spent <= reported <= total
        assert sides * k * Fraction(math.nextafter(rate, math.inf)) > float_at_most(total)


CLOSED: dict[Callable[..., float], Callable[[Any, int, Any], Any]] = {
    printed_composition: lambda r, k, log: k * r * mpmath.tanh(r / 2) + r * mpmath.sqrt(k * log),
    durfee_rogers_by_tanh: lambda r, k, log: (
        k * r * mpmath.tanh(r / 2) + r * mpmath.sqrt(2 * k * log)
    ),
    durfee_rogers_by_square: lambda r, k, log: k * r * r / 2 + r * mpmath.sqrt(k * log / 2),
    azuma_composition: lambda r, k, log: k * r * r / 8 + r * mpmath.sqrt(k * log / 2),
}


@pytest.mark.parametrize("bound", CLOSED)
def test_closed_forms_are_not_below(bound: Callable[..., float]) -> None:
    """On 1,000 settings no closed composition bound is below its formula, nor far above it."""
    with mpmath.workdps(DIGITS):
        for steps in random_steps(1_000, 2):
            r, log = mpmath.mpf(steps.step_range), -mpmath.log(mpmath.mpf(steps.delta))
            assert is_tight(bound(*steps), CLOSED[bound](r, steps.k, log)), steps


def test_rho_and_moments_are_not_below() -> None:
    """On 1,000 settings neither rho nor a moment of a step is below its formula."""
    with mpmath.workdps(DIGITS):
        for steps, other in zip(random_steps(1_000, 3), random_steps(1_000, 4), strict=True):
            r, c = mpmath.mpf(steps.step_range), other.step_range * other.k
            assert is_tight(zcdp_of_steps(*steps[:2]), steps.k * rho_of(r)), steps
            assert is_tight(
                log_moment_of_step(r := steps.step_range, c),
                log_moment(mpmath.mpf(r), mpmath.mpf(c)),
            )


def check_searched_bounds(count: int, seed: int) -> None:
    """Assert that the bounds by zCDP and by moments are not below the true minima."""
    with mpmath.workdps(DIGITS):
        for steps in random_steps(count, seed):
            for bound, reference in (
                (zcdp_composition, zcdp_epsilon),
                (renyi_composition, renyi_epsilon),
            ):
                true, terms = reference(steps)
                computed = bound(*steps)
                assert is_tight(computed, true, terms) or (true <= 0 == computed), steps


def test_searched_bounds_are_not_below() -> None:
    """On 200 settings no minimum over orders is below the true one, nor far above it."""
    check_searched_bounds(200, 5)


@pytest.mark.slow
@pytest.mark.heavy
def test_searched_bounds_are_not_below_at_length() -> None:
    """The same on 2,000 settings."""
    check_searched_bounds(2_000, 6)


def test_the_simple_conversion_is_not_below() -> None:
    """On 1,000 settings rho + 2 sqrt(rho ln(1/delta)) is not below its value."""
    with mpmath.workdps(DIGITS):
        for rho, _, delta in random_steps(1_000, 7):
            true = rho + 2 * mpmath.sqrt(-mpmath.mpf(rho) * mpmath.log(mpmath.mpf(delta)))
            assert is_tight(simple_from_zcdp(rho, delta), true), (rho, delta)


def test_the_printed_laplace_bound_is_not_below() -> None:
    """On 1,000 settings 8 epsilon sqrt(k ln(m/delta)) is not below its value."""
    with mpmath.workdps(DIGITS):
        for epsilon, k, delta in random_steps(1_000, 8):
            scale, allowed = epsilon * 1e-9, delta / 10
            true = 8 * mpmath.mpf(scale) * mpmath.sqrt(k * mpmath.log(10**6 / mpmath.mpf(allowed)))
            computed = printed_laplace_composition(scale, k, 10**6, allowed)
            assert computed is None if true > 0.2 else is_tight(computed or 0.0, true), epsilon


def test_theorem_n_is_not_below() -> None:
    """On 1,000 settings the bound of Theorem N for Laplace noise is not below its value."""
    with mpmath.workdps(DIGITS):
        for rate, k, delta in random_steps(1_000, 12):
            log_term, whole = -mpmath.log(mpmath.mpf(delta)), mpmath.mpf(rate)
            start = mpmath.sqrt(2 * log_term / k) + log_term / k
            z = mpmath.findroot(lambda z, k=k, log=log_term: k * (z - mpmath.log1p(z)) - log, start)
            growth = 2 * mpmath.expm1(whole)
            true = k * (growth * (1 + z) - mpmath.log1p(growth))
            computed = noisy_values_composition(
                growth_of_rates(NoiseKind.LAPLACE, rate, 1), k, delta
            )
            assert is_tight(computed, true), (rate, k, delta)


@pytest.mark.parametrize("r", [1e-9, 0.01, 0.7, 5.0, 90.0])
@pytest.mark.parametrize("k", [1, 2, 7, 40])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_optimal_deltas_are_not_below(r: float, k: int, share: float) -> None:
    """The smallest deltas are not below those of the worst two-point laws, nor far above."""
    epsilon = share * k * r
    with mpmath.workdps(DIGITS):
        whole = mpmath.mpf(r)
        tops = ((epsilon + (last + 1) * whole) / (k + 1) for last in range(k))
        true = max(delta_of_two_points(t, whole, k, epsilon) for t in tops if t < whole)
        assert is_tight(delta_of_fixed_steps(r, k, epsilon), true)
        true = delta_of_two_points(whole, 2 * whole, k, epsilon)
        assert is_tight(delta_of_pure_steps(r, k, epsilon), true)


@pytest.mark.parametrize("relation", Relation)
def test_approximate_budgets_hold_with_many_digits(relation: Relation) -> None:
    """On 60 budgets the true bound by moments of the calibrated noise is at most the total."""
    sides = 1 if relation is Relation.ADD_REMOVE else 2
    with mpmath.workdps(DIGITS):
        budgets = zip(random_budgets(60, 9), random_steps(60, 10), strict=True)
        for (total, k), (_, _, delta) in budgets:
            rate = calibrate(NoiseKind.GUMBEL, total, k, 10**6, relation, delta)
            true, _ = renyi_epsilon(Steps(sides * rate, k, delta))
            allowed = mpmath.mpf(Fraction(total).numerator) / Fraction(total).denominator
            assert min(true, mpmath.mpf(sides) * k * rate) <= allowed, (total, k, delta)


@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 3), Fraction(1, 10**400)])
def test_a_fractional_delta_is_not_exceeded(delta: Fraction) -> None:
    """The reported delta is the largest double that is at most the given fraction."""
    promise = guarantee(NoiseKind.GUMBEL, 0.1, 100, 1000, Relation.ADD_REMOVE, delta)
    assert promise.delta == float_at_most(delta)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (1, "1"),
        (1.0000004, "1.00001"),
        (math.nextafter(1, 0), "1"),
        (Fraction(1, 3), "0.333334"),
        (2 / 3, "0.666667"),
        (1.23456000001e-7, "1.23457e-07"),
        (math.inf, "inf"),
    ],
)
def test_few_digits_are_rounded_up(number: float | Fraction, text: str) -> None:
    """Six digits of a number are not below it, and a short number is written as it is."""
    assert digits_at_least(number, 6) == text
