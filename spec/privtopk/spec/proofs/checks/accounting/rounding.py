"""Checks of rounding: nothing that the accounting reports is below the real number.

Deviates: erratum:neighbour-relation.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from flint import arb, ctx, fmpq

from privtopk.spec.accounting.bounded_range import log_moment_of_step, zcdp_of_step
from privtopk.spec.accounting.composition import best_renyi_order, renyi_composition
from privtopk.spec.accounting.guarantee import calibrate, guarantee
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.model.values import Number
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.proofs.gate.registry import Method, expect, supports

BUDGETS: tuple[Number, ...] = (Fraction(1, 3), 0.1, 0.7, 1, 3.3, 1e-9, 2.5e5)
COUNTS = (1, 3, 7, 10, 999, 10**6)
RANGES = tuple(1.37**n for n in range(-60, 12))
ORDERS = (1e-3, 0.3, 1.0, 2.7, 17.0, 300.0, 1e5)
DELTAS = (1e-300, 1e-9, 1e-3, 0.3)


@supports("ours:accounting-pure", "ours:accounting-laplace", method=Method.EXACT)
def pure_budgets_hold_in_rationals() -> str:
    """k times the calibrated rate, twice for two-sided relations, is at most the budget, exactly.

    What is reported lies between the two.
    """
    cases = 0
    for kind, relation, total, k in product(NoiseKind, Relation, BUDGETS, COUNTS):
        cases += 1
        rate = calibrate(kind, total, k, 10**6, relation, 0)
        sides = 1 if relation is Relation.ADD_REMOVE else 2
        reported = guarantee(kind, rate, k, 10**6, relation, 0).epsilon
        expect(sides * k * Fraction(rate) <= reported, f"{kind} {relation} {total} {k}: {reported}")
        expect(reported <= total, f"{kind} {relation} {total} {k}: {reported} exceeds the budget")
    return f"{cases} budgets in exact rationals"


def _curve(r: arb, c: arb) -> arb:
    """Return c (g(c z + z) - g(c z)) + g(z + c z) - g(z), z = r/2, g(s) = ln(sinh(s)/s)."""

    def g(s: arb) -> arb:
        return (s.sinh() / s).log()

    z = r / 2
    return c * (g(c * z + z) - g(c * z)) + g(z + c * z) - g(z)


def _epsilon(r: float, k: int, delta: float, order: float) -> arb:
    """Return the bound by moments at one order, as a ball."""
    c = arb(order)
    slack = (1 + c).log() + c * (1 + 1 / c).log()
    return (k * _curve(arb(r), c) - arb(delta).log() - slack) / c


def _settings() -> Iterator[tuple[float, int, float]]:
    """Yield ranges, numbers of steps and deltas."""
    return product(RANGES[::4], COUNTS, DELTAS)


@supports("ours:bounded-range-renyi", "ours:bounded-range-zcdp", method=Method.ARB)
def no_loss_is_below_its_ball() -> str:
    """No rho, moment or converted epsilon in doubles is below the real number, in 600-bit balls.

    A converted epsilon is compared at the order that the search has found: every order is valid.
    """
    ctx.prec = 600
    for r in RANGES:
        x = arb(r) / -(-arb(r)).expm1()
        expect(arb(zcdp_of_step(r)) >= x - 1 - x.log(), f"rho({r})")
        for c in ORDERS:
            expect(arb(log_moment_of_step(r, c)) >= _curve(arb(r), arb(c)), f"K({c}) at r = {r}")
    cases = 0
    for r, k, delta in _settings():
        cases += 1
        value, order = best_renyi_order(r, k, delta)
        expect(arb(value) >= _epsilon(r, k, delta, order), f"r = {r}, k = {k}, delta = {delta}")
    return f"{len(RANGES)} ranges, {len(ORDERS)} orders, {cases} conversions"


@supports("ours:bounded-range-renyi", method=Method.ARB)
def approximate_budgets_hold_in_balls() -> str:
    """The bound by moments of the calibrated noise is at most the budget, in 600-bit balls."""
    ctx.prec, cases = 600, 0
    for total, k, delta in product(BUDGETS, COUNTS, DELTAS):
        rate = calibrate(NoiseKind.GUMBEL, total, k, 10**6, Relation.ADD_REMOVE, delta)
        if k * Fraction(rate) <= total:
            continue
        cases += 1
        _, order = best_renyi_order(rate, k, delta)
        exact = Fraction(total)
        ball = arb(fmpq(exact.numerator, exact.denominator))
        expect(_epsilon(rate, k, delta, order) <= ball, f"{total} {k} {delta}")
        expect(renyi_composition(rate, k, delta) <= total, f"{total} {k} {delta}: reported")
    expect(cases > len(BUDGETS) * len(COUNTS), "hardly any budget needs its delta")
    return f"{cases} budgets that are not pure"
