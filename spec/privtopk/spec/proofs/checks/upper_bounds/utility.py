"""Checks of the utility: exact failure probabilities and closed bounds."""

import math
from fractions import Fraction
from itertools import product

from flint import arb, ctx

from privtopk.spec.laws.gumbel import set_law, weights
from privtopk.spec.laws.laplace import exact_laplace_set_law, exact_laplace_set_probability
from privtopk.spec.laws.log_linear import LogLinear
from privtopk.spec.model.accuracy import is_accurate
from privtopk.spec.model.values import items_of
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.upper_bounds.utility import error_bound, error_quantile, failure_probability

BASE = Fraction(2)
"""e^epsilon in the exact checks."""


def _gumbel_failure(m: int, k: int, alpha: int) -> Fraction:
    """Return 1 - prod j/(j + w), w = (m - k) e^(-eps alpha), exactly."""
    w = (m - k) / BASE**alpha
    return 1 - math.prod((Fraction(j) / (j + w) for j in range(1, k + 1)), start=Fraction(1))


@supports("ours:utility-gumbel", "erratum:utility-constant", method=Method.EXACT)
def gumbel_failure_is_the_worst_case() -> str:
    """No histogram fails with a larger probability than the formula; two-valued ones attain it."""
    cases = 0
    for m, k, alpha in product((3, 4), (1, 2), (0, 1, 2)):
        limit = _gumbel_failure(m, k, alpha)
        for histogram in product(range(4), repeat=m):
            cases += 1
            law = set_law(weights(histogram, BASE), k)
            failing = sum(
                (p for s, p in law.items() if not is_accurate(histogram, s, alpha, k)), Fraction(0)
            )
            expect(failing <= limit, f"{histogram} k = {k}, alpha = {alpha}: {failing}")
        two_valued = (alpha,) * k + (0,) * (m - k)
        missed = 1 - set_law(weights(two_valued, BASE), k)[frozenset(items_of(k))]
        expect(missed == limit, f"two values, m = {m}, k = {k}: {missed} against {limit}")
    return f"{cases:,} histograms in exact rationals"


@supports("ours:utility-gumbel", "erratum:utility-constant", method=Method.EXACT)
def gumbel_bound_is_the_union() -> str:
    """1 - prod j/(j + w) <= w H_k, so alpha = ln((m-k) H_k / beta)/eps suffices."""
    cases = 0
    for k in range(1, 30):
        harmonic = sum((Fraction(1, j) for j in range(1, k + 1)), Fraction(0))
        for n in range(-12, 8):
            cases += 1
            w = Fraction(2) ** n
            product_of_hits = math.prod(
                (Fraction(j) / (j + w) for j in range(1, k + 1)), start=Fraction(1)
            )
            expect(1 - product_of_hits <= w * harmonic, f"k = {k}, w = {w}")
    return f"{cases} pairs of k and w"


@supports("ours:utility-laplace", "erratum:utility-constant", method=Method.EXACT)
def laplace_bound_holds_exactly() -> str:
    """The failure probability at alpha is at most (m/2) e^(-eps alpha/2) for Laplace noise."""
    cases = 0
    for m, k, alpha in product((3, 6, 20), (1, 2), (2, 4, 8)):
        two_valued = (alpha,) * k + (0,) * (m - k)
        hit = exact_laplace_set_probability(two_valued, items_of(k), BASE)
        missed = LogLinear(Fraction(1), Fraction(0), BASE) - hit
        limit = LogLinear(Fraction(m, 2) / BASE ** (alpha // 2), Fraction(0), BASE)
        cases += 1
        expect(not (missed - limit).is_positive(), f"m = {m}, k = {k}, alpha = {alpha}")
    return f"{cases} two-valued histograms, exactly in a + b ln 2"


@supports("ours:utility-laplace", method=Method.EXACT)
def laplace_two_levels_are_the_worst() -> str:
    """With Laplace noise no small histogram fails more often than one with two values."""
    cases = 0
    for k, alpha in product((1, 2), (0, 1)):
        two_valued = (alpha,) * k + (0,) * (3 - k)
        hit = exact_laplace_set_probability(two_valued, items_of(k), BASE)
        limit = LogLinear(Fraction(1), Fraction(0), BASE) - hit
        for histogram in product(range(4), repeat=3):
            cases += 1
            failing = LogLinear(Fraction(0), Fraction(0), BASE)
            for chosen, p in exact_laplace_set_law(histogram, k, BASE).items():
                if not is_accurate(histogram, chosen, alpha, k):
                    failing += p
            expect(not (failing - limit).is_positive(), f"{histogram} k = {k}, alpha = {alpha}")
    return f"{cases} histograms, decided exactly"


@supports("ours:utility-gumbel", "ours:utility-laplace", method=Method.EXACT)
def failure_code_agrees_with_exact_laws() -> str:
    """The failure probabilities in doubles agree with the exact laws of two-valued histograms."""
    epsilon = math.log(2)
    for m, k, alpha in product((4, 12), (1, 2), (1, 3, 6)):
        gumbel = failure_probability(NoiseKind.GUMBEL, epsilon, alpha, k, m)
        expect(abs(gumbel / float(_gumbel_failure(m, k, alpha)) - 1) < 1e-12, f"Gumbel {m} {k}")
        two_valued = (alpha,) * k + (0,) * (m - k)
        missed = 1 - float(exact_laplace_set_probability(two_valued, items_of(k), BASE))
        laplace = failure_probability(NoiseKind.LAPLACE, epsilon, alpha, k, m)
        expect(abs(laplace / missed - 1) < 1e-9, f"Laplace {m} {k} {alpha}: {laplace} {missed}")
    return "12 settings, both noises"


@supports("fact:utility", "erratum:utility-constant", method=Method.ARB, is_slow=True)
def quantiles_are_logarithmic() -> str:
    """The exact quantile is at most its closed bound, and both are at most 2 ln(m/beta)/eps."""
    ctx.prec = 100
    cases = 0
    for m, share, beta in product((2, 10, 10**3, 10**6, 2**50), (1, 10, 1000), (0.1, 1e-3, 1e-9)):
        k = min(share, m - 1)
        limit = 2 * (arb(m) / arb(beta)).log()
        for kind in NoiseKind:
            cases += 1
            exact = error_quantile(kind, 1, beta, k, m)
            closed = error_bound(kind, 1, beta, k, m)
            expect(exact <= closed * (1 + 1e-9), f"{kind} m = {m}, k = {k}: {exact} {closed}")
            expect(arb(closed) < limit, f"{kind} m = {m}, k = {k}: {closed} against {limit}")
    figures = [
        round(function(kind, 1, 0.01, 10, 1000), 3)
        for kind in NoiseKind
        for function in (error_bound, error_quantile)
    ]
    expect(figures == [12.578, 12.572, 21.640, 14.269], f"{figures}")
    return f"{cases} settings to m = 2^50; m = 1000, k = 10, beta = 0.01: {figures}"
