"""Checks of what Theorem N promises for Laplace noise, on exact laws and in the code."""

import math
from collections.abc import Mapping
from itertools import product
from typing import TypeVar

from flint import arb, ctx

from privtopk.spec.accounting.conversion import log_inverse
from privtopk.spec.accounting.guarantee import calibrate, guarantee
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
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.arrivals import laplace_noise, ranking_law
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.small_tables import neighbouring_pairs

THEOREM_N = "ours:noisy-values"
BOTH = (THEOREM_N, "fact:laplace-approximate")

TOLERANCE = arb("1e-12")
"""More than what is added by rounding up."""

COUNTS = (1, 7, 10**3, 10**6)

Output = TypeVar("Output")


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


@supports(*BOTH, "ours:accounting-laplace", method=Method.ARB, is_slow=True)
def laplace_rankings_keep_both_bounds() -> str:
    """On all small neighbours the Laplace ranked list keeps the pure bound and Theorem N."""
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
            pure = 2 * epsilon * 2 * float(distance_of(relation))
            losses = [math.log(laws[first][o] / laws[second][o]) for o in laws[first]]
            expect(max(map(abs, losses)) <= pure * (1 + 1e-12), f"{first}, {second}: {losses}")
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
def code_is_at_least_the_bound() -> str:
    """z, G and the bound in doubles are at least the real numbers, and above by 10^-12 at most."""
    ctx.prec = 400
    cases = 0
    for k, delta, rate in product(COUNTS, (0.9, 0.1, 1e-9, 1e-300), (1e-12, 0.01, 0.7, 30.0)):
        cases += 1
        z = arb(stretch_of(k, delta))
        share = k * (z - (1 + z).log()) / -arb(delta).log()
        expect(_is_just_above(share, arb(1)), f"k = {k}, delta = {delta}: {share}")
        growth = growth_of_rates(NoiseKind.LAPLACE, rate, 1)
        expect(_is_just_above(arb(growth), 2 * arb(rate).expm1()), f"G at {rate}")
        exact = k * (arb(growth) * (1 + z) - (1 + arb(growth)).log())
        found = noisy_values_composition(growth, k, delta)
        expect(_is_just_above(arb(found), exact), f"{rate}, {k}, {delta}: {found}")
    # Where z is a little above 0.1, z - ln(1 + z) loses most digits.
    for n in range(500):
        delta = math.exp(-0.47 - n / 5000)
        z = arb(stretch_of(100, delta))
        expect(bool(100 * (z - (1 + z).log()) >= log_inverse(delta)), f"delta = {delta}: {z}")
    return f"{cases} settings and 500 hard values of z in 400-bit balls"


def _is_just_above(value: arb, least: arb) -> bool:
    return bool(least <= value) and bool(value <= least * (1 + TOLERANCE))


@supports(THEOREM_N, method=Method.ARB)
def laplace_budgets_hold_in_balls() -> str:
    """The bound of the calibrated Laplace noise is at most the budget, and it is nearly spent."""
    ctx.prec, cases = 400, 0
    for total, k, delta in product((1e-6, 0.1, 1.0, 40.0), COUNTS, (0.3, 1e-6, 1e-100)):
        for relation in Relation:
            rate = calibrate(NoiseKind.LAPLACE, total, k, 10**6, relation, delta)
            if guarantee(NoiseKind.LAPLACE, rate, k, 10**6, relation, delta).delta == 0:
                continue
            cases += 1
            growth = 2 * (arb(rate) * ball(distance_of(relation))).expm1()
            z = arb(stretch_of(k, delta))
            spent = k * (growth * (1 + z) - (1 + growth).log())
            expect(bool(spent <= total), f"{total}, {k}, {delta}, {relation}: {spent}")
            expect(bool(spent >= total * (1 - TOLERANCE)), f"{total}, {k}, {delta}: only {spent}")
    expect(cases > 0, "no budget uses Theorem N")
    return f"{cases} budgets that are not pure"
