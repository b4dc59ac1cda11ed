"""Checks of what one counted hit certifies in closed form: sqrt(mk)/7, and a form with prices."""

from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from privtopk.spec.lower_bounds.hit_certificate import (
    HIGH_SHARE,
    ONE_HIT_PRICE_SHARE,
    ONE_HIT_SHARE,
    hit_certificate_exact,
    hit_rate,
    one_hit_price_bound,
    one_hit_sizes,
    seventh_bound,
)
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.lower_constants import DISCOUNT

TWENTIETH = Fraction(1, 20)
DELTAS = (Fraction(0), TWENTIETH / 2, TWENTIETH)

WINDOW = 100
"""S5's argument works directly while 100 k/m <= c_r/c_s <= m/(100 k)."""


def _share_left(missed: Fraction) -> arb:
    """Return 1 - e (beta + (1 - beta) missed) for beta = 0.05, what is left of a bound."""
    return 1 - ball(1).exp() * ball(TWENTIETH + (1 - TWENTIETH) * missed)


def _sevenths() -> Iterator[tuple[int, int]]:
    """Yield m and k with m > 49 k, small and large ones."""
    yield from ((m, k) for k in range(1, 9) for m in range(49 * k + 1, 80 * k, 1 + k // 2))
    for k in (1, 2, 3, 10, 40, 200):
        yield from ((m, k) for m in (49 * k + 1, 97 * k, 10**3 * k + 7, 10**5 * k, 10**8 * k))


@supports("ours:lower-both-seventh", method=Method.EXACT)
def seventh_is_certified() -> str:
    """At the sizes of the proof one hit certifies sqrt(mk)/7, at the rate of sorted access."""
    cases, least = 0, Fraction(1)
    for m, k in _sevenths():
        s, a = one_hit_sizes(m, k)
        where = f"m={m}, k={k}, s={s}, a={a}"
        expect(k <= s <= m and a >= 1, f"{where}: no such sizes")
        expect(
            hit_rate(m, s, a, 1) == Fraction(1, s - a + 1),
            f"{where}: the rate is that of random access",
        )
        for delta in DELTAS:
            cases += 1
            beta = TWENTIETH - delta
            bound = hit_certificate_exact(m, k, s, a, 1, DISCOUNT, delta, beta)
            promised = Fraction(seventh_bound(m, k, 1, delta, beta))
            expect(bound >= promised, f"{where}, delta={delta}: {float(bound)} < {promised}")
            least = min(least, bound**2 / (m * k))
    expect(least < Fraction(1, 25), "the control, a fifth, did not fail")
    for k in (1, 2, 7, 40):
        small = range(k, 49 * k + 1, k)
        expect(all(seventh_bound(m, k, 1, 0, 0.05) <= k for m in small), f"k={k}: m <= 49 k")
    return f"{cases} certificates with m up to 2 10^10, at least {float(least) ** 0.5:.4f} sqrt(mk)"


@supports("ours:lower-both-seventh", method=Method.ARB)
def seventh_holds_for_all_sizes() -> str:
    """With 0.26 sqrt(mk) high items and m > 49 k the constants of the proof give a seventh.

    The low items are missed with probability at most (1 + z/k)^-k <= 1/(1+z), where z =
    1/(0.26 (0.26 + 1/7)) - 3/(7 0.26), and beta = 0.05 is the worst split of beta + delta.
    """
    z = 1 / (HIGH_SHARE * (HIGH_SHARE + Fraction(1, 7))) - 3 / (7 * HIGH_SHARE)
    kept = _share_left(1 / (1 + z))
    expect(kept * ball(HIGH_SHARE) >= ball(Fraction(1, ONE_HIT_SHARE)), f"0.26 times {kept}")
    expect(kept * ball(HIGH_SHARE) < ball(Fraction(3, 20)), "the control 0.15 did not fail")
    # Each unit of delta that becomes beta loses e (1 - missed) - 1.
    expect(ball(1).exp() * ball(z / (1 + z)) > ball(1), "delta is worse than beta")
    return f"z = {float(z):.3f}, {float(kept * ball(HIGH_SHARE)):.4f} >= 1/7"


def _windows() -> Iterator[tuple[int, int, Fraction]]:
    """Yield m, k and ratios of prices, including both ends of the window."""
    for k in (1, 2, 3, 10, 40):
        for m in (WINDOW * k, 137 * k, 10**3 * k + 7, 10**5 * k, 10**8 * k):
            low, high = Fraction(WINDOW * k, m), Fraction(m, WINDOW * k)
            yield from ((m, k, ratio) for ratio in {low, (low + 1) / 2, (3 + high) / 4, high})


@supports("ours:unequal-costs-lower-sharp", method=Method.EXACT)
def window_reaches_its_share() -> str:
    """Inside the window one hit certifies 0.097 sqrt(mk c_s c_r), with sorted access at 1."""
    cases, least = 0, Fraction(1)
    for m, k, ratio in _windows():
        s, a = one_hit_sizes(m, k, ratio)
        where = f"m={m}, k={k}, ratio={ratio}, s={s}, a={a}"
        expect(k <= s <= m and a >= 1, f"{where}: no such sizes")
        for delta in DELTAS:
            cases += 1
            promise = (DISCOUNT, delta, TWENTIETH - delta)
            bound = hit_certificate_exact(m, k, s, a, 1, *promise, (Fraction(1), ratio))
            share = bound**2 / (m * k * ratio)
            expect(share >= Fraction(97, 1000) ** 2, f"{where}: {float(share) ** 0.5}")
            least = min(least, share)
    expect(least < Fraction(1, 36), "the control, a sixth, did not fail")
    return f"{cases} certificates, at least {float(least) ** 0.5:.4f} sqrt(mk c_s c_r)"


@supports("ours:unequal-costs-lower-sharp", method=Method.ARB)
def prices_hold_for_all_sizes() -> str:
    """With y = sqrt(mk c_r/c_s) between 10 k and m/10 the constants of the proof give 0.097."""
    high = HIGH_SHARE
    below = 1 - 1 / (10 * high)
    z = (1 - high / 10) / (high * (high + Fraction(1, 10))) - 2 / (10 * high - 1)
    share = _share_left(1 / (1 + z)) * ball(high * below)
    expect(share >= ball(Fraction(97, 1000)), f"{share}")
    expect(share < ball(Fraction(1, 10)), "the control, a tenth, did not fail")
    expect(ball(1).exp() * ball(z / (1 + z)) > ball(1), "delta is worse than beta")
    # Beyond the window the higher price is lowered to its end, where the root is m/10.
    outside = Fraction(97, 1000) / 10
    expect(outside >= Fraction(1, ONE_HIT_PRICE_SHARE), f"{outside} beyond the window")
    expect(WINDOW <= ONE_HIT_PRICE_SHARE, "k accesses are not enough for m <= 100 k")
    return f"z = {float(z):.3f}, {float(share):.4f} >= 0.097, and 0.0097 beyond the window"


@supports("ours:unequal-costs-lower-sharp", method=Method.EXACT)
def priced_cases_reach_the_share() -> str:
    """For few items, for an expensive door and in the window, 1/125 of the minimum is reached."""
    cases = 0
    for m, k in ((1, 1), (50, 3), (101, 1), (10**5, 2), (10**9, 40)):
        for ratio in (
            Fraction(1, 10**9),
            Fraction(1, 300),
            Fraction(1),
            Fraction(77),
            Fraction(10**8),
        ):
            cases += 1
            low, high = Fraction(WINDOW * k, m), Fraction(m, WINDOW * k)
            if low > high:
                square = (k * min(Fraction(1), ratio)) ** 2
            elif ratio >= low:
                square = Fraction(97, 1000) ** 2 * m * k * min(ratio, high)
            else:
                # The price of sorted access falls to ratio / low.
                square = Fraction(97, 1000) ** 2 * m * k * ratio * ratio / low
            bound = one_hit_price_bound(m, k, 1, ratio, 1, 0.05, 0)
            expect(Fraction(bound) ** 2 <= square * Fraction(10**9 + 1, 10**9), f"m={m}, k={k}")
    return f"{cases} choices of m, k and prices"
