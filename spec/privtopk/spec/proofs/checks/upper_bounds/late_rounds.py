"""Checks of Lemma B.1 for more than half of the rounds, step by step and in all small cases."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import sympy
import z3

from privtopk.spec.laws.hypergeometric import hypergeometric_pmf
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.solver import expect_impossible, expect_possible
from privtopk.spec.upper_bounds.access import rounds_tail
from privtopk.spec.upper_bounds.late_rounds import (
    excess,
    first_moment,
    hidden_goal,
    hidden_rows,
    is_far,
    largest_product,
    late_tail,
    near_chance,
    second_moment,
)

LARGEST = 60
"""The largest m of the exact cases."""


def _late_rounds(largest: int) -> Iterator[tuple[int, int, int]]:
    """Yield all m, k and r with mk < r^2 and 2r >= m + 2; at mk = r^2 the bound is 1."""
    for m in range(2, largest + 1):
        for r in range((m + 3) // 2, m + 1):
            yield from ((m, k, r) for k in range(1, (r * r - 1) // m + 1))


@supports("lem:cost-tail-large", method=Method.ENUMERATION)
def box_counts_what_is_hidden() -> str:
    """A box of n rows and columns has m - 2q + V points, V those hidden from both sides, q = m-n.

    For 2r >= m + 2 this turns the tail of the rounds into that of V.
    """
    cases = 0
    for m in range(1, 8):
        for order in permutations(range(m)):
            for n in range(m + 1):
                cases += 1
                inside = sum(order[row] < n for row in range(n))
                hidden = sum(order[row] >= n for row in range(n, m))
                expect(inside == m - 2 * (m - n) + hidden, f"{order}, n={n}")
    for m, k, r in _late_rounds(30):
        expect(late_tail(m, k, r) == rounds_tail(m, k, r - 1), f"m={m}, k={k}, r={r}")
    return f"{cases:,} boxes of all permutations, m <= 7; the tails for m <= 30"


@supports("lem:cost-tail-large", method=Method.SYMBOLIC)
def late_identities() -> str:
    """The exponents differ by d(1 + 1/m), v = 2 + (q-1)^2/m - theta, and V has its two moments.

    The moments are Vandermonde sums: C(q, V) V(V-1) = q(q-1) C(q-2, V-2), likewise for V.
    """
    m, r, k, q = sympy.symbols("m r k q", positive=True)
    rows = m + 1 - r
    d = 2 * r - m - 1
    expect(sympy.simplify((r**2 - rows**2) / m - d * (1 + 1 / m)) == 0, "the exponents")
    expect(sympy.simplify(d - (m - 2 * rows + 1)) == 0, "d is not m - 2q + 1")
    theta = r**2 / m - k
    goal = k - m + 2 * rows
    expect(sympy.simplify(goal - (2 + (rows - 1) ** 2 / m - theta)) == 0, "the goal v")
    for drop in (1, 2):
        falling = sympy.ff(q, drop) * sympy.binomial(m - drop, q - drop) / sympy.binomial(m, q)
        stated = (q**2 / m, q**2 * (q - 1) ** 2 / (m * (m - 1)))[drop - 1]
        moment = sympy.gammasimp(falling.rewrite(sympy.gamma))
        expect(sympy.simplify(moment / stated) == 1, f"factorial moment {drop}: {moment}")
    for size in range(2, 13):
        for hidden in range(1, size + 1):
            law = [hypergeometric_pmf(size, hidden, hidden, x) for x in range(hidden + 1)]
            means = [sum(p * math.perm(x, n) for x, p in enumerate(law)) for n in (1, 2)]
            stated = [first_moment(size, hidden), second_moment(size, hidden)]
            expect(means == stated, f"m={size}, q={hidden}: {means}")
    return "with symbolic m, r, k and q; the moments also as sums for m <= 12"


@supports("lem:cost-tail-large", method=Method.Z3)
def late_inequalities_hold_for_all_sizes() -> str:
    """1/m <= u/(2+u) if u(m-1) >= 2; q/m >= theta/(m-1) for v = 1; q(m-1) >= m(q-1) for v >= 2.

    For v = 1 and q >= 2 theta is 1 + (q-1)^2/m, and the claim is (q-1)(m-q) >= 1.
    """
    m, q, u = z3.Reals("m q u")
    far = [m >= 2, u * (m - 1) >= 2]
    expect_impossible(far, 2 + u > m * u)
    expect_possible(far, 2 + u > m * u - z3.Q(1, 100))
    rows = [q >= 2, m >= 2 * q]
    expect_impossible(rows, (q - 1) * (m - q) < 1)
    # q/m >= (1 + (q-1)^2/m)/(m-1), all multiplied by m(m-1).
    expect_impossible(rows, q * (m - 1) < m + (q - 1) * (q - 1))
    expect_impossible(rows, q * (m - 1) < m * (q - 1))
    expect_possible([q >= 2, m >= 1], q * (m - 1) < m * (q - 1))
    # One hidden row: theta = 1, k = m - 1, and 1/m >= 1/(2(m-1)).
    expect_impossible([m >= 2], 2 * (m - 1) < m)
    return "for all real m, q and u; without q <= m the last one fails"


@supports("lem:cost-tail-large", method=Method.SYMBOLIC)
def late_logarithms_by_their_slopes() -> str:
    """2u/(2+u) <= ln(1+u) for u >= 0, and x - 1 - ln x <= (x-1)^2/2 for x >= 1."""
    u, x = sympy.symbols("u x", positive=True)
    gap = sympy.log(1 + u) - 2 * u / (2 + u)
    slope = u**2 / ((1 + u) * (2 + u) ** 2)
    expect(gap.subs(u, 0) == 0 and sympy.simplify(sympy.diff(gap, u) - slope) == 0, "first")
    square = (x - 1) ** 2 / 2 - (x - 1 - sympy.log(x))
    expect(
        square.subs(x, 1) == 0 and sympy.simplify(sympy.diff(square, x) - (x - 1) ** 2 / x) == 0,
        "second",
    )
    expect(slope.is_positive is True, "the first slope may be negative")
    # (1 + 1/m)(1 - 1/x) with 1/m = u/(2+u) and x = 1 + u is 2u/(2+u).
    far = (1 + u / (2 + u)) * (1 - 1 / (1 + u))
    expect(sympy.simplify(far - 2 * u / (2 + u)) == 0, "the far exponent")
    return "both differences vanish at the start and have slopes that are squares"


@supports("lem:cost-tail-large", method=Method.EXACT)
def products_stay_below_their_largest() -> str:
    """V(V-v+1) is at most 0 for 0 <= V < v and at most q(q-v+1) <= q(q-1) for v <= V <= q."""
    cases = 0
    for q in range(2, 31):
        for v in range(2, q + 1):
            cases += 1
            products = [x * (x - v + 1) for x in range(q + 1)]
            expect(max(products[:v]) <= 0, f"q={q}, v={v}: positive below v")
            largest = largest_product(q, v)
            expect(max(products[v:]) == largest <= q * (q - 1), f"q={q}, v={v}: {largest}")
    return f"q <= 30: {cases} pairs; both factors rise with V, so the largest is at V = q"


@supports("lem:cost-tail-large", "erratum:tail-proof", method=Method.EXACT)
def late_tails_obey_the_lemma() -> str:
    """Every late tail stays below the bound, each by the inequality of its case of the proof."""
    far, near, control_failures = 0, 0, 0
    for m, k, r in _late_rounds(LARGEST):
        if hidden_goal(m, k, r) <= 0:
            expect(late_tail(m, k, r) == 0, f"m={m}, k={k}, r={r}: the tail is not 0")
        elif is_far(m, k, r):
            far += 1
            _expect_far(m, k, r)
        else:
            near += 1
            _expect_near(m, k, r)
            # The control: call rounds far from x = 1 + 1/m on.
            is_called_far = r * r >= k * (m + 1)
            control_failures += is_called_far and not _far_exponent_holds(m, k, r)
    expect(far > 0 and near > 0, "a case of the proof never occurs")
    expect(control_failures > 0, "the control, far rounds from 1 + 1/m on, did not fail")
    return (
        f"m <= {LARGEST}: {far:,} far and {near:,} near tails; far rounds from x = 1 + 1/m on "
        f"fail {control_failures:,} times"
    )


def _expect_far(m: int, k: int, r: int) -> None:
    """Expect P(V < v) <= x^(v-1) E[x^-V] <= x^(v-1) (1 - (q/m)(1 - 1/x))^q, and the exponents.

    All in whole numbers: x is a/b, and the powers of a are cleared.
    """
    where = f"m={m}, k={k}, r={r}"
    q, v, a, b = hidden_rows(m, r), hidden_goal(m, k, r), r * r, m * k
    ways = [math.comb(q, x) * math.comb(m - q, q - x) for x in range(q + 1)]
    moment = sum(count * b**x * a ** (q - x) for x, count in enumerate(ways))
    # P(V < v) C(m, q) is a whole number, and so is E[x^-V] a^q C(m, q).
    tail = sum(ways[:v])
    expect(tail * b ** (v - 1) * a**q <= a ** (v - 1) * moment, f"{where}: Chernoff")
    expect(moment * m**q <= math.comb(m, q) * (m * a - q * (a - b)) ** q, f"{where}: Hoeffding")
    u = Fraction(a - b, b)
    expect((1 + Fraction(1, m)) * (1 - Fraction(b, a)) <= 2 * u / (2 + u), f"{where}: exponent")


def _far_exponent_holds(m: int, k: int, r: int) -> bool:
    """Decide whether (1 + 1/m)(1 - 1/x) <= ln x, on which the far case rests."""
    x = Fraction(r * r, m * k)
    return bool(ball((1 + Fraction(1, m)) * (1 - 1 / x)) <= ball(x).log())


def _expect_near(m: int, k: int, r: int) -> None:
    """Expect P(V >= v) >= its bound by moments >= theta^2/(2k), and 1 - B <= theta^2/(2k)."""
    where = f"m={m}, k={k}, r={r}"
    theta, chance = excess(m, k, r), near_chance(m, k, r)
    missing = theta * theta / (2 * k)
    expect(1 - late_tail(m, k, r) >= chance, f"{where}: the moments give {chance}")
    expect(chance >= missing, f"{where}: {chance} < {missing}")
    is_alone = hidden_rows(m, r) == 1
    expect(is_alone or chance >= theta / (m - 1) > missing, f"{where}: not above theta/(m-1)")
    x = Fraction(r * r, m * k)
    expect(ball(k) * (ball(x - 1) - ball(x).log()) <= ball(missing), f"{where}: 1 - B")
