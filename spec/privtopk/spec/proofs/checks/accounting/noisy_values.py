"""Checks of Theorem N and of the approximate Laplace bound that follows from it."""

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import TypeVar

import sympy
import z3
from flint import arb, ctx

from privtopk.spec.accounting.noisy_values import (
    distance_of,
    growth_of_rates,
    noisy_values_composition,
    printed_laplace_composition,
    stretch_of,
)
from privtopk.spec.laws.laplace import laplace_set_law
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.values import Histogram, Item
from privtopk.spec.noise.distributions import Gumbel, Laplace, NoiseKind
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.arrivals import (
    arrival_moment,
    gumbel_noise,
    laplace_noise,
    ranking_law,
)
from privtopk.spec.proofs.instruments.small_tables import neighbouring_pairs
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible

THEOREM_N = "ours:noisy-values"
TOLERANCE = arb("1e-12")
"""The growth is a double; this is more than its error."""

BOTH = (THEOREM_N, "fact:laplace-approximate")

Output = TypeVar("Output")


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


def _needed_delta(p: Mapping[Output, float], q: Mapping[Output, float], epsilon: float) -> float:
    """Return the larger of the two one-sided divergences of laws in doubles."""
    ratio = math.exp(epsilon)
    forward = math.fsum(max(0.0, p[o] - ratio * q[o]) for o in p)
    return max(forward, math.fsum(max(0.0, q[o] - ratio * p[o]) for o in q))


DELTAS = (0.6, 0.4, 0.25)
"""So large that Theorem N is below the pure bound for some of the small k."""


@supports(*BOTH, method=Method.EXACT, is_slow=True)
def laplace_sets_keep_theorem_n() -> str:
    """On all small neighbours the exact law of the Laplace set keeps the bound of Theorem N."""
    cases, better = 0, 0
    for (m, largest), epsilon in product(((3, 2), (4, 1), (5, 1)), (0.2, 1.0)):
        histograms = list(product(range(largest + 1), repeat=m))
        for k in range(1, m):
            laws = {h: laplace_set_law(h, k, epsilon) for h in histograms}
            for relation, delta in product((Relation.ADD_REMOVE, Relation.L_INFINITY), DELTAS):
                distance = distance_of(relation)
                growth = growth_of_rates(NoiseKind.LAPLACE, epsilon, distance)
                bound = noisy_values_composition(growth, k, delta)
                better += bound < 2 * k * epsilon * distance
                for first, second in neighbouring_pairs(m, largest, relation):
                    cases += 1
                    needed = _needed_delta(laws[first], laws[second], bound)
                    expect(needed <= delta, f"{first}, {second}, k = {k}, {relation}: {needed}")
    expect(better > 0, "the bound is never below the pure one")
    return f"m <= 5: {cases:,} pairs; in {better} settings it is below the pure bound"


@supports(*BOTH, method=Method.ARB, is_slow=True)
def laplace_rankings_keep_theorem_n() -> str:
    """On all small neighbours the law of the Laplace ranked list keeps it, too."""
    ctx.prec = 70
    epsilon, cases, largest = 0.5, 0, 0.0
    laws: dict[Histogram, dict[tuple[Item, ...], float]] = {}
    for relation in Relation:
        growth = growth_of_rates(NoiseKind.LAPLACE, epsilon, distance_of(relation))
        for first, second in neighbouring_pairs(3, 1, relation):
            for scores in (first, second):
                if scores not in laws:
                    law = ranking_law(laplace_noise(arb(epsilon)), scores)
                    laws[scores] = {ranking: float(p) for ranking, p in law.items()}
            for delta in (*DELTAS, 0.1):
                cases += 1
                bound = noisy_values_composition(growth, 2, delta)
                needed = _needed_delta(laws[first], laws[second], bound)
                largest = max(largest, _needed_delta(laws[first], laws[second], 0.0))
                expect(needed <= delta, f"{first}, {second}: {needed}")
    expect(largest > 0.1, "the control, epsilon = 0, did not fail")
    return f"m = 3, k = 2: {cases} pairs and deltas"


@supports(*BOTH, "erratum:laplace-hypothesis", method=Method.ARB)
def printed_laplace_bound_follows() -> str:
    """Under its hypotheses 8 eps sqrt(k L), L = ln(m/delta), is above 2k eps or above Theorem N.

    Up to k = 16 L it is above 2k eps. Beyond, with eps < 0.0017, Theorem N is below 3.35 eps
    sqrt(k L). The steps are those of the proof, in balls; then both are compared in code.
    """
    ctx.prec = 100
    log_term = arb(40).log()
    expect(log_term > arb("3.68"), "L >= ln(2/0.05)")
    epsilon = arb("0.025") / (4 * log_term)
    expect(epsilon < arb("0.0017"), "eps")
    growth = 2 * (1 + epsilon)
    expect(growth < arb("2.0034"), "G/eps, as e^x - 1 <= x (1 + x) up to 1")
    first = growth * (arb(2).sqrt() + arb("0.25"))
    second = growth**2 / 2 * arb("0.025") / log_term
    expect(first + second < arb("3.35"), f"{first + second}")
    expect(first + second > arb("3.3"), "the control 3.3 did not fail")
    cases, beyond = 0, 0
    for k, m, delta in product((1, 50, 100, 400, 10**4), (2, 10**3, 10**6), (0.05, 1e-6, 1e-12)):
        if k > m:
            continue
        cases += 1
        root = math.sqrt(k * math.log(m / delta))
        epsilon_of_noise = 0.19 / (8 * root)
        stated = printed_laplace_composition(epsilon_of_noise, k, m, delta)
        expect(stated is not None and abs(stated - 0.19) < 1e-9, f"{stated}")
        growth_here = growth_of_rates(NoiseKind.LAPLACE, epsilon_of_noise, 1)
        ours = noisy_values_composition(growth_here, k, delta)
        expect(min(ours, 2 * k * epsilon_of_noise) <= 0.19, f"k = {k}, m = {m}, delta = {delta}")
        if k > 16 * math.log(m / delta):
            beyond += 1
            expect(ours < 3.35 * epsilon_of_noise * root, f"k = {k}, m = {m}: {ours}")
    expect(beyond > 0, "no k is beyond 16 L")
    return f"the constants in balls; {cases} settings, {beyond} with k > 16 ln(m/delta)"


@supports(THEOREM_N, method=Method.ARB)
def code_solves_for_the_stretch() -> str:
    """z solves its equation to 13 digits, and the bound rises with k, G and ln(1/delta)."""
    ctx.prec = 200
    cases = 0
    for k, delta in product((1, 7, 10**3, 10**6), (0.9, 0.1, 1e-9, 1e-300)):
        cases += 1
        z = arb(stretch_of(k, delta))
        share = k * (z - (1 + z).log()) / -arb(delta).log()
        expect(bool(abs(share - 1) < arb("1e-13")), f"k = {k}, delta = {delta}: {share}")
        for growth in (1e-6, 0.05, 3.0):
            exact = k * (arb(growth) * (1 + z) - (1 + arb(growth)).log())
            found = noisy_values_composition(growth, k, delta)
            expect(bool(abs(arb(found) / exact - 1) < arb("1e-13")), f"{growth}, {k}, {delta}")
    for growth, before in pairwise((1e-6, 0.05, 3.0)):
        expect(
            noisy_values_composition(growth, 5, 0.1) < noisy_values_composition(before, 5, 0.1),
            "the bound does not rise with G",
        )
    return f"{cases} pairs of k and delta, three growths each"
