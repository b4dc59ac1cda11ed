"""Checks of how soon an algorithm can meet a low item: all strategies, and Lemma 5.5."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import z3

from privtopk.spec.laws.hypergeometric import hypergeometric_pmf
from privtopk.spec.lower_bounds.hard_families import (
    HardInstance,
    corrected_low_size,
    draw_printed_both_access,
)
from privtopk.spec.model.tape import seeded_tape
from privtopk.spec.model.values import items_of
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports
from privtopk.spec.proofs.instruments.access_games import (
    all_instances,
    sorted_items,
    with_known_highs,
)
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.lower_constants import ceil_root
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible, rational

LIMIT = Fraction(19, 100)
"""Lemma 5.5's bound on the probability to meet a low item within sqrt(mk)/20 accesses."""


def _most_met(instances: Sequence[HardInstance], accesses: int) -> int:
    """Return in how many instances the best adaptive strategy meets a low item in time.

    A strategy chooses its next access from all answers so far: it cannot distinguish
    instances that have given the same answers. Random choices do not help.
    """
    orders = [sorted_items(each.neighbour) for each in instances]
    doors = (0, *items_of(len(orders[0])))

    @cache
    def most_meetings(alike: frozenset[int], ranks: int, left: int) -> int:
        return max(after(alike, ranks, door, left) for door in doors) if left else 0

    def after(alike: frozenset[int], ranks: int, door: int, left: int) -> int:
        """Return how many instances meet a low item after a random access, or sorted for door 0."""
        found, answers = 0, dict[tuple[int, int], set[int]]()
        for index in alike:
            item = door or orders[index][ranks]
            score = instances[index].neighbour[item - 1]
            if item in instances[index].low:
                found += 1
            else:
                answers.setdefault((item, score), set()).add(index)
        ranks += door == 0
        return found + sum(
            most_meetings(frozenset(same), ranks, left - 1) for same in answers.values()
        )

    return most_meetings(frozenset(range(len(instances))), 0, accesses)


def _skipping_bound(s: int, a: int, t: int) -> Fraction:
    """Return t a / (s - a - t + 2), which bounds P(a low item is met in t <= s - a accesses).

    Given the answers so far, the high and the low items are uniform among the items that are
    still possible. A random access to an item after the last one delivered meets a low item
    with probability at most a / (m - t + 1). A sorted access skips at most a / (H + 1) low
    items on average, where H >= s - a - t + 1 high items have not been read.
    """
    return Fraction(t * a, s - a - t + 2)


@supports("ours:certificate", "lem:lower-e1", "erratum:nine-eta", method=Method.ENUMERATION)
def best_strategy_meets_low_items() -> str:
    """In t <= |S_H| accesses a low item is met with probability at most 1 - C(M-t,a)/C(M,a).

    The bound is attained if S_H is known. The bound by skipping holds as well.
    """
    games = 0
    for m, s, a in ((4, 3, 1), (5, 3, 1), (5, 4, 2), (6, 4, 1), (6, 4, 2), (6, 6, 3)):
        instances, hidden = all_instances(m, s, a), m - s + a
        known_highs = with_known_highs(instances)
        for t in range(min(s - a, hidden) + 1):
            games += 1
            chance = 1 - hypergeometric_pmf(hidden, a, t, 0)
            best = Fraction(_most_met(instances, t), len(instances))
            where = f"m={m}, s={s}, a={a}, t={t}"
            expect(best <= chance, f"{where}: {best} > {chance}")
            expect(best <= _skipping_bound(s, a, t), f"{where}: {best} by skipping")
            informed = Fraction(_most_met(known_highs, t), len(known_highs))
            expect(informed == chance, f"{where}: {informed} with S_H known")
        certain = _most_met(instances, s - a + 1)
        expect(certain == len(instances), "the control, one access more, did not fail")
    return f"m <= 6: {games} games over all strategies"


@refutes("lem:lower-e1", method=Method.ENUMERATION)
def one_sorted_access_meets_the_low_set() -> str:
    """For k = 1 a low item is met within sqrt(mk)/20 accesses with probability 1 > 0.19."""
    m, k = 400, 1
    accesses = math.isqrt(m * k) // 20
    draws = [draw_printed_both_access(m, k, 3, seeded_tape(seed)) for seed in range(20)]
    met = [
        any(item in each.low for item in sorted_items(each.neighbour)[:accesses]) for each in draws
    ]
    expect(accesses == 1 and all(not each.high for each in draws), "S_H is not empty")
    expect(Fraction(sum(met), len(met)) > LIMIT and all(met), f"met in {sum(met)} draws")
    small = all_instances(5, 2, 2)
    expect(_most_met(small, 1) == len(small), "not certain on all small inputs")
    return "m = 400, k = 1: one access, S_H is empty, and S_L is met in every draw"


def _meeting_bound(m: int, s: int, a: int, t: int) -> Fraction:
    """Return the smaller of two bounds on the probability to meet a low item in t accesses."""
    hidden = m - s + a
    known_highs = Fraction(t * a, hidden - t + 1) if t <= hidden else Fraction(1)
    return min(known_highs, _skipping_bound(s, a, t))


@supports("lem:lower-e1", "erratum:low-set-size", method=Method.EXACT)
def low_items_are_met_late() -> str:
    """Within sqrt(mk)/20 accesses a low item is met with probability at most 0.19, for every k.

    With |S_L| = ceil(|S|/2k) for k >= 1, with ceil(|S|/k) for k >= 2.
    """
    cases, largest = 0, Fraction(0)
    domains = {m: range(-(-400 // m), m + 1) for m in (20, 37, 99, 400, 1001)}
    domains |= {10**6: range(1, 10**6 + 1, 33_333), 10**9: range(1, 10**9, 111_111_111)}
    for m, ks in domains.items():
        for k in ks:
            s, t = ceil_root(m * k), math.isqrt(m * k) // 20
            for a in {corrected_low_size(s, k)} | ({-(-s // k)} if k > 1 else set()):
                cases += 1
                chance = _meeting_bound(m, s, a, t)
                expect(t <= s - a and chance <= LIMIT, f"m={m}, k={k}, a={a}: {chance}")
                largest = max(largest, chance)
    return f"{cases:,} choices of m and k up to 10^9, at most {float(largest):.3f}"


@supports("lem:lower-e1", "erratum:low-set-size", method=Method.Z3)
def low_items_are_met_late_for_all_sizes() -> str:
    """One of the two bounds is at most 0.19 for all m and k, with both sizes of S_L.

    tau = sqrt(mk), |S| = s is at most 1 above it, a is at most 1 above s/(2k), or s/k for k >= 2,
    and there are t <= tau/20 accesses. For tau < 20 there is none.
    """
    m, k, tau, s, a, t = z3.Reals("m k tau s a t")
    sizes = [m >= k, tau >= 20, tau * tau == m * k, s >= tau, s <= tau + 1, a >= 1]
    sizes += [t >= 0, 20 * t <= tau]

    def is_early(limit: Fraction) -> z3.BoolRef:
        informed, skipping = (m - s + a - t + 1), (s - a - t + 2)
        share = rational(limit)
        return z3.And(t * a > share * informed, t * a > share * skipping)

    for least, share in ((1, 2), (2, 1)):
        facts = [*sizes, k >= least, share * a * k >= s, share * (a - 1) * k <= s]
        expect_impossible(facts, is_early(LIMIT))
        expect_impossible(facts, t > s - a)
        expect_possible(facts, is_early(Fraction(1, 10)))
    return "for all real sizes; a tenth instead of 0.19 fails"


@supports("lem:lower-e1", method=Method.ARB)
def printed_constants_of_the_lemma() -> str:
    """exp(-(1/10)/(1 - 21/40)) >= 0.81, and 1 - x >= e^(-2x) up to 3/4, as printed."""
    missed = ball(Fraction(-1, 10) / (1 - Fraction(21, 40))).exp()
    expect(missed >= ball(1 - LIMIT), f"{missed}")
    expect(missed < ball(Fraction(811, 1000)), "the control 0.811 did not fail")
    # ln(1-x) + 2x is concave and 0 at 0, so the other end decides.
    expect(ball(Fraction(1, 4)) >= ball(Fraction(-3, 2)).exp(), "at x = 3/4")
    report = ball(-1).exp() * (ball(Fraction(95, 100)) - ball(-1).exp())
    expect(report >= ball(Fraction(21, 100)), f"e^-1 (0.95 - 1/e) = {report}")
    return f"{float(missed):.4f} >= 0.81 and {float(report):.4f} >= 0.21"


def _condition_holds(m: Fraction, k: int, tau: Fraction) -> bool:
    """Decide tau/k <= 3/4 (m - (k-1) tau/k - eta) with eta = tau/20."""
    return tau / k <= Fraction(3, 4) * (m - (k - 1) * tau / k - tau / 20)


def _reduced_line_holds(m: Fraction, k: int, tau: Fraction, extra: Fraction) -> bool:
    """Decide tau (3/4 + 1/(4k) + extra) <= 3m/4."""
    return tau * (Fraction(3, 4) + Fraction(1, 4 * k) + extra) <= Fraction(3, 4) * m


@refutes("erratum:three-eightieths", method=Method.EXACT)
def three_fortieths_is_not_equivalent() -> str:
    """The condition of Lemma 5.5's proof may hold where the line printed below it does not."""
    m, k, tau = Fraction(140), 1, Fraction(100)
    expect(_condition_holds(m, k, tau), "the condition fails at the witness")
    expect(
        not _reduced_line_holds(m, k, tau, Fraction(3, 40)), "the printed line holds at the witness"
    )
    return "m = 140, k = 1, tau = 100: 100 <= 101.25, but not 107.5 <= 105"


@supports("erratum:three-eightieths", method=Method.Z3)
def three_eightieths_is_equivalent() -> str:
    """With 3/80 the two lines are equivalent for all reals, and the printed one is sufficient."""
    m, tau, share = z3.Reals("m tau share")
    # share stands for 1/k.
    condition = tau * share <= (m - (1 - share) * tau - tau / 20) * 3 / 4
    reduced = [
        tau * (rational(Fraction(3, 4)) + share / 4 + rational(extra)) <= 3 * m / 4
        for extra in (Fraction(3, 80), Fraction(3, 40))
    ]
    facts = [tau > 0, share > 0, share <= 1]
    expect_impossible(facts, z3.Xor(condition, reduced[0]))
    expect_impossible(facts, z3.And(reduced[1], z3.Not(condition)))
    expect_possible(facts, z3.And(condition, z3.Not(reduced[1])))
    return "real m, tau and 1/k"
