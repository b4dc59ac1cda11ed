"""Checks of Lemma P: the noisy scores under Gumbel noise are a race of exponential variables."""

from fractions import Fraction
from itertools import permutations

import sympy
from flint import acb, arb, ctx

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.algorithms.noisy_max import gumbel_noisy_max_law
from privtopk.spec.laws.gumbel import ranked_law, weights
from privtopk.spec.model.values import Item
from privtopk.spec.noise.distributions import Gumbel
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.balls import ball

SCORES = (2, 0, 1)
BASES = (Fraction(2), Fraction(6, 5))
"""e^epsilon; each integral is a ball that contains the true probability."""


@supports("rel:peeling", "rel:report-noisy-max", "ours:accounting-pure", method=Method.SYMBOLIC)
def exponential_race_is_peeling() -> str:
    """e^(-eps(h + Z)) is exponential with rate e^(eps h), forgets its past, and wins with w/W."""
    x, u, w, total, eps = sympy.symbols("x u w W eps", positive=True)
    h = sympy.symbols("h", real=True)
    cdf = sympy.exp(-sympy.exp(-eps * (-sympy.log(x) / eps - h)))
    survival = sympy.exp(-x * sympy.exp(eps * h))
    expect(sympy.simplify(cdf - survival) == 0, "P(X > x) is not e^(-w x)")
    later = sympy.exp(-w * (x + u)) / sympy.exp(-w * x)
    expect(sympy.simplify(later - sympy.exp(-w * u)) == 0, "the past is not forgotten")
    race = w * sympy.exp(-w * u) * sympy.exp(-(total - w) * u)
    wins = sympy.integrate(sympy.simplify(race), (u, 0, sympy.oo))
    expect(sympy.simplify(wins - w / total) == 0, f"an item wins with {wins}")
    return "the law of X, its memory and one race, with symbolic h, eps, w and W"


def _cdf(epsilon: arb, z: acb) -> acb:
    """Return P(Z <= z) = exp(-exp(-epsilon z)) for Gumbel(1/epsilon) noise."""
    return (-(-epsilon * z).exp()).exp()


def _density(epsilon: arb, z: acb) -> acb:
    """Return the derivative of `_cdf`."""
    return epsilon * (-epsilon * z).exp() * _cdf(epsilon, z)


def _ranking_chance(epsilon: arb, order: tuple[int, ...]) -> arb:
    """Return the probability that three noisy scores have an order, by an integral over the second.

    Beyond the ends of the integral the first and the second factor are below e^-60.
    """
    best, second, worst = (SCORES[index] for index in order)

    def integrand(v: acb, _: object) -> acb:
        above, below = 1 - _cdf(epsilon, v - best), _cdf(epsilon, v - worst)
        return _density(epsilon, v - second) * above * below

    inside = acb.integral(integrand, -arb(5) / epsilon, arb(62) / epsilon + 2).real
    return inside + arb(0, arb(-60).exp())


@supports(
    "rel:peeling",
    "rel:report-noisy-max",
    "algo:one-shot",
    "rem:ranked-release",
    "ours:accounting-pure",
    method=Method.ARB,
)
def gumbel_noise_has_the_ranked_law() -> str:
    """Integrals over the density of Gumbel noise are the exact ranked law, and that of the best."""
    ctx.prec = 120
    for base in BASES:
        epsilon = ball(base).log()
        _expect_noise(epsilon)
        law = ranked_law(weights(SCORES, base), 2)
        first = dict.fromkeys(law, arb(0))
        best = {ranking[0]: arb(0) for ranking in law}
        for order in permutations(range(3)):
            chance = _ranking_chance(epsilon, order)
            chosen = tuple(Item(index + 1) for index in order[:2])
            first[chosen] = chance
            best[chosen[0]] += chance
        for ranking, probability in law.items():
            expect(_is(first[ranking], probability), f"{ranking}: {first[ranking]}")
        for stated in (exponential_law(SCORES, base), gumbel_noisy_max_law(SCORES, base)):
            expect(all(_is(best[item], p) for item, p in stated.items()), f"{stated}")
    return "m = 3, e^eps = 2 and 6/5: six rankings each, to 20 digits"


def _is(found: arb, stated: Fraction) -> bool:
    """Decide whether a narrow ball contains a probability."""
    return bool(found.contains(ball(stated))) and bool(found.rad() < arb("1e-20"))


def _expect_noise(epsilon: arb) -> None:
    """Expect the noise of the specification to have the density and distribution function here."""
    noise = Gumbel(float(epsilon))
    for z in (-2.0, 0.0, 0.75, 9.0):
        for stated, ours in (
            (noise.cdf(z), _cdf(epsilon, acb(z)).real),
            (noise.density(z), _density(epsilon, acb(z)).real),
        ):
            expect(bool(abs(arb(stated) / ours - 1) < arb("1e-13")), f"at z = {z}: {stated}")
