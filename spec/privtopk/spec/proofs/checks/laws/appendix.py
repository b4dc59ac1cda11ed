"""Checks of the facts that the paper cites: Chernoff, Hoeffding, Gamma, Beta, Stirling."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import sympy
from flint import arb, ctx, fmpq

from privtopk.spec.laws.hypergeometric import hypergeometric_cdf
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball

CHANCES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(4, 5))


def _chernoff(mu: Fraction, x: int) -> arb:
    """Return e^(x-mu) (mu/x)^x: Chernoff's bound on the upper and on the lower tail at x."""
    return ball(x - mu).exp() * (ball(mu) / x) ** x if x else ball(-mu).exp()


def _law_of_trials(chances: Sequence[Fraction]) -> list[Fraction]:
    law = [Fraction(1)]
    for p in chances:
        law = [
            (1 - p) * stay + p * step
            for stay, step in zip([*law, Fraction(0)], [Fraction(0), *law], strict=True)
        ]
    return law


def _tails_of_trials() -> Iterator[tuple[Fraction, int, Fraction]]:
    """Yield the mean, a whole number x and the exact tail beyond x, for sums of up to 7 trials.

    Between whole numbers the tail is constant and the bound is weaker, so these are the
    tightest points. x = 0 is the limit lambda -> 1 of the lower tail.
    """
    for n in range(1, 8):
        for chances in combinations_with_replacement(CHANCES, n):
            law, mu = _law_of_trials(chances), sum(chances, Fraction(0))
            for x in range(n + 1):
                yield mu, x, sum(law[x:] if x > mu else law[: x + 1], Fraction(0))


@supports("fact:chernoff", method=Method.EXACT)
def tails_of_trials_obey_chernoff() -> str:
    """Exact tails of sums of independent trials stay below Chernoff's bounds."""
    cases, control_failures = 0, 0
    for mu, x, tail in _tails_of_trials():
        cases += 1
        bound = _chernoff(mu, x)
        expect(x == mu or ball(tail) <= bound, f"mu={mu}, x={x}: {tail}")
        control_failures += bool(ball(tail) > bound**2)
    expect(control_failures > 0, "the control, the square of the bound, never failed")
    return f"{cases:,} tails of up to 7 trials; the squared bound fails {control_failures} times"


@supports("fact:chernoff", method=Method.SYMBOLIC)
def chernoff_is_markov_at_the_best_exponent() -> str:
    """Markov's bound e^(mu (e^t - 1) - t x) is Chernoff's at t = ln(x/mu), where it is least."""
    mu, x, t = sympy.symbols("mu x t", positive=True)
    exponent = mu * (sympy.exp(t) - 1) - t * x
    difference = exponent.subs(t, sympy.log(x / mu)) - (x - mu - x * sympy.log(x / mu))
    expect(sympy.simplify(difference) == 0, "the exponents differ")
    expect(sympy.diff(exponent, t).subs(t, sympy.log(x / mu)) == 0, "not stationary")
    expect(sympy.simplify(sympy.diff(exponent, t, 2) - mu * sympy.exp(t)) == 0, "not convex")
    # The factor of one trial, 1 + p (e^t - 1), is at most e^(p (e^t - 1)): y <= e^y - 1.
    y = sympy.symbols("y", real=True)
    excess = sympy.exp(y) - 1 - y
    expect(excess.subs(y, 0) == 0 and sympy.diff(excess, y).subs(y, 0) == 0, "no contact at 0")
    expect(sympy.diff(excess, y, 2).is_positive is True, "e^y - 1 - y is not convex")
    return "identities with symbolic mu, x and t"


@supports("fact:chernoff", method=Method.SYMBOLIC)
def simple_exponents_follow() -> str:
    """The bases are at most e^-(l^2/3) above and e^-(l^2/2) below the mean, for l up to 1."""
    y = sympy.symbols("y", positive=True)
    above = y - (1 + y) * sympy.log(1 + y) + y**2 / 3
    below = -y - (1 - y) * sympy.log(1 - y) + y**2 / 2
    for exponent in (above, below):
        start = (exponent.subs(y, 0), sympy.diff(exponent, y).subs(y, 0))
        expect(start == (0, 0), "the exponents must meet at 0 with their slopes")
    # Below: concave from the start.
    expect(sympy.simplify(sympy.diff(below, y, 2) + y / (1 - y)) == 0, "below")
    # Above: concave up to 1/2 and then convex, so the two ends decide.
    curvature = (2 * y - 1) / (3 * (1 + y))
    expect(sympy.simplify(sympy.diff(above, y, 2) - curvature) == 0, "above")
    expect(ball(Fraction(4, 3)) < 2 * arb(2).log(), "the end l = 1 is not negative")
    return "signs of second derivatives, and 4/3 < 2 ln 2"


def _sums(outcomes: Iterable[tuple[int, ...]]) -> Counter[int]:
    return Counter(map(sum, outcomes))


def _hinge(law: Counter[int], corner: int) -> Fraction:
    """Return E[(X - corner)_+] for a law given by counts."""
    weight = sum(count * max(0, x - corner) for x, count in law.items())
    return Fraction(weight, law.total())


@supports("fact:hoeffding-reduction", method=Method.EXACT)
def hinges_are_smaller_without_replacement() -> str:
    """Without replacement the mean is the same, and E[(sum - c)_+] is not larger, for every c.

    On whole numbers a convex function is a line plus a positive combination of hinges with
    whole corners, so for these populations this is the statement for every convex function.
    """
    cases, strict = 0, 0
    for size in range(1, 6):
        for population in combinations_with_replacement((0, 1, 3), size):
            for n in range(1, size + 1):
                without = _sums(permutations(population, n))
                replaced = _sums(product(population, repeat=n))
                expect(_hinge(without, 0) == _hinge(replaced, 0), f"{population}: means differ")
                for corner in range(1, 3 * n):
                    cases += 1
                    less, more = _hinge(without, corner), _hinge(replaced, corner)
                    expect(less <= more, f"{population}, n={n}, c={corner}: {less} > {more}")
                    strict += less < more
    expect(strict > 0, "the control, the reverse inequality, never failed")
    return f"{cases:,} hinges on populations of up to 5 points, {strict:,} strictly smaller"


@supports("cor:chernoff-without-replacement", method=Method.EXACT)
def lower_tails_without_replacement_obey_chernoff() -> str:
    """The lower tail of every small hypergeometric law stays below Chernoff's bound."""
    cases, control_failures = 0, 0
    for size in range(1, 14):
        for marked, n in product(range(1, size + 1), range(1, size + 1)):
            mu = Fraction(marked * n, size)
            for x in range(math.ceil(mu)):
                cases += 1
                tail, bound = ball(hypergeometric_cdf(size, marked, n, x)), _chernoff(mu, x)
                expect(tail <= bound, f"N={size}, marked={marked}, n={n}, x={x}")
                control_failures += bool(tail > bound**2)
    expect(control_failures > 0, "the control, the square of the bound, never failed")
    return f"{cases:,} tails, populations to 13; the squared bound fails {control_failures:,} times"


@supports("fact:gamma", method=Method.SYMBOLIC)
def half_integer_gammas() -> str:
    """(2k)! sqrt(pi) / (4^k k!) starts at Gamma(1/2) and grows as Gamma does, for every k."""
    k, x = sympy.symbols("k x", positive=True)
    start = sympy.integrate(sympy.exp(-x) / sympy.sqrt(x), (x, 0, sympy.oo))
    expect(start == sympy.sqrt(sympy.pi), f"Gamma(1/2) = {start}")
    step = (2 * k + 2) * (2 * k + 1) / (4 * (k + 1))
    expect(sympy.simplify(step - (k + sympy.Rational(1, 2))) == 0, "the ratio is not k + 1/2")
    for n in range(200):
        rational = ball(Fraction(math.factorial(2 * n), 4**n * math.factorial(n)))
        gamma = arb.gamma_fmpq(fmpq(2 * n + 1, 2))
        expect(gamma.overlaps(rational * arb.pi().sqrt()), f"k={n}: {gamma}")
        expect(not gamma.overlaps(rational), "the control, without sqrt(pi), did not fail")
    return "by induction; balls for k < 200, disjoint from the value without sqrt(pi)"


def _beta_integral(a: int, b: int) -> Fraction:
    """Return the integral of x^(a-1) (1-x)^(b-1), term by term."""
    terms = (Fraction((-1) ** j * math.comb(b - 1, j), a + j) for j in range(b))
    return sum(terms, Fraction(0))


@supports("fact:beta-function", method=Method.EXACT)
def beta_integrals_are_factorials() -> str:
    """The integral of x^(a-1) (1-x)^(b-1) is (a-1)! (b-1)! / (a+b-1)!."""
    for a, b in product(range(1, 31), repeat=2):
        ways = math.factorial(a - 1) * math.factorial(b - 1)
        integral = _beta_integral(a, b)
        expect(integral == Fraction(ways, math.factorial(a + b - 1)), f"B({a}, {b})")
        expect(integral != Fraction(ways, math.factorial(a + b)), f"control at B({a}, {b})")
    return "a, b <= 30, polynomials integrated in rationals"


def _stirling_gap(k: int) -> arb:
    """Return ln k! - ln(sqrt(2 pi k) (k/e)^k)."""
    x = arb(k)
    return (x + 1).lgamma() - (2 * arb.pi() * x).log() / 2 - x * x.log() + x


@supports("fact:stirling", method=Method.ARB)
def stirling_in_balls() -> str:
    """Stirling's two bounds hold for all k to 5000 and for powers of ten to 10^9."""
    with ctx.workprec(160):
        for k in (*range(1, 5001), *(10**e for e in range(4, 10))):
            gap = _stirling_gap(k)
            expect(1 / (12 * arb(k) + 1) <= gap <= 1 / (12 * arb(k)), f"k={k}: {gap}")
        expect(_stirling_gap(3) > 1 / arb(37), "the control, 1/(12k+1) above, did not fail")
    return "k <= 5000 and 10^4, ..., 10^9"


@supports("fact:stirling", method=Method.SYMBOLIC)
def stirling_telescopes() -> str:
    """From k to k + 1 the gap falls by more than 1/(12k+1) does and by less than 1/(12k) does.

    Robbins: the fall is the sum over j >= 1 of 1/((2j+1) (2k+1)^(2j)). Since 3 <= 2j+1 <=
    3^j it lies between two geometric sums. So the gap has a limit, and the bounds hold for
    the gap minus that limit. The limit is 0 by Wallis's product; the ball at k = 10^9 shows
    that it is below 1e-20.
    """
    k, y = sympy.symbols("k y", positive=True)
    fall = (k + sympy.Rational(1, 2)) * sympy.log((k + 1) / k) - 1
    series = sympy.series(sympy.atanh(y) / y - 1, y, 0, 14).removeO()
    terms = sum(y ** (2 * j) / (2 * j + 1) for j in range(1, 7))
    expect(sympy.expand(series - terms) == 0, "the series is not Robbins's")
    # ln((k+1)/k) = 2 artanh(1/(2k+1)), since (1+y)/(1-y) = (k+1)/k at y = 1/(2k+1).
    ratio = sympy.simplify(((1 + y) / (1 - y)).subs(y, 1 / (2 * k + 1)) - (k + 1) / k)
    expect(ratio == 0 and fall.has(sympy.log), "the logarithms differ")
    square = (2 * k + 1) ** 2
    above = sympy.Rational(1, 3) / (square - 1) - (1 / (12 * k) - 1 / (12 * (k + 1)))
    expect(sympy.simplify(above) == 0, "the upper geometric sum does not telescope")
    below = 1 / (3 * square - 1) - (1 / (12 * k + 1) - 1 / (12 * k + 13))
    numerator = sympy.Poly(sympy.numer(sympy.together(below)), k)
    shifted = sympy.Poly(numerator.as_expr().subs(k, k + 1), k).all_coeffs()
    expect(all(c > 0 for c in shifted), f"the lower sum: {shifted}")
    expect(all(2 * j + 1 <= 3**j for j in range(1, 40)), "2j+1 <= 3^j")
    return "both geometric sums, with symbolic k >= 1"
