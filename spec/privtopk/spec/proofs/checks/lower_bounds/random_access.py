"""Checks of the lower bound with random access only: the paper's theorem and Theorem S1."""

import math
from fractions import Fraction
from functools import cache, partial
from itertools import combinations

from flint import arb

from privtopk.spec.lower_bounds.hard_families import (
    draw_printed_random_access,
    draw_random_access,
    plateau,
)
from privtopk.spec.lower_bounds.theorems import random_access_bound, random_access_sum
from privtopk.spec.model.accuracy import is_accurate
from privtopk.spec.model.errors import Reason
from privtopk.spec.model.tape import every_outcome, seeded_tape
from privtopk.spec.model.values import Item, items_of
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.refusals import expect_refused
from privtopk.spec.proofs.instruments.sizes import pairs_up_to

World = frozenset[Item]
FAILURES = (Fraction(0), Fraction(1, 20), Fraction(1, 3), Fraction(9, 10))


def _worlds(m: int, k: int) -> frozenset[World]:
    """Return every set of k items that may score n."""
    return frozenset(frozenset(high) for high in combinations(items_of(m), k))


def _most_worlds_solved(m: int, k: int, accesses: int) -> int:
    """Return in how many worlds the best adaptive strategy meets all k high items in time.

    A strategy chooses the next item from what it has seen. Random choices do not help.
    """

    @cache
    def most_solved(worlds: frozenset[World], seen: frozenset[Item], left: int) -> int:
        if all(world <= seen for world in worlds):
            return len(worlds)
        if left == 0:
            return sum(world <= seen for world in worlds)
        best = 0
        for item in set(items_of(m)) - seen:
            high = frozenset(world for world in worlds if item in world)
            parts = [part for part in (high, worlds - high) if part]
            best = max(best, sum(most_solved(part, seen | {item}, left - 1) for part in parts))
        return best

    return most_solved(_worlds(m, k), frozenset(), accesses)


@supports("ours:lower-random", method=Method.ENUMERATION)
def best_strategy_meets_all_high_items() -> str:
    """The best strategy meets all high items in q accesses with probability C(q,k)/C(m,k)."""
    games = 0
    for k, m in pairs_up_to(6):
        solved = [_most_worlds_solved(m, k, q) for q in range(m + 1)]
        games += len(solved)
        expect(solved == [math.comb(q, k) for q in range(m + 1)], f"m={m}, k={k}: {solved}")
        cost = sum(1 - Fraction(count, math.comb(m, k)) for count in solved)
        expect(cost == random_access_sum(m, k, 0), f"m={m}, k={k}: {cost}")
    return f"m <= 6: {games} games over all strategies"


@supports("ours:lower-random", method=Method.ENUMERATION)
def only_the_high_items_are_accurate() -> str:
    """On S1's input exactly one set of k items is (n - 1, k)-accurate, for n >= 2."""
    cases = 0
    for m, n in ((1, 2), (3, 2), (4, 5)):
        for k in range(1, m + 1):
            drawn = every_outcome(partial(draw_random_access, m, k, n))
            expect(set(drawn) == {plateau(m, high, n) for high in _worlds(m, k)}, f"m={m}, k={k}")
            expect(len(set(drawn.values())) == 1, f"m={m}, k={k}: the input is not uniform")
            for histogram in drawn:
                cases += 1
                high = frozenset(item for item in items_of(m) if histogram[item - 1] == n)
                accurate = {w for w in _worlds(m, k) if is_accurate(histogram, w, n - 1, k)}
                expect(accurate == {high}, f"{histogram}: {accurate}")
    return f"{cases} inputs"


@supports("ours:lower-random", "thm:lower-random", method=Method.EXACT)
def random_access_costs_half_of_m() -> str:
    """The sum over q of 1 - beta - C(q,k)/C(m,k) is at least m (1 - beta)^2 / 2, for every k."""
    cases = 0
    for k, m in pairs_up_to(40):
        everything = math.comb(m, k)
        expect(
            all(math.comb(q, k) * m <= q * everything for q in range(m + 1)),
            f"m={m}, k={k}: C(q,k)/C(m,k) exceeds q/m",
        )
        for beta in FAILURES:
            cases += 1
            terms = (1 - beta - Fraction(math.comb(q, k), everything) for q in range(m))
            cost = sum((term for term in terms if term > 0), Fraction(0))
            expect(cost == random_access_sum(m, k, beta), f"m={m}, k={k}, beta={beta}")
            expect(cost >= random_access_bound(m, beta), f"m={m}, k={k}, beta={beta}: {cost}")
    expect(
        random_access_sum(40, 1, 0) < 40 * Fraction(11, 20), "the control, 11/20 m, did not fail"
    )
    return f"all k <= m <= 40: {cases:,} sums; for k = 1 they stay below 11/20 m"


@supports("thm:lower-random", method=Method.ARB)
def printed_constants_of_the_random_bound() -> str:
    """e^(-1/4) <= 0.78, (e^24/25^25)^(1/25) <= 0.11, and with beta < 0.1 they sum to below 1."""
    few = ball(Fraction(-1, 4)).exp()
    many = (24 - 25 * arb(25).log()).exp() ** ball(Fraction(1, 25))
    expect(few <= ball(Fraction(78, 100)), f"{few}")
    expect(many <= ball(Fraction(11, 100)), f"{many}")
    expect(Fraction(78, 100) + Fraction(11, 100) + Fraction(1, 10) < 1, "the sum")
    expect(
        few > ball(Fraction(77, 100)) and many > ball(Fraction(10, 100)),
        "the controls 0.77 and 0.10 did not fail",
    )
    return f"{float(few):.4f} + {float(many):.4f} + 0.1 < 1"


def _binomial(n: int, p: Fraction, counts: range) -> Fraction:
    """Return the probability that a binomial count is one of these."""
    high, everything = p.numerator, p.denominator
    weights = (math.comb(n, x) * high**x * (everything - high) ** (n - x) for x in counts)
    return Fraction(sum(weights), everything**n)


@supports("thm:lower-random", method=Method.EXACT)
def printed_events_are_likely() -> str:
    """For 2k <= m, the two failures of the printed input have probability at most 0.78 and 0.11.

    They are fewer than k high items in all, and k or more among m/50 items.
    """
    cases = 0
    for m in (2, 50, 149, 400):
        for k in sorted({1, 2, 5, m // 4, m // 2} & {*range(1, m // 2 + 1)}):
            cases += 1
            p = Fraction(2 * k, m)
            few = _binomial(m, p, range(k))
            many = _binomial(m // 50, p, range(k, m // 50 + 1))
            expect(ball(few) <= ball(Fraction(-1, 4)).exp(), f"m={m}, k={k}: P(fewer than k)")
            expect(many <= Fraction(11, 100), f"m={m}, k={k}: P(k among m/50)")
    return f"{cases} choices of m and k"


@supports("thm:lower-random", method=Method.EXACT)
def printed_input_needs_few_high_items() -> str:
    """The printed input exists for 2k <= m only; S1's exists for every k and bounds the cost."""
    m, k = 10, 6
    expect(not 0 <= Fraction(2 * k, m) <= 1, "2k/m is a probability")
    draw = partial(draw_printed_random_access, m, k, 2, seeded_tape(0))
    expect_refused(draw, Reason.SIZE_OUT_OF_RANGE, "2k > m")
    expect(sum(draw_random_access(m, k, 2, seeded_tape(0))) == 2 * k, "S1's input")
    bound = random_access_bound(m, Fraction(1, 10))
    expect(random_access_sum(m, k, Fraction(1, 10)) >= bound > 0, "S1's bound")
    return f"m = 10, k = 6: 2k/m = 6/5; S1 gives {float(bound):.2f}"
