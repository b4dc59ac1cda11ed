"""Facts about the conditional law of one order statistic, in fractions and in doubles."""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import seeded_tape
from privtopk.spec.model.values import Position
from privtopk.spec.noise.gamma import gamma_variable
from privtopk.spec.noise.order_statistic import (
    beta_density,
    beta_shape,
    between,
    conditional_density,
    from_beta,
    joint_density,
    neighbouring_positions,
)
from support import fits_cdf, refusal

HALF = Fraction(1, 2)
DRAWS = 20_000
GAMMAS = st.floats(-10.0, 45.0).map(math.exp)
LEVELS = st.floats(-40.0, 3.0).map(math.exp)


def positions(*numbers: int) -> tuple[Position, ...]:
    """Return the positions with these numbers."""
    return tuple(Position(number) for number in numbers)


def levels(m: int) -> dict[Position, Fraction]:
    """Return m distinct rational values in descending order, unevenly spaced."""
    return {Position(j): Fraction((m + 1 - j) ** 2, (m + 1) ** 2) for j in range(1, m + 1)}


def given_known(m: int, j: Position, u: Fraction, known: Mapping[Position, Fraction]) -> Fraction:
    """Return the density of U_(j) at u given what is known, through its neighbours only."""
    ends = {Position(0): Fraction(1), Position(m + 1): Fraction(0), **known}
    left, right = neighbouring_positions(known, j, m)
    return conditional_density(u, j, (left, ends[left]), (right, ends[right]))


def integral(f: Callable[[Fraction], Fraction], low: Fraction, high: Fraction) -> Fraction:
    """Return the integral of a polynomial of degree 3 or less, exactly (Milne's open rule)."""
    first, middle, last = (f(low + (high - low) * Fraction(i, 4)) for i in (1, 2, 3))
    return (high - low) / 3 * (2 * first - middle + 2 * last)


def exact_between(e_l: float, e_r: float, gamma_left: float, gamma_right: float) -> float:
    """Return E_(j) by the definition in U = exp(-E), from 80 digits."""
    with localcontext() as context:
        context.prec = 80
        left, right = Decimal(gamma_left), Decimal(gamma_right)
        u_l = (-Decimal(e_l)).exp()
        u_r = (-Decimal(e_r)).exp() if e_r < math.inf else Decimal(0)
        return float(-(u_l - (u_l - u_r) * left / (left + right)).ln())


def test_neighbours_are_the_nearest_revealed() -> None:
    """Of the revealed positions 1, 3, 8, 9 the nearest to 5 are 3 and 8."""
    assert neighbouring_positions(positions(9, 1, 8, 3), Position(5), 10) == (3, 8)


@pytest.mark.parametrize(
    ("revealed", "expected"), [((), (0, 11)), ((3,), (3, 11)), ((8,), (0, 8)), ((3, 8), (3, 8))]
)
def test_missing_neighbours_are_virtual_ends(
    revealed: tuple[int, ...], expected: tuple[int, int]
) -> None:
    """If nothing is revealed on a side, its neighbour is 0 or m + 1: four cases."""
    assert neighbouring_positions(positions(*revealed), Position(5), 10) == expected


def test_shape_counts_the_gaps() -> None:
    """Between 2 and 9 position 5 has Beta(9 - 5, 5 - 2) above its right neighbour."""
    assert beta_shape(*positions(2, 5, 9)) == (4, 3)


def test_beta_variable_is_shifted_and_scaled() -> None:
    """Case 3 is u_r + (u_l - u_r) x, with the shift that the paper lacks."""
    values = [from_beta(x, Fraction(9, 10), HALF) for x in (Fraction(0), HALF, Fraction(1))]
    assert values == [HALF, Fraction(7, 10), Fraction(9, 10)]


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 4), (2, 3), (5, 2)])
def test_beta_density_is_that_of_scipy(a: int, b: int) -> None:
    """The density of Beta(a, b) agrees with scipy, the ends included."""
    points = [Fraction(i, 8) for i in range(9)]
    assert [float(beta_density(x, a, b)) for x in points] == pytest.approx(
        [float(stats.beta(a, b).pdf(float(x))) for x in points], rel=1e-13
    )


@pytest.mark.parametrize("x", [Fraction(-1, 100), Fraction(101, 100)])
def test_beta_density_vanishes_outside(x: Fraction) -> None:
    """Below 0 and above 1 there is no mass."""
    assert beta_density(x, 2, 2) == 0


def test_joint_density_of_all_is_m_factorial() -> None:
    """On the ordered simplex all m order statistics have the density m!."""
    assert [joint_density(m, levels(m)) for m in range(1, 7)] == [1, 2, 6, 24, 120, 720]


def test_joint_density_of_none_is_one() -> None:
    """The empty marginal has mass 1."""
    assert joint_density(4, {}) == 1


@pytest.mark.parametrize("j", [1, 2, 3, 4, 5])
def test_density_of_one_position_is_beta(j: int) -> None:
    """U_(j) of m uniforms, counted from the top, is Beta(m + 1 - j, j)."""
    u = Fraction(3, 7)
    assert joint_density(5, {Position(j): u}) == beta_density(u, 6 - j, j)


@pytest.mark.parametrize("m", [2, 3, 4])
def test_integrating_a_position_out_gives_the_others(m: int) -> None:
    """The joint density of some positions is the marginal of that of one more, exactly."""
    values = levels(m)
    for size in range(1, m + 1):
        for named in combinations(values, size):
            for out in named:
                rest = {j: values[j] for j in named if j != out}
                low = max((u for j, u in rest.items() if j > out), default=Fraction(0))
                high = min((u for j, u in rest.items() if j < out), default=Fraction(1))
                mass = integral(
                    lambda u, r=rest, j=out: joint_density(m, {**r, j: u}),  # type: ignore[misc]
                    low,
                    high,
                )
                assert mass == joint_density(m, rest)


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_chain_rule_over_every_query_order(m: int) -> None:
    """In every order of queries the product of the conditional densities is the joint density."""
    values = levels(m)
    for order in permutations(values):
        known: dict[Position, Fraction] = {}
        density = Fraction(1)
        for j in order:
            density *= given_known(m, j, values[j], known)
            known[j] = values[j]
            assert density == joint_density(m, known)
        assert density == math.factorial(m)


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_conditional_densities_have_mass_one(m: int) -> None:
    """Given any revealed positions the density of another one integrates to exactly 1."""
    values = levels(m)
    for size in range(m):
        for revealed in combinations(values, size):
            known = {j: values[j] for j in revealed}
            ends = {Position(0): Fraction(1), Position(m + 1): Fraction(0), **known}
            for j in set(values) - set(revealed):
                left, right = neighbouring_positions(known, j, m)
                mass = integral(
                    lambda u, j=j, known=known: given_known(m, j, u, known),  # type: ignore[misc]
                    ends[right],
                    ends[left],
                )
                assert mass == 1


def test_conditional_density_vanishes_outside_the_neighbours() -> None:
    """Nothing lies above the left neighbour or below the right one."""
    left, right = (Position(1), Fraction(9, 10)), (Position(3), HALF)
    densities = [
        conditional_density(u, Position(2), left, right)
        for u in (Fraction(4, 10), Fraction(7, 10), Fraction(95, 100))
    ]
    assert densities == [0, Fraction(5, 2), 0]


@pytest.mark.parametrize(
    "values",
    [
        {1: Fraction(1, 4), 2: Fraction(3, 4)},
        {1: Fraction(1, 2), 2: Fraction(1, 2)},
        {1: Fraction(3, 2)},
        {3: Fraction(-1, 2)},
    ],
    ids=["out of order", "tied", "above 1", "below 0"],
)
def test_joint_density_vanishes_off_the_ordered_simplex(values: dict[int, Fraction]) -> None:
    """The density is 0 unless 1 >= u_(j1) > ... > u_(jt) >= 0."""
    assert joint_density(3, {Position(j): u for j, u in values.items()}) == 0


def test_joint_density_includes_the_ends_of_the_interval() -> None:
    """The largest may be 1 and the smallest 0."""
    assert joint_density(2, {Position(1): Fraction(1), Position(2): Fraction(0)}) == 2


@given(LEVELS, LEVELS, GAMMAS, GAMMAS)
def test_between_keeps_all_digits(e_l: float, gap: float, left: float, right: float) -> None:
    """Between two neighbours, at levels from 1e-17 to 20, the value has 14 correct digits."""
    e_r = e_l + gap
    expected = exact_between(e_l, e_r, left, right)
    assert between(e_l, e_r, left, right) == pytest.approx(expected, rel=1e-14)


@given(LEVELS, GAMMAS, GAMMAS)
def test_between_without_right_neighbour_keeps_all_digits(
    e_l: float, left: float, right: float
) -> None:
    """With the virtual end at infinity the value has 14 correct digits."""
    expected = exact_between(e_l, math.inf, left, right)
    assert between(e_l, math.inf, left, right) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("gamma_left", [1e-6, 0.3, 1.0, 40.0])
def test_top_of_a_huge_list_keeps_all_digits(gamma_left: float) -> None:
    """The top of 2^50 positions is log(1 + G/H) to the last digit, where 1 - U has five."""
    exact = exact_between(0.0, math.inf, gamma_left, 2.0**50)
    assert between(0.0, math.inf, gamma_left, 2.0**50) == pytest.approx(exact, rel=4e-16)


@given(LEVELS, LEVELS, GAMMAS, GAMMAS)
def test_between_lies_between(e_l: float, gap: float, left: float, right: float) -> None:
    """The value never leaves the closed interval of its neighbours, not even by rounding."""
    e_r = e_l + gap
    assert e_l <= between(e_l, e_r, left, right) <= e_r


@pytest.mark.parametrize(
    ("e_l", "e_r"), [(0.5036195657622677, 1.405511407561254), (0.1, 0.7), (3.0, 3.0000000000000004)]
)
@pytest.mark.parametrize("gamma_right", [1e-18, 1e-17, 1e-16, 1e-3])
def test_between_does_not_overshoot_its_right_neighbour(
    e_l: float, e_r: float, gamma_right: float
) -> None:
    """A Beta variable that rounds to 1 gives at most the right neighbour."""
    assert e_l <= between(e_l, e_r, 700.0, gamma_right) <= e_r


@pytest.mark.parametrize("level", [0.0, 1e-300, 0.5, 30.0])
def test_value_between_tied_neighbours_is_theirs(level: float) -> None:
    """If rounding makes the neighbours equal, the value between them is the same."""
    assert between(level, level, 1.0, 1.0) == level


@given(st.integers(1, 99), st.integers(1, 99), st.integers(1, 40), st.integers(1, 40))
def test_between_is_the_beta_form(first: int, second: int, left: int, right: int) -> None:
    """In U-space the value is u_r + (u_l - u_r) x with x = G_right/(G_left + G_right)."""
    if first == second:
        second = first + 1
    u_l, u_r = Fraction(max(first, second), 100), Fraction(min(first, second), 100)
    e = between(-math.log(u_l), -math.log(u_r), float(left), float(right))
    assert math.exp(-e) == pytest.approx(
        float(from_beta(Fraction(right, left + right), u_l, u_r)), rel=1e-13
    )


@pytest.mark.parametrize("j", [1, 4, 9])
def test_fresh_positions_have_the_beta_law(j: int) -> None:
    """With nothing revealed U_(j) of 9 is Beta(10 - j, j), by scipy.

    Null hypothesis: that Beta law; Kolmogorov-Smirnov with n = 20,000, false alarms 1e-9; a
    law at distance sup |F - G| >= 0.035 is found with power 0.99.
    """
    tape = seeded_tape(40 + j)
    drawn = [
        math.exp(-between(0.0, math.inf, gamma_variable(j, tape), gamma_variable(10 - j, tape)))
        for _ in range(DRAWS)
    ]
    assert fits_cdf(drawn, stats.beta(10 - j, j).cdf)


def test_enclosed_positions_have_the_beta_law() -> None:
    """Between u_(2) = 0.9 and u_(7) = 0.3 U_(4) is 0.3 + 0.6 Beta(3, 2), not 0.6 Beta(3, 2).

    Null hypothesis: that law; Kolmogorov-Smirnov with n = 20,000, false alarms 1e-9; a law at
    distance sup |F - G| >= 0.035 is found with power 0.99, the printed one among them.
    """
    tape, e_l, e_r = seeded_tape(50), -math.log(0.9), -math.log(0.3)
    drawn = [
        math.exp(-between(e_l, e_r, gamma_variable(2, tape), gamma_variable(3, tape)))
        for _ in range(DRAWS)
    ]
    assert fits_cdf(drawn, stats.beta(3, 2, loc=0.3, scale=0.6).cdf)
    assert not fits_cdf(drawn, stats.beta(3, 2, loc=0.0, scale=0.6).cdf)


def test_top_of_a_huge_list_has_the_exponential_law() -> None:
    """2^50 E_(1) is a standard exponential variable.

    Null hypothesis: Exp(1), which is exact up to 2^-50; Kolmogorov-Smirnov with n = 20,000,
    false alarms 1e-9; a law at distance sup |F - G| >= 0.035 is found with power 0.99.
    """
    m, tape = 2**50, seeded_tape(60)
    drawn = [
        m * between(0.0, math.inf, gamma_variable(1, tape), gamma_variable(m, tape))
        for _ in range(DRAWS)
    ]
    assert fits_cdf(drawn, stats.expon.cdf)


@pytest.mark.parametrize("j", [0, -1, 11])
def test_positions_outside_are_refused(j: int) -> None:
    """Positions are numbered 1 to m."""
    assert refusal(lambda: neighbouring_positions((), Position(j), 10)) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"j must be between 1 and 10, got {j}",
    )
    assert refusal(lambda: joint_density(10, {Position(j): HALF})) == (
        Reason.SIZE_OUT_OF_RANGE,
        f"a position must be between 1 and 10, got {j}",
    )


@pytest.mark.parametrize("j", [True, 1.0, "1", None])
def test_positions_of_another_type_are_refused(j: Any) -> None:
    """A position is an integer."""
    assert refusal(lambda: neighbouring_positions((), j, 10)) == (
        Reason.WRONG_TYPE,
        f"j must be an integer, got {j!r}",
    )


@pytest.mark.parametrize("m", [0, -2])
def test_empty_lists_are_refused(m: int) -> None:
    """A list has at least one position."""
    expected = (Reason.EMPTY_DOMAIN, f"m must be at least 1, got {m}")
    assert refusal(lambda: neighbouring_positions((), Position(1), m)) == expected
    assert refusal(lambda: joint_density(m, {})) == expected


def test_revealed_position_is_refused() -> None:
    """A revealed position has no conditional law."""
    assert refusal(lambda: neighbouring_positions(positions(2, 5), Position(5), 10)) == (
        Reason.INFEASIBLE_POSITIONS,
        "position 5 must not be revealed already",
    )


@pytest.mark.parametrize(("ell", "j", "r"), [(2, 2, 5), (2, 5, 5), (5, 3, 2), (-1, 2, 3)])
def test_positions_out_of_order_are_refused(ell: int, j: int, r: int) -> None:
    """The position lies strictly between its neighbours."""
    assert refusal(lambda: beta_shape(*positions(ell, j, r))) == (
        Reason.INFEASIBLE_POSITIONS,
        f"positions must satisfy 0 <= ell < j < r, got ell={ell}, j={j}, r={r}",
    )


@pytest.mark.parametrize("u_l", [HALF, Fraction(1, 4)])
def test_neighbours_that_do_not_descend_are_refused(u_l: Fraction) -> None:
    """Neighbours differ strictly: on a tie the density of case 3 would divide by 0."""
    expected = (
        Reason.INFEASIBLE_POSITIONS,
        f"the right neighbour must lie strictly below the left one, got {u_l} and 1/2",
    )
    assert refusal(lambda: from_beta(HALF, u_l, HALF)) == expected
    assert (
        refusal(
            lambda: conditional_density(HALF, Position(2), (Position(1), u_l), (Position(3), HALF))
        )
        == expected
    )
