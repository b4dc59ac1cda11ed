"""Checks of the accounting: moments of a bounded-range step, tight zCDP, conversions."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import sympy
import z3
from flint import arb, ctx

from privtopk.spec.accounting.bounded_range import log_moment_of_step, zcdp_of_step
from privtopk.spec.accounting.composition import (
    azuma_composition,
    renyi_composition,
    zcdp_composition,
)
from privtopk.spec.accounting.guarantee import guarantees
from privtopk.spec.accounting.optimal_composition import optimum_of_fixed_steps
from privtopk.spec.laws.gumbel import ranked_law, weights
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.neighbours import Relation, is_neighbour
from privtopk.spec.model.privacy import tight_delta
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import tight_rho
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible


@supports("ours:bounded-range-renyi", method=Method.SYMBOLIC)
def two_points_are_the_worst() -> str:
    """Given E[e^-L] = 1, E[e^(cL)] is largest for a law on the two ends of the range.

    It is E[W^-c] for W = e^-L, and a chord bounds the convex W^-c.
    """
    w, c = sympy.symbols("w c", positive=True)
    curvature = sympy.simplify(sympy.diff(w**-c, w, 2) / (c * (c + 1) * w ** (-c - 2)))
    expect(curvature == 1, "W^-c is not convex with curvature c (c + 1) W^(-c-2) > 0")
    r, t = sympy.symbols("r t", positive=True)
    p = (sympy.exp(r) - sympy.exp(t)) / (sympy.exp(r) - 1)
    mean = p * sympy.exp(-t) + (1 - p) * sympy.exp(r - t)
    expect(sympy.simplify(mean - 1) == 0, "the two-point law does not have E[e^-L] = 1")
    return "convexity and the two-point law, symbolic"


@supports("ours:bounded-range-renyi", method=Method.SYMBOLIC)
def best_end_point_gives_the_curve() -> str:
    """The moment of the two-point law, at its best end point, is J(c+1) - J(c) - J(1)."""
    r, c, big_t = sympy.symbols("r c T", positive=True)
    big_r = sympy.exp(r)
    a, b = big_r - big_r**-c, 1 - big_r**-c
    moment = (big_t**c * a - big_t ** (c + 1) * b) / (big_r - 1)
    best = c * a / ((c + 1) * b)
    slope = sympy.diff(moment, big_t) * (big_r - 1) / big_t ** (c - 1)
    expect(sympy.simplify(slope - (c * a - (c + 1) * big_t * b)) == 0, "the slope in T")
    # At the best T the moment is T^c a / ((c + 1)(R - 1)); write all factors by sinh.
    stated = (c + 1) * sympy.log(sympy.sinh(r * (c + 1) / 2) / (c + 1))
    stated -= c * sympy.log(sympy.sinh(r * c / 2) / c) + sympy.log(sympy.sinh(r / 2))
    direct = c * sympy.log(best) + sympy.log(a / ((c + 1) * (big_r - 1)))
    for values in ({r: 1, c: 2}, {r: sympy.Rational(1, 7), c: sympy.Rational(5, 3)}, {r: 9, c: 31}):
        gap = sympy.N((stated - direct).subs(values), 60)
        expect(abs(gap) < sympy.Float("1e-50"), f"{values}: {gap}")
    exponent = sympy.expand((c + 1) * (1 - c) / 2 + c * c / 2 - sympy.Rational(1, 2))
    expect(exponent == 0, "the powers of R do not cancel")
    return "slope and powers symbolic, the value to 50 digits at three points"


@supports("ours:bounded-range-zcdp", method=Method.SYMBOLIC)
def curvature_over_argument_falls() -> str:
    """J''(y)/y = (r^2/4) n(z), z = r y/2, and n' = 2 (coth z - 1/z)(csch^2 z - 1/z^2) < 0."""
    y, r, z = sympy.symbols("y r z", positive=True)
    n = 2 * sympy.coth(z) / z - 1 / z**2 - sympy.csch(z) ** 2
    curve = y * sympy.log(sympy.sinh(r * y / 2) / y)
    second = sympy.diff(curve, y, 2).subs(y, 2 * z / r).rewrite(sympy.exp)
    gap = sympy.simplify(second - r * z / 2 * n.rewrite(sympy.exp))
    expect(gap == 0, f"J'' differs by {gap}")
    slope = 2 * (sympy.coth(z) - 1 / z) * (sympy.csch(z) ** 2 - 1 / z**2)
    expect(
        sympy.simplify((sympy.diff(n, z) - slope).rewrite(sympy.exp)) == 0, "the derivative of n"
    )
    # z cosh z - sinh z and sinh z - z have positive Taylor coefficients only.
    for function, order in ((z * sympy.cosh(z) - sympy.sinh(z), 3), (sympy.sinh(z) - z, 3)):
        series = sympy.Poly(sympy.series(function, z, 0, 20).removeO(), z)
        expect(min(p[0] for p in series.monoms()) == order, f"{function} starts elsewhere")
        expect(all(coefficient > 0 for coefficient in series.coeffs()), f"{function}")
    n_index = sympy.symbols("n", integer=True, positive=True)
    general = sympy.simplify(
        1 / sympy.factorial(2 * n_index) - 1 / sympy.factorial(2 * n_index + 1)
    )
    positive = 2 * n_index / sympy.factorial(2 * n_index + 1)
    expect(sympy.simplify(general / positive) == 1, "the general coefficient of z cosh z - sinh z")
    return "both identities symbolic, the signs by their Taylor coefficients"


@supports("ours:bounded-range-zcdp", method=Method.Z3)
def weights_are_ordered() -> str:
    """The density of y in K(c) lies to the right of the one in rho, so K(c) <= c (c + 1) rho.

    K(c) is the mean of the falling J''(y)/y under the law with the trapezoid weight on
    [0, 1 + c], rho the one under 2y on [0, 1]; the distribution functions are compared.
    """
    y, c = z3.Reals("y c")
    positive = z3.And(c > 0, y > 0, y <= 1)
    rising = z3.And(positive, y <= c)
    flat = z3.And(positive, y >= c, c <= 1)
    area = 3 * c * (c + 1)
    # 2 y^3 / (3 c (c+1)) <= y^2, and (2 c^3/3 + c (y^2 - c^2)) / (c (c+1)) <= y^2.
    for region, left, right in (
        (rising, 2 * y * y * y, area * y * y),
        (flat, 2 * c * c * c + 3 * c * (y * y - c * c), area * y * y),
    ):
        expect_impossible([region], left > right)
        expect_possible([region], left > right / 4)
    return "both pieces for all real c and y"


@supports("ours:bounded-range-zcdp", method=Method.SYMBOLIC)
def rho_is_attained() -> str:
    """The mean loss of the worst two-point law is x - 1 - ln x with x = r/(1 - e^-r)."""
    r, t = sympy.symbols("r t", positive=True)
    mean = t - r * (sympy.exp(t) - 1) / (sympy.exp(r) - 1)
    best = sympy.log((sympy.exp(r) - 1) / r)
    expect(sympy.simplify(sympy.diff(mean, t).subs(t, best)) == 0, "the slope at the best t")
    x = r / (1 - sympy.exp(-r))
    stated = x - 1 - sympy.log(x)
    for value in (sympy.Rational(1, 10), sympy.Integer(1), sympy.Integer(12)):
        gap = sympy.N((mean.subs(t, best) - stated).subs(r, value), 50)
        expect(abs(gap) < sympy.Float("1e-45"), f"r = {value}: {gap}")
    return "the best end point symbolic, the value to 45 digits at three ranges"


def _j(r: arb, y: arb) -> arb:
    """Return J(y) = y ln(sinh(r y / 2) / y) as a ball."""
    return y * ((r * y / 2).sinh() / y).log()


def _curve(r: arb, c: arb) -> arb:
    """Return J(c + 1) - J(c) - J(1) as a ball."""
    return _j(r, c + 1) - _j(r, c) - _j(r, arb(1))


ROUNDING = 1 + 1e-12
"""The factor by which two equal bounds may differ in doubles."""

RANGES = (1e-3, 0.1, 0.7, 1.0, 3.0, 20.0, 50.0)
ORDERS = (1e-3, 0.1, 1.0, 2.5, 17.0, 300.0)


@supports("ours:bounded-range-renyi", "ours:bounded-range-zcdp", method=Method.ARB)
def code_agrees_with_balls() -> str:
    """The curve and rho in doubles agree with 400-bit balls, and the inequalities hold there."""
    ctx.prec = 400
    for r in RANGES:
        rho = tight_rho(arb(r))
        expect(_agrees(zcdp_of_step(r), rho), f"rho({r})")
        expect(rho <= arb(r) ** 2 / 8, f"rho({r}) exceeds r^2/8")
        expect(rho <= arb(r) * (arb(r) / 2).tanh(), f"rho({r}) exceeds r tanh(r/2)")
        for c in ORDERS:
            curve = _curve(arb(r), arb(c))
            expect(_agrees(log_moment_of_step(r, c), curve), f"K({c}) at r = {r}")
            expect(curve <= arb(c) * (arb(c) + 1) * rho, f"K({c}) at r = {r} exceeds the zCDP line")
            expect(not curve <= arb(c) * (arb(c) + 1) * rho * arb("0.5") or c > 1, "control")
    return f"{len(RANGES)} ranges, {len(ORDERS)} orders, relative error below 1e-12"


def _agrees(value: float, ball: arb) -> bool:
    return bool(abs(arb(value) / ball - 1) < arb("1e-12"))


@supports("ours:bounded-range-renyi", method=Method.ARB)
def no_end_point_exceeds_the_curve() -> str:
    """On a grid of end points t the two-point moment never exceeds the curve, and reaches 99 %."""
    ctx.prec = 300
    for r, c in product((0.1, 1.0, 8.0), (0.5, 2.0, 30.0)):
        big_r, curve = arb(r).exp(), _curve(arb(r), arb(c))
        closest = arb(0)
        for n in range(1, 400):
            t = arb(r) * n / 400
            p = (big_r - t.exp()) / (big_r - 1)
            moment = (p * (c * t).exp() + (1 - p) * (c * (t - r)).exp()).log()
            expect(moment <= curve, f"r = {r}, c = {c}, t = {t}")
            closest = max(closest, moment)
        expect(closest > curve * arb("0.99"), f"r = {r}, c = {c}: the curve is not approached")
    return "9 pairs of range and order, 399 end points each"


@supports("ours:conversion", method=Method.SYMBOLIC)
def conversion_constant_is_the_maximum() -> str:
    """(1 - e^-x) e^(-(a-1)x) is largest at e^-x = (a-1)/a, with the stated value."""
    alpha, s = sympy.symbols("alpha s", positive=True)
    value = (1 - s) * s ** (alpha - 1)
    best = (alpha - 1) / alpha
    slope = sympy.simplify(sympy.diff(value, s) / s ** (alpha - 2))
    expect(sympy.simplify(slope.subs(s, best)) == 0, f"the slope is {slope}")
    expect(sympy.simplify(sympy.diff(slope, s) + alpha) == 0, "the slope does not fall in s")
    ratio = value.subs(s, best) / ((1 - 1 / alpha) ** alpha / (alpha - 1))
    for at in (sympy.Rational(3, 2), sympy.Integer(4), sympy.Rational(101, 7)):
        expect(sympy.simplify(ratio.subs(alpha, at)) == 1, f"alpha = {at}")
    return "slope symbolic, the value at three orders"


@supports("ours:conversion", method=Method.ENUMERATION)
def conversion_bounds_true_deltas() -> str:
    """No converted epsilon is below the exact optimum of fixed steps: the bounds are ordered."""
    for r, k, delta in product((0.05, 0.1, 0.5), (1, 10, 100), (1e-3, 1e-6)):
        least = optimum_of_fixed_steps(r, k, delta)
        renyi = renyi_composition(r, k, delta)
        zcdp = zcdp_composition(r, k, delta)
        azuma = azuma_composition(r, k, delta)
        ordered = least <= renyi * ROUNDING <= zcdp * ROUNDING**2 <= azuma * ROUNDING**3
        expect(ordered, f"r = {r}, k = {k}: {least} {renyi} {zcdp} {azuma}")
    figures = [
        azuma_composition(0.1, 100, 1e-6),
        zcdp_composition(0.1, 100, 1e-6),
        optimum_of_fixed_steps(0.1, 100, 1e-6),
    ]
    expect([round(x, 3) for x in figures] == [2.753, 2.419, 2.246], f"{figures}")
    return "18 settings; k = 100, eps = 0.1, delta = 1e-6: 2.753, 2.419, optimum 2.246"


@supports("ours:conversion", method=Method.EXACT)
def hockey_stick_is_below_the_moment_bound() -> str:
    """On exact two-point laws the hockey-stick divergence stays below the moment bound."""
    cases = 0
    for numerator, order in product(range(1, 10), (2, 3, 5)):
        p = {0: Fraction(numerator, 10), 1: Fraction(10 - numerator, 10)}
        q = {0: Fraction(1, 2), 1: Fraction(1, 2)}
        moment = sum((p[o] ** order / q[o] ** (order - 1) for o in p), Fraction(0))
        constant = Fraction(order - 1, order) ** order / (order - 1)
        for ratio in (Fraction(1), Fraction(6, 5), Fraction(3, 2)):
            cases += 1
            delta = sum((max(Fraction(0), p[o] - ratio * q[o]) for o in p), Fraction(0))
            # delta <= E_Q[(P/Q)^order] ratio^(1 - order) (1 - 1/order)^order / (order - 1)
            expect(
                delta <= moment * constant / ratio ** (order - 1), f"{numerator} {order} {ratio}"
            )
    return f"{cases} cases in exact rationals"


@supports(
    "ours:accounting-pure",
    "ours:accounting-laplace",
    "ours:noisy-values",
    "ours:bounded-range-renyi",
    "ours:bounded-range-zcdp",
    method=Method.EXACT,
)
def every_guarantee_holds_exactly() -> str:
    """Every guarantee of the accounting holds for the exact laws of all small neighbours."""
    base, epsilon, cases = Fraction(2), math.log(2), 0
    histograms = list(product(range(3), repeat=3))
    pairs = list(combinations(histograms, 2))
    for relation, k, delta in product(Relation, (1, 2), (0.0, 0.2)):
        laws = {h: ranked_law(weights(h, base), k) for h in histograms}
        for each in guarantees(NoiseKind.GUMBEL, epsilon, k, 3, relation, delta):
            ratio = Fraction(math.exp(each.epsilon) * ROUNDING)
            for first, second in pairs:
                if is_neighbour(first, second, relation):
                    cases += 1
                    needed = tight_delta(laws[first], laws[second], ratio)
                    expect(needed <= Fraction(each.delta), f"{each} on {first}, {second}: {needed}")
    for relation, k, delta in product(Relation, (1, 2), (0.0, 0.2)):
        sets = {h: laplace_set_law(h, k, epsilon) for h in histograms}
        for each in guarantees(NoiseKind.LAPLACE, epsilon, k, 3, relation, delta):
            factor = math.exp(each.epsilon) * ROUNDING
            for first, second in pairs:
                if is_neighbour(first, second, relation):
                    cases += 1
                    for p, q in permutations((sets[first], sets[second])):
                        excess = math.fsum(max(0.0, p[chosen] - factor * q[chosen]) for chosen in p)
                        expect(excess <= each.delta, f"{each} on {first}, {second}: {excess}")
    return f"m = 3, e^eps = 2, three relations: {cases:,} pairs and guarantees"
