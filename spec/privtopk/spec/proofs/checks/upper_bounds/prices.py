"""Checks of the two-phase algorithm when the two doors cost different amounts."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import z3

from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.solver import decide, rational
from privtopk.spec.upper_bounds.batched import (
    balanced_prefix,
    cheapest_price_bound,
    closed_price_bound,
    has_balanced_prefix,
    two_phase_price_bound,
)

PRICES = tuple(Fraction(*pair) for pair in ((1, 50), (1, 3), (1, 1), (7, 5), (9, 1), (200, 1)))

PRICE_PAIRS = tuple(product(PRICES, PRICES))


def _grid() -> Iterator[tuple[int, int, Fraction, Fraction]]:
    """Yield m, k and the prices of a sorted and a random access."""
    for m in (1, 2, 3, 7, 20, 60):
        for k in sorted({1, 2, 3, m // 2, m - 1, m} & {*range(1, m + 1)}):
            yield from (
                (m, k, sorted_cost, random_cost) for sorted_cost, random_cost in PRICE_PAIRS
            )


def _closed_square(m: int, k: int, sorted_cost: Fraction, random_cost: Fraction) -> Fraction:
    """Return (bound + c_s + k c_r)^2 for the closed bound."""
    return 4 * k * (m + 1) * sorted_cost * random_cost + sorted_cost**2


@supports("ours:unequal-costs", method=Method.EXACT)
def balanced_prefix_keeps_its_bound() -> str:
    """If the balanced prefix lies between k and m, the best price is at most the closed bound."""
    cases, broken = 0, 0
    for m, k, sorted_cost, random_cost in _grid():
        price = cheapest_price_bound(m, k, sorted_cost, random_cost)
        square = (price + sorted_cost + k * random_cost) ** 2
        keeps = square <= _closed_square(m, k, sorted_cost, random_cost)
        if has_balanced_prefix(m, k, sorted_cost, random_cost):
            cases += 1
            r = balanced_prefix(m, k, sorted_cost, random_cost)
            balanced = two_phase_price_bound(m, k, r, sorted_cost, random_cost)
            expect(
                price <= balanced and keeps, f"m={m}, k={k}: prices {sorted_cost}, {random_cost}"
            )
        else:
            broken += not keeps
    expect(broken > 0, "the control, the bound without its window, did not fail")
    return f"{cases} choices with a balanced prefix; without one the bound fails {broken} times"


@supports("ours:unequal-costs", method=Method.EXACT)
def window_of_balanced_prefixes() -> str:
    """There is a balanced prefix exactly if (k+1)/(m+1) <= c_r/c_s < (m+2)/k."""
    cases = 0
    for m, k, sorted_cost, random_cost in _grid():
        cases += 1
        inside = Fraction(k + 1, m + 1) <= random_cost / sorted_cost < Fraction(m + 2, k)
        found = has_balanced_prefix(m, k, sorted_cost, random_cost)
        expect(found == inside, f"m={m}, k={k}: prices {sorted_cost}, {random_cost}")
    return f"{cases:,} choices of m, k and prices"


@supports("ours:unequal-costs", method=Method.EXACT)
def cheapest_prefix_is_the_cheapest() -> str:
    """No prefix is cheaper, and the price is at most 2 min{c_s m, c_r m, sqrt(mk c_s c_r)}."""
    cases = 0
    for m, k, sorted_cost, random_cost in _grid():
        cases += 1
        prices = [two_phase_price_bound(m, k, r, sorted_cost, random_cost) for r in range(m + 1)]
        price = cheapest_price_bound(m, k, sorted_cost, random_cost)
        expect(price == min(prices), f"m={m}, k={k}: {price} and {min(prices)}")
        expect(
            price <= m * min(sorted_cost, random_cost),
            f"m={m}, k={k}: more expensive than one door",
        )
        expect(price**2 <= 4 * m * k * sorted_cost * random_cost, f"m={m}, k={k}: {price}")
        closed = closed_price_bound(m, k, sorted_cost, random_cost)
        expect(price <= Fraction(closed) * Fraction(10**9 + 1, 10**9), f"m={m}, k={k}: {closed}")
    return f"{cases:,} choices of m, k and prices, every prefix"


@supports("ours:unequal-costs", method=Method.Z3)
def balance_costs_a_square_root() -> str:
    """x (x-1) <= A <= x (x+1) gives x + A/x <= sqrt(4A + 1), for all reals."""
    x, u = z3.Reals("x u")
    # u stands for A/x.
    for excess, expected in ((1, z3.unsat), (rational(Fraction(9, 10)), z3.sat)):
        found = decide(x > 0, u > 0, x - 1 <= u, u <= x + 1, (x + u) ** 2 > 4 * x * u + excess)
        expect(found == expected, f"with + {excess}: {found}")
    return "real x and A; with 4A + 9/10 there is a counterexample"
