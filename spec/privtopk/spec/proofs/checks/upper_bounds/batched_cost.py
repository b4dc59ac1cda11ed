"""Checks of the candidates of the two-phase algorithm, and of its cost if both doors cost 1."""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import sympy

from privtopk.spec.algorithms.batched import fixed_prefix, two_phase
from privtopk.spec.laws.hypergeometric import negative_hypergeometric_tail
from privtopk.spec.model.access import StoredList
from privtopk.spec.model.values import Histogram
from privtopk.spec.noise.distributions import Gumbel
from privtopk.spec.noise.field import ServedNoise
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.sizes import pairs_up_to
from privtopk.spec.proofs.instruments.small_tables import NOISE_GAPS, SCORE_GAPS, descending_lists
from privtopk.spec.upper_bounds.batched import (
    default_prefix,
    early_candidates_bound,
    expected_candidates_bound,
    optimal_prefix,
    two_phase_cost_bound,
)


def _candidates(scores: Histogram, noises: tuple[int, ...], k: int, r: int) -> int:
    """Return how many random accesses the real algorithm makes after a prefix of r items."""
    source, field = StoredList(scores), ServedNoise(noises, Gumbel(1.0))
    return two_phase(source, field, k, fixed_prefix(r)).candidates


@supports("ours:batched-candidates", method=Method.ENUMERATION)
def flat_scores_give_the_negative_hypergeometric_law() -> str:
    """If the top scores are equal, N is negative hypergeometric with mean (m - r) k / (r + 1).

    Given the noise values, all orders of them are equally likely, whatever the law is.
    """
    orders = {m: list(permutations(range(m))) for m in range(1, 6)}
    for m, noises in orders.items():
        for k, r in pairs_up_to(m):
            # Beyond the prefix the scores do not matter, as long as they are no larger.
            scores = (2,) * r + (0,) * (m - r)
            counts = Counter(_candidates(scores, order, k, r) for order in noises)
            mean = Fraction(sum(n * count for n, count in counts.items()), len(noises))
            expect(mean == expected_candidates_bound(m, k, r), f"m={m}, k={k}, r={r}: {mean}")
            for n in range(m + 1):
                tail = Fraction(sum(counts[x] for x in counts if x >= n), len(noises))
                expect(tail == negative_hypergeometric_tail(m, r, k, n), f"m={m}, k={k}, r={r}")
    return "all orders for m <= 5 and all k <= r"


@supports("ours:batched-candidates", method=Method.ENUMERATION, is_slow=True)
def flat_scores_are_the_worst() -> str:
    """For every histogram and every order of the noise, equal scores give the largest N."""
    cases, fewer = 0, 0
    for m in (3, 4):
        for k, r in pairs_up_to(m):
            for values in descending_lists(m, NOISE_GAPS):
                for noises in permutations(values):
                    flat = _candidates((0,) * m, noises, k, r)
                    for prefix in descending_lists(r, SCORE_GAPS):
                        # Only the scores of the prefix are read before phase two.
                        scores = (*prefix, *(0 for _ in range(m - r)))
                        cases += 1
                        found = _candidates(scores, noises, k, r)
                        expect(found <= flat, f"{scores} {noises} k={k}, r={r}: {found} > {flat}")
                        fewer += found < flat
    expect(fewer > 0, "the control, the same N for every histogram, did not fail")
    return f"m = 3, 4: {cases:,} runs, {fewer:,} with fewer candidates"


@supports("ours:batched-candidates", method=Method.EXACT)
def mean_candidates_in_closed_form() -> str:
    """The tails of N sum to (m - r) k / (r + 1), and k / (r + 1) is the mean of a Beta variable."""
    for m in range(1, 19):
        for k, r in pairs_up_to(m):
            tails = (negative_hypergeometric_tail(m, r, k, n) for n in range(1, m - r + 1))
            mean = sum(tails, Fraction(0))
            expect(mean == expected_candidates_bound(m, k, r), f"m={m}, k={k}, r={r}: {mean}")
            expect(mean == (m - r) * _mean_order_statistic(r, k), f"m={m}, k={k}, r={r}: Beta")
    return "all k <= r <= m <= 18"


def _mean_order_statistic(r: int, k: int) -> Fraction:
    """Return E[1 - U] for the k-th largest U of r uniforms, by integrating its density."""
    ways = math.factorial(r) // (math.factorial(k - 1) * math.factorial(r - k))
    terms = (Fraction((-1) ** j * math.comb(r - k, j), k + 1 + j) for j in range(r - k + 1))
    return ways * sum(terms, Fraction(0))


@supports("ours:batched-cost", method=Method.EXACT)
def both_prefixes_keep_their_bounds() -> str:
    """r = ceil(sqrt(mk)) costs at most 2 sqrt(mk), the best r at most sqrt(4k(m+1)+1) - (k+1)."""
    control_failures = _expect_costs(range(1, 200))
    expect(control_failures > 0, "the control, sqrt(4k(m+1)) - (k+1), did not fail")
    return f"all k <= m < 200, by squaring; without the + 1 it fails {control_failures:,} times"


@supports("ours:batched-cost", method=Method.EXACT, is_slow=True)
def both_prefixes_keep_their_bounds_larger() -> str:
    """Both prefixes keep their bounds for 200 <= m < 400 as well."""
    _expect_costs(range(200, 400))
    return "all k <= m, 200 <= m < 400, by squaring"


def _expect_costs(sizes: range) -> int:
    """Decide both bounds by squaring; return how often the best cost needs the + 1."""
    control_failures = 0
    for m in sizes:
        for k in range(1, m + 1):
            r, best = default_prefix(m, k), optimal_prefix(m, k)
            expect(k <= r <= m and k <= best <= m, f"m={m}, k={k}: prefixes {r} and {best}")
            expect(two_phase_cost_bound(m, k, r) ** 2 <= 4 * m * k, f"m={m}, k={k}, r={r}")
            square = (two_phase_cost_bound(m, k, best) + k + 1) ** 2
            expect(square <= 4 * k * (m + 1) + 1, f"m={m}, k={k}: best {best}")
            control_failures += square > 4 * k * (m + 1)
    return control_failures


@supports("ours:batched-cost", method=Method.EXACT)
def best_prefix_is_the_best() -> str:
    """No other prefix has a smaller expected cost, and the cost is the formula of the proof."""
    for k, m in pairs_up_to(30):
        costs = {r: two_phase_cost_bound(m, k, r) for r in range(m + 1)}
        formula = all(
            costs[r] == r + 1 + Fraction(k * (m + 1), r + 1) - (k + 1) for r in range(k, m + 1)
        )
        expect(formula, f"m={m}, k={k}: another cost")
        best = optimal_prefix(m, k)
        expect(k <= best <= m and costs[best] == min(costs.values()), f"m={m}, k={k}: {best}")
        expect(all(costs[r] > costs[best] for r in range(best + 1, m + 1)), f"m={m}, k={k}")
    return "all prefixes for k <= m <= 30"


@supports("ours:early-noise", method=Method.EXACT)
def early_noise_costs_little() -> str:
    """E[max(0, n/m - U)], U the k-th smallest of r uniforms, times m is at most the bound.

    The bound only drops small terms: half of it is exceeded.
    """
    cases, halved = 0, 0
    for m in (7, 16, 24):
        for k, r in pairs_up_to(m):
            for opened in {1, r // 4, r // 2, r} - {0}:
                level = Fraction(opened, m)
                extra = m * _mean_shortfall(r, k, level)
                bound = early_candidates_bound(m, k, r, opened)
                expect(
                    extra <= bound * (1 + 1e-12),
                    f"m={m}, k={k}, r={r}, opened={opened}: {float(extra)} > {bound}",
                )
                cases += 1
                halved += 2 * extra > bound
    expect(halved > 0, "the control, half of the bound, was not exceeded")
    return f"{cases:,} cases; half of the bound is exceeded in {halved}"


def _mean_shortfall(r: int, k: int, level: Fraction) -> Fraction:
    """Return E[max(0, level - U)] for the k-th smallest U of r uniforms: its law, integrated."""
    total = Fraction(0)
    for j in range(k, r + 1):
        # The integral of C(r, j) x^j (1 - x)^(r - j) from 0 to the level.
        terms = (
            Fraction((-1) ** i * math.comb(r - j, i), j + i + 1) * level ** (j + i + 1)
            for i in range(r - j + 1)
        )
        total += math.comb(r, j) * sum(terms, Fraction(0))
    return total


@supports("ours:batched-cost", method=Method.SYMBOLIC)
def costs_are_bounded_for_every_m() -> str:
    """Both bounds hold for all m and k.

    With x = r + 1 and y = sqrt(mk) the cost is convex in x. From x = y + 1 to y + 2 it stays
    below 2y. At the best x it is at most sqrt(4A + 1) - (k + 1), where A = k (m + 1).
    """
    y, k, x, area = sympy.symbols("y k x A", positive=True)
    cost = x + (y**2 + k) / x - (k + 1)
    expect(sympy.simplify(sympy.diff(cost, x, 2) - 2 * (y**2 + k) / x**3) == 0, "not convex")
    left = 2 * y - cost.subs(x, y + 1)
    expect(sympy.simplify(left - (k + 1) * y / (y + 1)) == 0, "the left end")
    right = 2 * y - cost.subs(x, y + 2)
    expect(sympy.simplify(right - ((k + 1) - (k + 4) / (y + 2))) == 0, "the right end")
    # With y = k + d and k = 1 + e, e and d not negative, the right end is a sum of such terms.
    e, d = sympy.symbols("e d", nonnegative=True)
    numerator = sympy.expand(((k + 1) * (y + 2) - (k + 4)).subs(y, k + d).subs(k, 1 + e))
    expect(all(c > 0 for c in sympy.Poly(numerator, e, d).coeffs()), f"{numerator}")
    # x (x - 1) <= A <= x (x + 1) says that x - A/x lies between -1 and 1.
    square = (x + area / x) ** 2 - (x - area / x) ** 2
    expect(sympy.simplify(square - 4 * area) == 0, "(x + A/x)^2 is not 4A + (x - A/x)^2")
    return "with symbolic m and k"
