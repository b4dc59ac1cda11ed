"""Checks of the proof of the paper's cost bound: Claim One, Lemmas B.1 and B.2, the Gamma chain."""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

import sympy
from flint import arb

from privtopk.spec.algorithms.private_threshold import private_threshold
from privtopk.spec.laws.hypergeometric import hypergeometric_cdf
from privtopk.spec.model.access import StoredList, sorted_entries
from privtopk.spec.model.values import Histogram
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports
from privtopk.spec.proofs.instruments.balls import ball
from privtopk.spec.proofs.instruments.small_tables import tables
from privtopk.spec.upper_bounds.access import rounds_tail


def _common_counts(scores: Histogram, noises: tuple[int, ...]) -> list[int]:
    """Return, for r = 0, ..., m, how many items the first r of both lists have in common."""
    first, second = (
        [entry.item for entry in sorted_entries(values)] for values in (scores, noises)
    )
    return [len({*first[:r]} & {*second[:r]}) for r in range(len(first) + 1)]


def _cost(scores: Histogram, noises: tuple[int, ...], k: int) -> int:
    """Return the accesses of Algorithm 3 to the score list, two per round."""
    source = StoredList(scores)
    private_threshold(source, StoredList(noises), k)
    return source.ledger.cost


@refutes("erratum:claim-one", method=Method.ENUMERATION)
def claim_one_fails() -> str:
    """More than k common items among the first r do not imply a cost below 2r."""
    scores, noises, k, r = (1, 0), (0, 1), 1, 2
    common, cost = _common_counts(scores, noises)[r], _cost(scores, noises, k)
    expect(common > k and not cost < 2 * r, f"{common} in common, cost {cost}")
    return f"h = (1, 0), Z = (0, 1): {common} in common at r = 2, and the cost is {cost}"


@supports("erratum:claim-one", method=Method.ENUMERATION)
def k_common_items_end_the_run() -> str:
    """At least k common items among the first r imply a cost of at most 2r."""
    cases, sharp = 0, 0
    for scores, noises in tables(4):
        common = _common_counts(scores, noises)
        for k in range(1, 4):
            cost = _cost(scores, noises, k)
            for r in range(1, 5):
                if common[r] >= k:
                    cases += 1
                    expect(cost <= 2 * r, f"{scores} {noises} k={k}: {cost} > {2 * r}")
                    sharp += cost == 2 * r
    expect(sharp > 0, "the control, a cost below 2r, never failed")
    return f"m = 4: {cases:,} cases, {sharp:,} of them with cost 2r exactly"


@supports("erratum:tail-proof", method=Method.EXACT)
def claim_one_breaks_the_chain_only() -> str:
    """P(cost >= 2r) may exceed the paper's P(Y <= k), but not the bound of Lemma B.1."""
    scores, k, r = (1, 0), 1, 2
    costs = [_cost(scores, noises, k) for noises in ((1, 0), (0, 1))]
    reached = Fraction(sum(cost >= 2 * r for cost in costs), len(costs))
    printed = hypergeometric_cdf(2, r, r, k)
    expect(reached == Fraction(1, 2) and printed == 0, f"{reached} against {printed}")
    expect(ball(reached) <= _bound(2, k, Fraction(r)), "Lemma B.1 itself fails")
    expect(reached <= rounds_tail(2, k, r - 1), "the corrected chain fails")
    return "m = 2, k = 1, r = 2: 1/2 > P(Y <= k) = 0, and 1/2 <= 2/e"


def _bound(m: int, k: int, r: Fraction) -> arb:
    """Return (e mu / k)^k e^-mu with mu = r^2 / m."""
    mu = r * r / m
    return (ball(mu) / k) ** k * ball(k - mu).exp()


def _tails(m: int, rounds: Iterable[int]) -> Iterator[tuple[int, int, arb]]:
    """Yield r, k and P(T >= r) if r^2 > mk and the probability is not 0."""
    for r in rounds:
        everything = arb(math.comb(m, r - 1))
        ways = 0
        for k in range(1, (r * r - 1) // m + 1):
            if 2 * (r - 1) - (k - 1) <= m:
                ways += math.comb(r - 1, k - 1) * math.comb(m - r + 1, r - k)
                yield r, k, arb(ways) / everything


def _expect_tails(sizes: Iterable[int], is_large: bool) -> tuple[int, arb]:
    """Compare all tails with the bound; at r^2 = mk the bound is 1 and nothing needs a check."""
    logs = [arb(n).log() if n else arb(0) for n in range(2 * max(sizes) + 1)]
    cases, largest = 0, arb(0)
    for m in sizes:
        half = (m + 1) // 2
        for r, k, tail in _tails(m, range(half + 1, m + 1) if is_large else range(1, half + 1)):
            cases += 1
            exponent = k * (1 + 2 * logs[r] - logs[m] - logs[k]) - arb(r * r) / m
            ratio = tail / exponent.exp()
            expect(ratio <= 1, f"m={m}, k={k}, r={r}: {ratio} of the bound")
            largest = largest.max(ratio)
    return cases, largest


@supports("lem:cost-tail", "erratum:tail-proof", method=Method.ARB)
def tail_lemma_up_to_the_middle() -> str:
    """P(T >= r) <= (e mu/k)^k e^-mu for sqrt(mk) <= r <= (m+1)/2, and T bounds the rounds."""
    for m, r, k in ((20, 9, 3), (33, 17, 8), (40, 20, 1)):
        yielded = {(r, k): tail for r, k, tail in _tails(m, [r])}
        expect(yielded[r, k].overlaps(ball(rounds_tail(m, k, r - 1))), "the tails differ")
    cases, largest = _expect_tails(range(1, 61), False)
    expect(largest > ball(Fraction(1, 2)), "the control, half the bound, did not fail")
    return f"m <= 60: {cases:,} tails, at most {float(largest):.3f} of the bound"


@supports("lem:cost-tail", method=Method.ARB, is_slow=True)
def tail_lemma_up_to_the_middle_larger() -> str:
    """The tail bound for r <= (m+1)/2 holds for 60 < m <= 140 as well."""
    cases, largest = _expect_tails(range(61, 141), False)
    return f"60 < m <= 140: {cases:,} tails, at most {float(largest):.3f} of the bound"


@supports("lem:cost-tail-large", "erratum:tail-proof", method=Method.ARB)
def tail_lemma_beyond_the_middle() -> str:
    """P(T >= r) <= (e mu/k)^k e^-mu for r > (m+1)/2 as well, compared directly."""
    cases, largest = _expect_tails(range(1, 61), True)
    expect(largest > ball(Fraction(9, 10)), "the control, 9/10 of the bound, did not fail")
    return f"m <= 60: {cases:,} tails, at most {float(largest):.6f} of the bound"


@supports("lem:cost-tail", "erratum:tail-proof", method=Method.SYMBOLIC)
def tail_lemma_is_proved() -> str:
    """The Poisson moment bound at x = mu/k for r - 1 rounds is at most the bound of Lemma B.1."""
    m, r, k, x = sympy.symbols("m r k x", positive=True)
    mu, before = r**2 / m, (r - 1) ** 2 / m
    ratio, step = mu / k, (2 * r - 1) / m
    moment = (k - 1) * sympy.log(ratio) - before * (1 - 1 / ratio)
    lemma = k * (1 + sympy.log(ratio)) - mu
    factor = step * (1 - 1 / ratio) - sympy.log(ratio)
    expect(
        sympy.simplify(moment - lemma - factor) == 0, "the exponents do not differ by the factor"
    )
    # The factor is at most 0: (2r-1)/m <= 1, and 1 - 1/x <= ln x for x >= 1.
    slack = sympy.log(x) - 1 + 1 / x
    expect(slack.subs(x, 1) == 0, "no contact at x = 1")
    expect(sympy.simplify(sympy.diff(slack, x) - (x - 1) / x**2) == 0, "the slopes differ")
    return "identity with symbolic m, r, k, and the sign of one derivative"


@supports("lem:cost-tail-real", method=Method.SYMBOLIC)
def real_rounds_round_up() -> str:
    """For real r the tail is that of ceil(r), and the bound falls from mu = k on."""
    mu, k = sympy.symbols("mu k", positive=True)
    slope = sympy.diff(k * (1 + sympy.log(mu / k)) - mu, mu)
    expect(sympy.simplify(slope - (k - mu) / mu) == 0, f"the slope is {slope}")
    cases = 0
    for m in range(1, 31):
        for r in (Fraction(n, 4) for n in range(1, 4 * m + 1)):
            for k in range(1, math.floor(r * r / m) + 1):
                if r * r > m * k:
                    cases += 1
                    tail = ball(rounds_tail(m, k, math.ceil(r) - 1))
                    expect(tail <= _bound(m, k, r), f"m={m}, k={k}, r={r}")
    return f"the sign of one derivative; {cases:,} quarters r <= m, m <= 30"


def _scaled_gamma(k: int) -> arb:
    """Return e^k k^-k Gamma(k + 1/2)."""
    x = arb(k)
    return (x - x * x.log()).exp() * (x + arb(1) / 2).gamma()


def _scaled_incomplete_gamma(k: int) -> arb:
    """Return G(k) = e^k k^-k Gamma(k + 1/2, k)."""
    x = arb(k)
    return (x - x * x.log()).exp() * x.gamma_upper(x + arb(1) / 2)


@refutes("erratum:gamma-chain", method=Method.ARB)
def full_gamma_exceeds_the_root() -> str:
    """e^k k^-k Gamma(k + 1/2) is not at most sqrt(2): the chain of Theorem 4.2 breaks."""
    for k in range(1, 101):
        expect(_scaled_gamma(k) > arb(2).sqrt(), f"k={k}: {_scaled_gamma(k)}")
    return f"k = 1: {float(_scaled_gamma(1)):.3f} > sqrt(2), and so for every k <= 100"


@supports("erratum:gamma-chain", "thm:access-cost", method=Method.ARB)
def incomplete_gamma_is_below_the_root() -> str:
    """G(k) = e^k k^-k Gamma(k + 1/2, k) is at most 1.378937 < sqrt(2), falling in k."""
    limit = ball(Fraction(1_378_937, 10**6))
    expect(limit < arb(2).sqrt(), "1.378937 is not below sqrt(2)")
    first = 1 + arb(1).exp() * arb.pi().sqrt() / 2 * arb(1).erfc()
    values = [_scaled_incomplete_gamma(k) for k in range(1, 2001)]
    expect(first.overlaps(values[0]) and first <= limit, f"G(1) = {first}")
    expect(values[0] > ball(Fraction(1_378_936, 10**6)), "the control 1.378936 did not fail")
    expect(all(after < before for before, after in pairwise(values)), "G rises")
    expect(values[-1] > (arb.pi() / 2).sqrt(), "G falls below its limit sqrt(pi/2)")
    return f"G(1) = {float(first):.7f}; falling for k <= 2000"


@supports("erratum:gamma-chain", "thm:access-cost", method=Method.SYMBOLIC)
def incomplete_gamma_falls_for_every_k() -> str:
    """G(k) is the integral of e^(-x^2/2) w(x/sqrt(k)) with an increasing weight w.

    With t = k e^y and v^2/2 = e^y - 1 - y the integrand has w^2 = 2 e^y (e^y-1-y)/(e^y-1)^2.
    """
    y, k = sympy.symbols("y k", positive=True)
    growth = sympy.exp(y) - 1
    depth = growth - y
    # t^(k-1/2) e^-t dt e^k k^-k = sqrt(k) e^(-k depth) e^(y/2) dy, and v dv = growth dy.
    t = k * sympy.exp(y)
    integrand = t ** (k - sympy.Rational(1, 2)) * sympy.exp(k - t) * sympy.diff(t, y) / k**k
    reduced = sympy.sqrt(k) * sympy.exp(-k * depth) * sympy.exp(y / 2)
    logs = sympy.expand_log(sympy.log(integrand) - sympy.log(reduced), force=True)
    expect(sympy.simplify(logs) == 0, "the change of variable is wrong")
    expect(sympy.diff(depth, y) == growth, "v dv is not (e^y - 1) dy")
    weight = 2 * sympy.exp(y) * depth / growth**2
    from_v = (sympy.exp(y / 2) * sympy.sqrt(2 * depth) / growth) ** 2
    expect(sympy.simplify(weight - from_v) == 0, "the weights differ")
    q = y * (sympy.exp(y) + 1) - 2 * growth
    slope = sympy.diff(sympy.log(weight), y)
    expect(sympy.simplify(slope - q / (depth * growth)) == 0, "the slope has another sign")
    series = sympy.Poly(sympy.series(q, y, 0, 16).removeO(), y)
    for n in range(16):
        wanted = sympy.Rational(max(n - 2, 0), math.factorial(n))
        expect(series.coeff_monomial(y**n) == wanted, f"coefficient {n} of q")
    return "change of variables and the sign of (ln w^2)', q = sum of (n-2) y^n/n!"
