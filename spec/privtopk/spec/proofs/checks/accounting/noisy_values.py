"""Checks of Theorem N: the rates at which items arrive, and the moments of their losses."""

from fractions import Fraction
from itertools import product

import sympy
import z3
from flint import arb, ctx

from privtopk.spec.accounting.noisy_values import (
    distance_of,
    growth_of_rates,
)
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import Gumbel, Laplace, NoiseKind
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.arrivals import (
    arrival_moment,
    gumbel_noise,
    laplace_noise,
)
from privtopk.spec.proofs.instruments.small_tables import neighbouring_pairs
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible

THEOREM_N = "ours:noisy-values"
TOLERANCE = arb("1e-12")
"""More than what is added by rounding up."""

BOTH = (THEOREM_N, "fact:laplace-approximate")


@supports(*BOTH, method=Method.SYMBOLIC)
def reversed_hazard_rates() -> str:
    """f/F is eps e^(-eps t) for Gumbel; for Laplace eps below 0, and eps/(2e^(eps t)-1) above.

    It is the derivative of ln F, so an item arrives below v with F = e^(-integral of the rate).
    """
    t = sympy.symbols("t", real=True)
    eps = sympy.symbols("eps", positive=True)
    for name, cdf, rate in (
        ("Gumbel", sympy.exp(-sympy.exp(-eps * t)), eps * sympy.exp(-eps * t)),
        ("Laplace below 0", sympy.exp(eps * t) / 2, eps),
        ("Laplace above 0", 1 - sympy.exp(-eps * t) / 2, eps / (2 * sympy.exp(eps * t) - 1)),
    ):
        expect(sympy.simplify(sympy.diff(cdf, t) / cdf - rate) == 0, name)
        expect(sympy.simplify(sympy.diff(sympy.log(cdf), t) - rate) == 0, f"{name}: ln F")
    return "both rates from F, symbolic"


@supports(*BOTH, method=Method.Z3)
def laplace_rates_grow_by_at_most() -> str:
    """The Laplace rates change by a factor of at most 2g - 1, g = e^(eps z), over a distance z.

    Above z the factor is (2gE-1)/(2E-1) with E = e^(eps(t-z)) >= 1; below it is 2e^(eps t) - 1 <=
    2g - 1, and below 0 it is 1.
    """
    g, e = z3.Reals("g e")
    facts = [g >= 1, e >= 1]
    expect_impossible(facts, 2 * g * e - 1 > (2 * g - 1) * (2 * e - 1))
    expect_possible(facts, 2 * g * e - 1 == (2 * g - 1) * (2 * e - 1))
    expect_possible(facts, 2 * g * e - 1 > (2 * g - z3.Q(101, 100)) * (2 * e - 1))
    expect_impossible([e >= 1, e <= g], 2 * e - 1 > 2 * g - 1)
    return "for all reals; equality at E = 1, and 2g - 1.01 fails"


@supports(*BOTH, method=Method.ENUMERATION)
def growth_is_that_of_the_rates() -> str:
    """The rates of the specification's noise change by the factor 1 + G over D, and not by more."""
    cases = 0
    for epsilon, relation in product((0.01, 0.3, 2.0), (Relation.ADD_REMOVE, Relation.SWAP)):
        distance = float(distance_of(relation))
        for noise in (Laplace(epsilon), Gumbel(epsilon)):
            kind = NoiseKind.LAPLACE if isinstance(noise, Laplace) else NoiseKind.GUMBEL
            stated = 1 + growth_of_rates(kind, epsilon, distance)
            largest = 0.0
            for n in range(-8, 81):
                cases += 1
                t = n * distance / 8
                before, after = (noise.density(x) / noise.cdf(x) for x in (t, t - distance))
                expect(after >= before * (1 - 1e-12), f"{noise}: the rate rises at {t}")
                largest = max(largest, after / before)
            expect(abs(largest / stated - 1) < 1e-12, f"{noise}, D = {distance}: {largest}")
    return f"both noises, three scales, D = 1/2 and 1: {cases:,} places"


@supports(*BOTH, method=Method.ENUMERATION)
def scores_move_by_the_distance() -> str:
    """Neighbours are within D of each other, up to one constant, and some are no closer."""
    for relation in Relation:
        farthest = Fraction(0)
        for first, second in neighbouring_pairs(3, 2, relation):
            changes = [a - b for a, b in zip(first, second, strict=True)]
            farthest = max(farthest, Fraction(max(changes) - min(changes), 2))
        expect(farthest == distance_of(relation), f"{relation}: {farthest}")
    return "m = 3, scores to 2, three relations; the best constant is the middle of the changes"


@supports(THEOREM_N, method=Method.SYMBOLIC)
def one_arrival_has_the_moment_of_exponentials() -> str:
    """w^-a/(1+a-aw) on [e^-c, e^c] is largest at e^c, where it is V = e^(-ac)/(1-a(e^c-1)).

    Its slope has the sign of w - 1, so an end is largest. g(s) = -as - ln(1+a-ae^s) has
    g(0) = g'(0) = 0 and g''(s) >= g''(-s), so the upper end is.
    """
    a, w, s = sympy.symbols("a w s", positive=True)
    value = w**-a / (1 + a - a * w)
    slope = sympy.simplify(sympy.diff(sympy.log(value), w))
    stated = a * (1 + a) * (w - 1) / (w * (1 + a - a * w))
    expect(sympy.simplify(slope - stated) == 0, f"the slope is {slope}")
    g = -a * s - sympy.log(1 + a - a * sympy.exp(s))
    expect(g.subs(s, 0) == 0, "g(0)")
    expect(sympy.simplify(sympy.diff(g, s).subs(s, 0)) == 0, "g'(0)")
    bend = a * (1 + a) * sympy.exp(s) / (1 + a - a * sympy.exp(s)) ** 2
    expect(sympy.simplify(sympy.diff(g, s, 2) - bend) == 0, "g''")
    ratio = sympy.exp(2 * s) * ((1 + a - a * sympy.exp(-s)) / (1 + a - a * sympy.exp(s))) ** 2
    expect(sympy.simplify(bend / bend.subs(s, -s) - ratio) == 0, "g''(s)/g''(-s)")
    x, y = z3.Reals("x y")
    # With x = e^s >= 1 and y = a: (1+a-a/x)/(1+a-ax) >= 1 as long as the lower part is positive.
    facts = [x >= 1, y > 0, 1 + y - y * x > 0]
    expect_impossible(facts, x * (1 + y) - y < x * (1 + y - y * x))
    return "slope and bends symbolic, and the last ratio is at least 1 for all reals"


@supports(THEOREM_N, method=Method.SYMBOLIC)
def best_order_gives_the_closed_form() -> str:
    """At y = aG = z/(1+z) the tail bound is k(G(1+z) - c) if k(z - ln(1+z)) = ln(1/delta).

    A larger z is valid, too; and z is at most s + s^2/2 for s = sqrt(2 ln(1/delta)/k).
    """
    k, growth, z, log_term = sympy.symbols("k G z l", positive=True)
    c, y = sympy.log(1 + growth), z / (1 + z)
    epsilon = growth / y * (k * sympy.log(1 / (1 - y)) + log_term) - k * c
    matched = epsilon.subs(log_term, k * (z - sympy.log(1 + z)))
    expect(sympy.simplify(matched - k * (growth * (1 + z) - c)) == 0, "the value at the root")
    # For any z: what is above k (G (1+z) - c) has the sign of ln(1/delta) - k (z - ln(1+z)).
    excess = epsilon - k * (growth * (1 + z) - c)
    sign = growth * (1 + 1 / z) * (log_term - k * (z - sympy.log(1 + z)))
    expect(sympy.simplify(excess - sign) == 0, "the value for another z")
    defect = sympy.diff(z - sympy.log(1 + z), z)
    expect(sympy.simplify(defect - z / (1 + z)) == 0, "z - ln(1+z) does not rise")
    start = z - sympy.log(1 + z + z**2 / 2)
    slope = sympy.diff(start, z)
    expect(start.subs(z, 0) == 0, "no contact at 0")
    expect(sympy.simplify(slope - z**2 / (2 + 2 * z + z**2)) == 0, "ln(1+s+s^2/2) <= s")
    square = growth**2 / 2 - (growth - sympy.log(1 + growth))
    expect(square.subs(growth, 0) == 0, "no contact at G = 0")
    expect(
        sympy.simplify(sympy.diff(square, growth) - growth**2 / (1 + growth)) == 0, "G - c <= G^2/2"
    )
    return "with symbolic k, G, z and ln(1/delta)"


@supports(THEOREM_N, method=Method.ARB)
def moments_of_one_arrival() -> str:
    """E[(P/Q)^a] of the best of two items with its value is at most V; Gumbel noise attains it."""
    ctx.prec = 90
    cases, largest = 0, arb(0)
    for epsilon, share in product((0.5, 1.0), (0.1, 0.5)):
        for kind, make in ((NoiseKind.GUMBEL, gumbel_noise), (NoiseKind.LAPLACE, laplace_noise)):
            growth = arb(growth_of_rates(kind, epsilon, 1))
            order = share / growth
            bound = (-order * (1 + growth).log()).exp() / (1 - order * growth)
            for moved, scores in product(product((-1, 1), repeat=2), ((0, 0), (0, 1), (0, 20))):
                cases += 1
                other = [score + move for score, move in zip(scores, moved, strict=True)]
                moment = arrival_moment(make(arb(epsilon)), scores, other, order)
                where = f"{kind}, eps = {epsilon}, {scores} against {other}: {moment}"
                expect(bool(moment <= bound * (1 + TOLERANCE)), f"{where} > {bound}")
                if kind is NoiseKind.LAPLACE:
                    largest = largest.max(moment.log() / bound.log())
                elif moved == (1, 1):
                    expect(bool(moment >= bound * (1 - TOLERANCE)), f"{where} < {bound}")
    expect(bool(largest > arb("0.3")), f"the control, 0.3 of the bound, did not fail: {largest}")
    return f"m = 2: {cases} integrals; attained by Gumbel, Laplace at most {float(largest):.2f}"
