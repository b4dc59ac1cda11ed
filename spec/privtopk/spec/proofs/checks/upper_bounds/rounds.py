"""Checks of the number of rounds: its law, Theorem U and the bounds of the expected cost."""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import z3

from privtopk.spec.algorithms.one_shot import select_with
from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.algorithms.threshold import ThresholdRun, meeting_round
from privtopk.spec.model.access import StoredList, sorted_entries
from privtopk.spec.model.values import Histogram, Item, items_of
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.sizes import pairs_up_to
from privtopk.spec.proofs.instruments.small_tables import tables
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible, rational
from privtopk.spec.upper_bounds.access import (
    expected_rounds_exact,
    rounds_law,
    rounds_tail,
)
from privtopk.spec.upper_bounds.stopping_box import (
    expected_area,
    is_in_last_box,
    joining_time,
    points_before,
    stopping_law,
    with_point_at,
)


def _run(scores: Histogram, noises: tuple[int, ...], k: int) -> ThresholdRun:
    return private_threshold(StoredList(scores), StoredList(noises), k)


def _order(values: tuple[int, ...]) -> list[Item]:
    return [entry.item for entry in sorted_entries(values)]


@supports("ours:rounds-law", method=Method.ENUMERATION)
def meeting_round_has_the_law() -> str:
    """Over all orders of the noise, T has exactly the hypergeometric law of the formula."""
    for k, m in pairs_up_to(6):
        counts = Counter(
            meeting_round(items_of(m), order, k) for order in permutations(items_of(m))
        )
        law = {r: Fraction(count, math.factorial(m)) for r, count in counts.items()}
        expect(law == rounds_law(m, k), f"m={m}, k={k}: {law}")
        for r in range(m + 1):
            tail = sum((p for rounds, p in law.items() if rounds > r), Fraction(0))
            expect(tail == rounds_tail(m, k, r), f"m={m}, k={k}, r={r}: {tail}")
    return "all permutations for m <= 6"


@supports(
    "ours:rounds-law",
    "ours:theorem-u",
    "erratum:threshold-edge-cases",
    method=Method.ENUMERATION,
    is_slow=True,
)
def rounds_end_when_the_lists_meet() -> str:
    """For all scores the algorithm stops at or before round T <= m, and sometimes before."""
    cases, earlier = 0, 0
    for scores, noises in tables(4):
        by_score, by_noise = _order(scores), _order(noises)
        for k in range(1, 5):
            cases += 1
            latest = meeting_round(by_score, by_noise, k)
            rounds = _run(scores, noises, k).rounds
            expect(rounds <= latest <= 4, f"{scores} {noises} k={k}: {rounds} rounds")
            earlier += rounds < latest
    expect(earlier > 0, "the control, R = T always, did not fail")
    return f"m = 4: {cases:,} runs, {earlier:,} of them shorter than T"


@supports("ours:theorem-u", method=Method.EXACT)
def squares_of_rounds_stay_below_mk() -> str:
    """E[T(T-1)] <= mk, hence E[T] <= 1/2 + sqrt(mk + 1/4), decided in rationals."""
    control_failures = 0
    for k, m in pairs_up_to(36):
        law = rounds_law(m, k)
        mean = sum((r * p for r, p in law.items()), Fraction(0))
        product = sum((r * (r - 1) * p for r, p in law.items()), Fraction(0))
        expect(mean == expected_rounds_exact(m, k), f"m={m}, k={k}: two means")
        expect(product <= m * k, f"m={m}, k={k}: E[T(T-1)] = {product}")
        expect((mean - Fraction(1, 2)) ** 2 <= m * k + Fraction(1, 4), f"m={m}, k={k}: {mean}")
        control_failures += product + mean > m * k
    expect(control_failures > 0, "the control, E[T^2] <= mk, did not fail")
    return f"all k <= m <= 36; E[T^2] exceeds mk in {control_failures} cases"


@supports("ours:theorem-u", method=Method.ENUMERATION)
def exchanges_bound_the_area() -> str:
    """Exchanges add no earlier point and are m to 1, and the last box has k points: E[area] <= mk.

    The cells of the T by T-1 box are in the last box, so E[T(T-1)] <= mk.
    """
    exchanges, fewer = 0, 0
    for m in range(1, 6):
        orders = list(permutations(range(1, m + 1)))
        cells = list(product(range(1, m + 1), range(1, m + 1)))
        for cell in cells:
            sources = Counter(with_point_at(order, *cell) for order in orders)
            meant = {order for order in orders if order[cell[0] - 1] == cell[1]}
            expect(sources == dict.fromkeys(meant, m), f"m={m}, {cell}: not m to 1")
            for order in orders:
                exchanges += 1
                time = joining_time(*cell)
                before = points_before(order, time)
                after = points_before(with_point_at(order, *cell), time)
                expect(after <= before, f"{order}, {cell}: {after} > {before} earlier points")
                fewer += after < before
        for k in range(1, m + 1):
            _expect_area(orders, cells, k)
    expect(fewer > 0, "the control, an equal number of earlier points, never failed")
    return f"all permutations and cells for m <= 5: {exchanges:,} exchanges"


def _expect_area(orders: list[tuple[int, ...]], cells: list[tuple[int, int]], k: int) -> None:
    """Expect k points in each last box, all cells of the T by T-1 box, and the mean area."""
    m, total = len(orders[0]), 0
    for order in orders:
        inside = {cell for cell in cells if is_in_last_box(order, k, *cell)}
        total += len(inside)
        expect(sum(order[x - 1] == y for x, y in inside) == k, f"{order}, k={k}: not k points")
        latest = meeting_round(items_of(m), [Item(place) for place in _inverse(order)], k)
        box = product(range(1, latest + 1), range(1, latest))
        expect(inside.issuperset(box), f"{order}, k={k}: a cell before round {latest} is missing")
    area = Fraction(total, len(orders))
    expect(area == expected_area(m, k) <= m * k, f"m={m}, k={k}: E[area] = {area}")


def _inverse(order: tuple[int, ...]) -> list[int]:
    """Return the row of each column's point."""
    return [order.index(column) + 1 for column in range(1, len(order) + 1)]


@supports("ours:theorem-u", method=Method.EXACT)
def area_is_at_most_mk() -> str:
    """The mean area at the stop is at most mk, by its law and by the sum over half-steps."""
    for k, m in pairs_up_to(16):
        expect(sum(stopping_law(m, k).values()) == 1, f"m={m}, k={k}: the box need not stop")
        area = expected_area(m, k)
        expect(area <= m * k, f"m={m}, k={k}: E[area] = {area}")
        by_law = sum(p * (step.area + step.length) for step, p in stopping_law(m, k).items())
        expect(by_law == area, f"m={m}, k={k}: E[area] is {by_law} by the law of the last step")
    return "all k <= m <= 16, every half-step"


@supports("ours:theorem-u", method=Method.ENUMERATION)
def mean_rounds_of_real_runs() -> str:
    """The mean of R over all orders of the noise obeys Theorem U for every small histogram."""
    runs: dict[tuple[Histogram, frozenset[int], int], list[int]] = {}
    for scores, noises in tables(3):
        for k in range(1, 4):
            key = (scores, frozenset(noises), k)
            runs.setdefault(key, []).append(_run(scores, noises, k).rounds)
    for (scores, noise_values, k), rounds in runs.items():
        expect(len(rounds) == 6, "an order of the noise is missing")
        mean = Fraction(sum(rounds), 6)
        expect(
            mean <= expected_rounds_exact(3, k), f"{scores} {sorted(noise_values)} k={k}: {mean}"
        )
        expect((2 * mean - 1) ** 2 <= 12 * k + 1, f"{scores} {sorted(noise_values)} k={k}: {mean}")
    return f"m = 3: {len(runs)} choices of scores, noise values and k, 6 orders each"


@supports("thm:access-cost", method=Method.ARB)
def paper_bound_holds_exactly() -> str:
    """With two accesses per round the mean cost is at most 2 (sqrt(mk) + sqrt(m/2))."""
    tightest = ball(0)
    for k, m in pairs_up_to(36):
        bound = 2 * (ball(m * k).sqrt() + ball(Fraction(m, 2)).sqrt())
        ratio = ball(2 * expected_rounds_exact(m, k)) / bound
        expect(ratio <= 1, f"m={m}, k={k}: {ratio} of the bound")
        tightest = tightest.max(ratio)
    expect(3 * tightest > 2, "the control, three accesses per round, did not fail")
    return f"all k <= m <= 36, at most {float(tightest):.3f} of the bound"


@supports("thm:access-cost", "cor:exponential-mechanism", method=Method.Z3)
def theorem_u_implies_the_paper_bound() -> str:
    """1 + sqrt(4mk + 1) is below 2 sqrt(mk) + 5/4 and below the paper's bound for all m, k >= 1."""
    y, root, half = z3.Reals("y root half")
    facts = [y >= 1, root >= 0, root * root == 4 * y * y + 1, half > 0, 2 * half * half >= 1]
    expect_impossible(facts, 1 + root >= 2 * y + rational(Fraction(5, 4)))
    expect_impossible(facts, 1 + root > 2 * (y + half))
    # The exponential mechanism: k = 1 and y = sqrt(m).
    expect_impossible(facts, 1 + root > rational(Fraction(13, 4)) * y)
    expect_possible(facts, 1 + root >= 2 * y + rational(Fraction(6, 5)))
    return "real y = sqrt(mk) >= 1; with 6/5 for 5/4 there is a counterexample"


@supports("cor:exponential-mechanism", method=Method.ENUMERATION)
def one_item_costs_the_square_root() -> str:
    """With k = 1 Algorithm 3 returns the noisy maximum, and E[cost] <= 1 + sqrt(4m + 1)."""
    cases = 0
    for scores, noises in tables(4):
        cases += 1
        expected = frozenset(select_with(scores, noises, 1))
        expect(_run(scores, noises, 1).items == expected, f"{scores} {noises}")
    for m in range(1, 121):
        mean = expected_rounds_exact(m, 1)
        expect((2 * mean - 1) ** 2 <= 4 * m + 1, f"m={m}: {mean} rounds")
    expect(
        (2 * expected_rounds_exact(120, 1) - 1) ** 2 > 2 * 120,
        "the control, 1 + sqrt(2m), did not fail",
    )
    return f"m = 4: {cases:,} runs; the mean exactly for m <= 120"


@supports("erratum:high-probability", method=Method.EXACT)
def expected_cost_is_no_random_variable() -> str:
    """The cost takes several values, some above the bound; its mean is below the bound."""
    for m, k in ((6, 1), (12, 2), (30, 3)):
        law = rounds_law(m, k)
        mean = 2 * expected_rounds_exact(m, k)
        expect(len(law) >= 2, f"m={m}, k={k}: T is constant")
        expect(mean == sum(2 * r * p for r, p in law.items()), f"m={m}, k={k}: two means")
        bound = 1 + ball(4 * m * k + 1).sqrt()
        above = sum((p for r, p in law.items() if bound < 2 * r), Fraction(0))
        expect(0 < above < 1 and ball(mean) <= bound, f"m={m}, k={k}: {above} above the bound")
    return "T has several values for m = 6, 12, 30, and one mean"
