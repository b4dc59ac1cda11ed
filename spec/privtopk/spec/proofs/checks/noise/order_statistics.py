"""Checks of the order statistics: densities, Beta form, chain rule, and their errata."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, permutations

import sympy

from privtopk.spec.model.tape import every_outcome, seeded_tape
from privtopk.spec.model.values import Item, Position
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
from privtopk.spec.noise.permutation import LazyPermutation
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports

LARGEST = 5
"""The largest m that the enumerations visit."""


def _descending_values(m: int, salt: int = 0) -> list[Fraction]:
    """Return m distinct fractions in descending order; the salt changes them."""
    return sorted((Fraction(7 * i + salt % 5 + 1, 7 * m + 9) for i in range(m)), reverse=True)


def _conditional(m: int, j: Position, u: Fraction, known: Mapping[Position, Fraction]) -> Fraction:
    """Return the density of U_(j) at u given all known values; only its neighbours matter."""
    left, right = neighbouring_positions(known, j, m)
    ends = {Position(0): Fraction(1), **known}
    bottom = Fraction(0)
    return conditional_density(u, j, (left, ends[left]), (right, ends.get(right, bottom)))


@supports("fact:joint-density", "lem:joint-density", method=Method.SYMBOLIC)
def joint_density_integrates_to_one() -> str:
    """m! on the ordered simplex has mass 1, and its marginals are the printed products."""
    cases = 0
    for m in range(1, 5):
        for size in range(1, m + 1):
            for named in combinations(range(1, m + 1), size):
                cases += 1
                expect(_marginal_matches(m, named), f"m = {m}, positions {named}")
    return f"m <= 4: {cases} sets of positions, integrated symbolically"


def _marginal_matches(m: int, named: tuple[int, ...]) -> bool:
    """Decide at a rational point whether m!, with the others integrated out, is the product."""
    u = sympy.symbols(f"u1:{m + 1}")
    density = sympy.Integer(math.factorial(m))
    for j in range(m, 0, -1):
        if j not in named:
            # Positions below j that are not named are integrated out already.
            lower = next((u[i - 1] for i in range(j + 1, m + 1) if i in named), sympy.Integer(0))
            upper = u[j - 2] if j > 1 else sympy.Integer(1)
            density = sympy.integrate(density, (u[j - 1], lower, upper))
    pairs = zip(named, _descending_values(len(named)), strict=True)
    values = {Position(j): value for j, value in pairs}
    point = {u[j - 1]: sympy.Rational(x.numerator, x.denominator) for j, x in values.items()}
    return bool(density.subs(point) == sympy.Rational(*joint_density(m, values).as_integer_ratio()))


@refutes("erratum:joint-support", method=Method.EXACT)
def printed_joint_density_ignores_order() -> str:
    """The printed product is positive at values that are out of order."""
    values = {Position(1): Fraction(1, 4), Position(2): Fraction(3, 4)}
    printed = 6 * values[Position(2)]
    expect(printed == Fraction(9, 2), f"the printed product is {printed}")
    expect(joint_density(3, values) == 0, "the corrected density is 0")
    return "m = 3, positions 1 and 2 at (1/4, 3/4): 9/2 instead of 0"


@supports("erratum:joint-support", "lem:joint-density", method=Method.EXACT)
def joint_density_vanishes_out_of_order() -> str:
    """The joint density is 0 exactly outside the ordered simplex."""
    cases = 0
    for m in range(2, LARGEST + 1):
        for named in combinations(range(1, m + 1), 2):
            for order in permutations(_descending_values(2, m)):
                cases += 1
                values = {Position(j): u for j, u in zip(named, order, strict=True)}
                expect((joint_density(m, values) > 0) == (order[0] > order[1]), f"{m} {values}")
    return f"m <= {LARGEST}: {cases} pairs"


@supports(
    "thm:conditional-order-statistics",
    "lem:sampling-zj",
    "erratum:no-predecessor",
    "erratum:marginal-law",
    "thm:oracle",
    method=Method.EXACT,
)
def chain_rule_over_every_query_order() -> str:
    """For every order of queries the product of the conditional densities is m!, the joint law."""
    cases = 0
    for m in range(1, LARGEST + 1):
        values = _descending_values(m, m)
        for order in permutations(range(1, m + 1)):
            known: dict[Position, Fraction] = {}
            density = Fraction(1)
            for j in map(Position, order):
                density *= _conditional(m, j, values[j - 1], known)
                known[j] = values[j - 1]
            cases += 1
            expect(density == math.factorial(m), f"m = {m}, order {order}: {density}")
    return f"m <= {LARGEST}: {cases} query orders, in exact rationals"


@supports("thm:conditional-order-statistics", method=Method.EXACT)
def printed_densities_are_special_cases() -> str:
    """The three printed densities are the one formula at the virtual ends."""
    cases = 0
    m = 6
    u, u_l, u_r = Fraction(2, 5), Fraction(7, 9), Fraction(1, 8)
    top, bottom = (Position(0), Fraction(1)), (Position(m + 1), Fraction(0))
    for j in map(Position, range(1, m + 1)):
        one = Fraction(math.factorial(m), math.factorial(j - 1) * math.factorial(m - j))
        expect(
            conditional_density(u, j, top, bottom) == one * (1 - u) ** (j - 1) * u ** (m - j),
            f"case (1), j = {j}",
        )
        for ell in map(Position, range(1, j)):
            two = Fraction(
                math.factorial(m - ell), math.factorial(j - ell - 1) * math.factorial(m - j)
            )
            two *= ((u_l - u) / u_l) ** (j - ell - 1) * (u / u_l) ** (m - j) / u_l
            expect(conditional_density(u, j, (ell, u_l), bottom) == two, f"case (2), {ell} {j}")
            for r in map(Position, range(j + 1, m + 1)):
                cases += 1
                width = u_l - u_r
                three = Fraction(
                    math.factorial(r - ell - 1),
                    math.factorial(j - ell - 1) * math.factorial(r - j - 1),
                )
                three *= ((u_l - u) / width) ** (j - ell - 1)
                three *= ((u - u_r) / width) ** (r - j - 1) / width
                expect(
                    conditional_density(u, j, (ell, u_l), (r, u_r)) == three,
                    f"case (3), {ell} {j} {r}",
                )
    return f"m = 6: {cases} triples of positions"


@supports("thm:conditional-order-statistics", method=Method.SYMBOLIC)
def conditional_is_joint_over_marginal() -> str:
    """With symbolic m, j, l, r the conditional density is the joint over the marginal density."""
    m, j, ell, r = sympy.symbols("m j ell r", integer=True, positive=True)
    u, u_l, u_r = sympy.symbols("u u_l u_r", positive=True)

    def factor(high: sympy.Expr, low: sympy.Expr, gap: sympy.Expr) -> sympy.Expr:
        return (high - low) ** (gap - 1) / sympy.gamma(gap)

    outside = factor(1, u_l, ell) * factor(u_r, 0, m + 1 - r)
    joint = outside * factor(u_l, u, j - ell) * factor(u, u_r, r - j)
    marginal = outside * factor(u_l, u_r, r - ell)
    stated = (
        sympy.gamma(r - ell)
        / (sympy.gamma(j - ell) * sympy.gamma(r - j))
        * (u_l - u) ** (j - ell - 1)
        * (u - u_r) ** (r - j - 1)
        / (u_l - u_r) ** (r - ell - 1)
    )
    quotient = sympy.powsimp(sympy.simplify(joint / marginal / stated), force=True)
    expect(sympy.simplify(quotient) == 1, f"the quotient is {quotient}")
    return "symbolic in m, j, l, r and all values"


@supports("def:beta", "fact:beta-function", method=Method.SYMBOLIC)
def beta_density_integrates_to_one() -> str:
    """The Beta density with whole parameters integrates to exactly 1."""
    x = sympy.symbols("x")
    for a in range(1, 7):
        for b in range(1, 7):
            constant = math.factorial(a + b - 1) // (math.factorial(a - 1) * math.factorial(b - 1))
            mass = sympy.integrate(
                sympy.expand(constant * x ** (a - 1) * (1 - x) ** (b - 1)), (x, 0, 1)
            )
            expect(mass == 1, f"Beta({a}, {b}) has mass {mass}")
            expect(
                beta_density(Fraction(1, 2), a, b) == Fraction(constant, 2 ** (a + b - 2)), "code"
            )
    return "36 pairs of parameters"


@supports("thm:beta-form", "erratum:beta-shift", method=Method.EXACT)
def beta_form_has_the_density() -> str:
    """u_r + (u_l - u_r) X with X ~ Beta(r - j, j - l) has the conditional density in all cases."""
    cases = 0
    m = 6
    for ell, j, r in combinations(range(m + 2), 3):
        u_l = Fraction(1) if ell == 0 else Fraction(8, 9)
        u_r = Fraction(0) if r == m + 1 else Fraction(1, 7)
        a, b = beta_shape(Position(ell), Position(j), Position(r))
        for n in range(1, 8):
            cases += 1
            x = Fraction(n, 8)
            y = from_beta(x, u_l, u_r)
            expect(u_r < y < u_l, f"{y} is not between its neighbours")
            stated = conditional_density(y, Position(j), (Position(ell), u_l), (Position(r), u_r))
            expect(beta_density(x, a, b) / (u_l - u_r) == stated, f"{ell} {j} {r} at {x}")
    return f"m = 6, all four cases: {cases} points"


@refutes("thm:beta-form", "erratum:beta-shift", method=Method.EXACT)
def printed_beta_form_misses_the_support() -> str:
    """Without + u_r the printed variable lies in [0, 2/5], where its density should be 0."""
    u_l, u_r = Fraction(9, 10), Fraction(1, 2)
    left, right = (Position(1), u_l), (Position(3), u_r)
    printed = [(u_l - u_r) * Fraction(n, 10) for n in range(11)]
    densities = [conditional_density(y, Position(2), left, right) for y in printed]
    expect(max(printed) == Fraction(2, 5), f"the printed support ends at {max(printed)}")
    expect(set(densities) == {Fraction(0)}, "the true density is 0 on the printed support")
    expect(
        conditional_density(Fraction(7, 10), Position(2), left, right) > 0, "and positive at 0.7"
    )
    return "m = 3, l = 1, j = 2, r = 3: support [0, 2/5], needed [1/2, 9/10]"


@refutes("erratum:no-predecessor", method=Method.EXACT)
def first_sorted_access_has_no_predecessor() -> str:
    """After one random access, position 1 has no predecessor with probability 9/10."""
    m = 10
    law = every_outcome(lambda tape: LazyPermutation(m, tape).position_of(Item(4)))
    lonely = Fraction(0)
    for position, probability in law.items():
        if position != 1:
            left, right = neighbouring_positions([position], Position(1), m)
            expect(left == 0 and right == position, f"neighbours {left}, {right}")
            lonely += probability
    expect(lonely == Fraction(9, 10), f"the probability is {lonely}")
    return "m = 10: probability 9/10, by all outcomes of the real permutation"


@refutes("erratum:feasible", method=Method.EXACT)
def equal_neighbours_divide_by_zero() -> str:
    """With u_l = u_r the printed density of case (3) is 0/0."""
    u_l = u_r = u = Fraction(1, 2)
    try:
        value = (u_l - u) / (u_l - u_r)
    except ZeroDivisionError:
        return "u_l = u_r = 1/2: division by 0"
    expect(False, f"the printed formula gave {value}")
    return ""


@supports("erratum:feasible", method=Method.ENUMERATION)
def ties_from_rounding_return_the_neighbour() -> str:
    """In E-space every value lies between its neighbours, and equals them if they tie."""
    tape = seeded_tape(20)
    for _ in range(2000):
        e_l = float(tape.uniform())
        e_r = e_l + float(tape.uniform()) * 2.0 ** -tape.below(60)
        value = between(e_l, e_r, gamma_variable(3, tape), gamma_variable(5, tape))
        expect(e_l <= value <= e_r, f"{value} is not between {e_l} and {e_r}")
    expect(between(0.5, 0.5, 1.0, 1.0) == 0.5, "a tie must return the neighbour")
    return "2,000 intervals down to the last bit, and an exact tie"


@supports("lem:sampling-zj", method=Method.SYMBOLIC)
def e_space_step_is_the_beta_form() -> str:
    """The E-space step equals -log of u_l - (u_l - u_r) W with W = G1/(G1 + G2)."""
    e_l, d, g1, g2 = sympy.symbols("e_l d g1 g2", positive=True)
    u_l, u_r = sympy.exp(-e_l), sympy.exp(-e_l - d)
    share = (1 - sympy.exp(-d)) * g1 / (sympy.exp(-d) * g1 + g2)
    step = sympy.exp(-e_l) / (1 + share)
    stated = u_l - (u_l - u_r) * g1 / (g1 + g2)
    expect(sympy.simplify(step - stated) == 0, "the step differs from the Beta form")
    for gap, left, right in ((0.5, 2.0, 3.0), (30.0, 1e-3, 7.0), (1e-9, 4.0, 4.0)):
        w = left / (left + right)
        direct = -math.log1p(math.expm1(-gap) * w)
        expect(abs(between(0.0, gap, left, right) / direct - 1) < 1e-12, f"gap {gap}")
    return "symbolic, and the code at three points"


@refutes("erratum:density-exponent", method=Method.SYMBOLIC)
def printed_exponent_has_mass_three() -> str:
    """With u^(m-j) for u^(m-zeta) the density of U_(1) for m = 3, j = 3 integrates to 3."""
    u = sympy.symbols("u")
    m, zeta, j = 3, 1, 3

    def mass(exponent: int) -> sympy.Expr:
        constant = sympy.factorial(m) / (sympy.factorial(m - zeta) * sympy.factorial(zeta - 1))
        return sympy.integrate(constant * u**exponent * (1 - u) ** (zeta - 1), (u, 0, 1))

    expect(mass(m - j) == 3, f"the printed density has mass {mass(m - j)}")
    expect(mass(m - zeta) == 1, f"the corrected density has mass {mass(m - zeta)}")
    return "m = 3, zeta = 1, j = 3: mass 3"


@supports("erratum:density-exponent", "erratum:index-slips", method=Method.SYMBOLIC)
def corrected_densities_have_mass_one() -> str:
    """The densities with the corrected indices integrate to 1."""
    u = sympy.symbols("u")
    for m in range(1, 7):
        for zeta in range(1, m + 1):
            constant = sympy.factorial(m) / (sympy.factorial(m - zeta) * sympy.factorial(zeta - 1))
            density = sympy.expand(constant * u ** (m - zeta) * (1 - u) ** (zeta - 1))
            expect(sympy.integrate(density, (u, 0, 1)) == 1, f"m = {m}, zeta = {zeta}")
    expect(_three_position_mass(lambda a, b, c: (a - b) * (b - c)) == 1, "positions 1, 3, 5")
    return "m <= 6, and positions 1, 3, 5 of m = 5"


@refutes("erratum:index-slips", method=Method.SYMBOLIC)
def printed_index_changes_the_mass() -> str:
    """With one index zeta_j in every factor the joint density no longer integrates to 1."""
    mass = _three_position_mass(lambda a, b, c: (a - c) * (b - c))
    expect(mass != 1, "the printed product has mass 1")
    return f"m = 5, positions 1, 3, 5: mass {mass}"


def _three_position_mass(
    factors: Callable[[sympy.Symbol, sympy.Symbol, sympy.Symbol], sympy.Expr],
) -> sympy.Expr:
    """Integrate 5! times the factors between positions 1, 3 and 5 over the ordered simplex."""
    a, b, c = sympy.symbols("a b c")
    inner = sympy.integrate(sympy.expand(120 * factors(a, b, c)), (c, 0, b))
    return sympy.integrate(sympy.integrate(inner, (b, 0, a)), (a, 0, 1))


@refutes("erratum:marginal-law", method=Method.SYMBOLIC)
def right_marginals_wrong_order() -> str:
    """Independent Beta(2,1) and Beta(1,2) have the right marginals, but P(out of order) = 1/6."""
    x, y = sympy.symbols("x y")
    for j, density in ((1, 2 * x), (2, 2 * (1 - x))):
        a, b = beta_shape(Position(0), Position(j), Position(3))
        at = Fraction(1, 3)
        stated = beta_density(at, a, b)
        expect(
            density.subs(x, sympy.Rational(1, 3)) == sympy.Rational(*stated.as_integer_ratio()), ""
        )
    out_of_order = sympy.integrate(sympy.integrate(2 * x * 2 * (1 - y), (x, 0, y)), (y, 0, 1))
    expect(out_of_order == sympy.Rational(1, 6), f"the probability is {out_of_order}")
    return "m = 2: P(U_(1) < U_(2)) = 1/6"
