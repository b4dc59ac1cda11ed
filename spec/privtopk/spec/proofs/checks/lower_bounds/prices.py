"""Checks of the lower bound with both accesses when the two doors cost different amounts."""

from fractions import Fraction
from itertools import product

import z3
from flint import arb

from privtopk.spec.lower_bounds.hard_families import corrected_low_size
from privtopk.spec.lower_bounds.theorems import unequal_price_lower_bound
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.lower_constants import HIT, MEETING_RATE, SHARE, ceil_root
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible, rational


def _certified_price(m: int, k: int, sorted_cost: Fraction, random_cost: Fraction) -> arb:
    """Return what S3's argument certifies for these prices, with epsilon = 1, delta = 0.05.

    A budget c buys at most c / c_s sorted and c / c_r random accesses. As long as the sorted
    ones stay within S_H, a low item is met with probability at most 1 - C(M-n, a) / C(M, a).
    """
    s = ceil_root(m * k * random_cost / sorted_cost)
    a = corrected_low_size(s, k)
    hidden = m - s + a
    hit = ball(-1).exp() * (1 - ball(Fraction(-a * k, s)).exp() - ball(Fraction(1, 20)))
    free = sorted_cost * (s - a + 1)
    missed, bound, n = ball(1), ball(0), 0
    while n * random_cost < free and n < hidden and hit + missed > 1:
        width = min((n + 1) * random_cost, free) - n * random_cost
        bound += ball(width) * (hit + missed - 1)
        missed *= ball(Fraction(hidden - n - a, hidden - n))
        n += 1
    return bound


def _price_ratio_window(m: int, k: int) -> tuple[Fraction, Fraction]:
    """Return the smallest and largest ratio of prices for which S3's argument works directly."""
    return Fraction(10**4 * k, m), Fraction(m, 10**4 * k)


@supports("ours:unequal-costs-lower", method=Method.ARB)
def priced_argument_on_a_grid() -> str:
    """Inside the window S3's argument certifies at least 0.0152 sqrt(mk c_s c_r)."""
    cases = 0
    for m, k in ((10**4, 1), (3 * 10**4, 1), (10**5, 1), (10**5, 7), (4 * 10**5, 12)):
        low, high = _price_ratio_window(m, k)
        for ratio in sorted({low, (3 * low + 1) / 4, Fraction(1), (1 + high) / 2, high}):
            cases += 1
            bound = _certified_price(m, k, Fraction(1), ratio)
            wanted = ball(SHARE) * ball(m * k * ratio).sqrt()
            expect(bound >= wanted, f"m={m}, k={k}, ratio={ratio}: {bound} < {wanted}")
    return f"{cases} choices of m, k and prices, including both ends of the window"


@supports("ours:unequal-costs-lower", method=Method.EXACT)
def priced_cases_reach_the_share() -> str:
    """For few items, for an expensive door and in the window, 10^-4 of the minimum is reached."""
    cases = 0
    share = Fraction(1, 10**4)
    for m, k in ((1, 1), (50, 3), (9999, 1), (10**4, 1), (10**5, 2), (10**9, 40)):
        for sorted_cost, random_cost in product(
            (Fraction(1, 10**7), Fraction(1), Fraction(30)), repeat=2
        ):
            cases += 1
            square = min(m * sorted_cost, m * random_cost) ** 2
            least = min(square, m * k * sorted_cost * random_cost)
            claimed = share**2 * least
            reached = _certified_square(m, k, sorted_cost, random_cost)
            expect(reached >= claimed, f"m={m}, k={k}: prices {sorted_cost}, {random_cost}")
            stated = unequal_price_lower_bound(m, k, sorted_cost, random_cost, 1, 0.05, 0)
            expect(
                abs(ball(Fraction(stated)) ** 2 - ball(claimed)) <= ball(claimed) / 10**12, "float"
            )
    return f"{cases} choices of m, k and prices"


def _certified_square(m: int, k: int, sorted_cost: Fraction, random_cost: Fraction) -> Fraction:
    """Return the square of what the proof certifies, case by case."""
    if m < 10**4 * k:
        return (k * min(sorted_cost, random_cost)) ** 2
    low, high = _price_ratio_window(m, k)
    # A price beyond the window is lowered to the end of it. With a lower price no run costs more.
    random_cost = min(random_cost, sorted_cost * high)
    sorted_cost = min(sorted_cost, random_cost / low)
    expect(low <= random_cost / sorted_cost <= high, "the lowered prices miss the window")
    return SHARE**2 * m * k * sorted_cost * random_cost


@supports("ours:unequal-costs-lower", method=Method.Z3)
def priced_constants_follow() -> str:
    """With 100k <= tau <= m/100 a budget c K meets a low item with probability at most 0.5231 c.

    K = sqrt(mk c_s c_r) buys tau sorted or mk/tau random accesses; b stands for a k.
    """
    tau, k, m, s, b, c = z3.Reals("tau k m s b c")
    facts = [k >= 1, tau >= 100 * k, m >= 100 * tau, tau <= s, s <= tau + 1, b <= s / 2 + k]
    facts += [c >= 0, c <= rational(HIT / MEETING_RATE)]
    # c tau sorted accesses stay within S_H: s - a >= (s - 1) / 2.
    expect_impossible(facts, c * tau > (s - 1) / 2)
    # c mk/tau <= c m/100 random ones leave M - n + 1 >= m - s - c m/100 items, and
    # n a / (M - n + 1) = c m b / (tau (M - n + 1)).
    left = m - s - c * m / 100
    expect_impossible(facts, m * b > rational(MEETING_RATE) * tau * left)
    expect_possible(facts, m * b > rational(Fraction(51, 100)) * tau * left)
    expect(HIT**2 / (2 * MEETING_RATE) >= SHARE >= Fraction(1, 100), "the integral of the rest")
    return "real m, k and tau; with 0.51 for 0.5231 there is a counterexample"
