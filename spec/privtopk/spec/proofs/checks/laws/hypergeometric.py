"""Checks of Lemma H: moments of draws without replacement, for all sizes by induction."""

from fractions import Fraction
from itertools import product

import sympy
import z3

from privtopk.spec.laws.hypergeometric import hypergeometric_moment, hypergeometric_pmf
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible

LEMMA_H = (
    "ours:hypergeometric-moment",
    "cor:chernoff-without-replacement",
    "lem:cost-tail",
    "lem:cost-tail-large",
)
"""The lemma, and what rests on it."""

BASES = (Fraction(1, 7), Fraction(1, 2), Fraction(4, 5))


@supports(*LEMMA_H, method=Method.SYMBOLIC)
def one_more_draw_shrinks_the_moment() -> str:
    """If s^N and b - N are not negatively correlated, draw a + 1 has a factor 1 - (1-s) b/m.

    Given N = j, draw a + 1 is marked with probability (b-j)/(m-a), and E[b-N] is b(m-a)/m.
    """
    s, m, a, b, j, moment = sympy.symbols("s m a b j moment", positive=True)
    chance = (b - j) / (m - a)
    following = (1 - chance) * s**j + chance * s ** (j + 1)
    expect(
        sympy.simplify(following - (s**j - (1 - s) * s**j * (b - j) / (m - a))) == 0,
        "the moment after one more draw",
    )
    left = b - a * b / m
    expect(sympy.simplify(left - b * (m - a) / m) == 0, "the mean of the marked items left")
    bound = moment - (1 - s) * moment * left / (m - a)
    expect(sympy.simplify(bound - moment * (1 - (1 - s) * b / m)) == 0, "the factor of one draw")
    return "identities with symbolic m, a, b, j and s; the first moment of no draw is 1"


@supports(*LEMMA_H, method=Method.SYMBOLIC)
def covariance_is_a_sum_over_pairs() -> str:
    """E[fg] - E[f] E[g] is half the mean of (f - f')(g - g') over two independent draws.

    Both sides are sums over pairs of points, so laws on two points decide; three are checked too.
    """
    for size in (2, 3):
        p, f, g = (sympy.symbols(f"{letter}:{size}") for letter in "pfg")
        total = sum(p)
        covariance = total * sum(x * y * z for x, y, z in zip(p, f, g, strict=True))
        covariance -= sum(x * y for x, y in zip(p, f, strict=True)) * sum(
            x * z for x, z in zip(p, g, strict=True)
        )
        pairs = sum(
            p[i] * p[j] * (f[i] - f[j]) * (g[i] - g[j]) / 2
            for i, j in product(range(size), repeat=2)
        )
        expect(sympy.expand(covariance - pairs) == 0, f"{size} points")
    return "with symbolic masses and values on two and on three points"


@supports(*LEMMA_H, method=Method.Z3)
def falling_functions_rise_together() -> str:
    """If f and g both fall, (f(i) - f(j))(g(i) - g(j)) >= 0 for all i and j.

    With the sum over pairs this is Chebyshev's association, for f = s^N and g = b - N.
    """
    i, j, f_i, f_j, g_i, g_j = z3.Reals("i j f_i f_j g_i g_j")
    falls = [z3.Implies(i <= j, z3.And(f_i >= f_j, g_i >= g_j))]
    falls.append(z3.Implies(j <= i, z3.And(f_j >= f_i, g_j >= g_i)))
    expect_impossible(falls, (f_i - f_j) * (g_i - g_j) < 0)
    expect_possible([z3.Implies(i <= j, f_i >= f_j)], (f_i - f_j) * (g_i - g_j) < 0)
    return "for all real values; if only f falls there is a counterexample"


@supports(*LEMMA_H, method=Method.SYMBOLIC)
def independent_draws_are_poisson_like() -> str:
    """1 - y <= e^-y for every real y, so the moment is at most e^(-(ab/m)(1-s))."""
    y = sympy.symbols("y", real=True)
    gap = sympy.exp(-y) - (1 - y)
    expect(gap.subs(y, 0) == 0 and sympy.diff(gap, y).subs(y, 0) == 0, "no contact at 0")
    expect(sympy.diff(gap, y, 2).is_positive is True, "e^-y - 1 + y is not convex")
    return "the gap is convex and touches 0"


@supports(*LEMMA_H, method=Method.EXACT)
def moments_of_common_items_are_poisson_like() -> str:
    """E[s^N] <= (1 - (1-s) b/m)^a <= e^(-(ab/m)(1-s)) for all small laws, and draws recur."""
    cases, control_failures = 0, 0
    for m in range(1, 12):
        for a, b, s in product(range(m), range(m + 1), BASES):
            cases += 1
            where = f"m={m}, a={a}, b={b}, s={s}"
            moment, following = (hypergeometric_moment(m, b, n, s) for n in (a, a + 1))
            law = [hypergeometric_pmf(m, b, a, x) for x in range(a + 1)]
            loss = sum((p * s**x * (b - x) for x, p in enumerate(law)), Fraction(0))
            expect(following == moment - (1 - s) * loss / (m - a), f"{where}: the recursion")
            expect(loss >= moment * Fraction(b * (m - a), m), f"{where}: the association")
            independent = (1 - (1 - s) * Fraction(b, m)) ** (a + 1)
            expect(following <= independent, f"{where}: {following} > {independent}")
            poisson = ball(-Fraction((a + 1) * b, m) * (1 - s)).exp()
            expect(b == 0 or ball(independent) <= poisson, where)
            fewer = 1 - (1 - s) * Fraction(b, max(m - 1, 1))
            control_failures += fewer > 0 and following > fewer ** (a + 1)
    expect(control_failures > 0, "the control, b/(m-1) for b/m, did not fail")
    return (
        f"m <= 11: {cases:,} moments in rationals; b/(m-1) for b/m fails {control_failures:,} times"
    )
