"""Checks of Lemma P: the noisy scores under Gumbel noise are a race of exponential variables."""

from fractions import Fraction

import sympy
from flint import acb, arb, ctx

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.algorithms.noisy_max import gumbel_noisy_max_law
from privtopk.spec.laws.gumbel import ranked_law, weights
from privtopk.spec.noise.distributions import Gumbel
from privtopk.spec.proofs.gate.registry import Method, expect, supports
from privtopk.spec.proofs.instruments.arrivals import AnalyticNoise, gumbel_noise, ranking_law
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
        noise = gumbel_noise(ball(base).log())
        _expect_noise(noise)
        found = ranking_law(noise, SCORES)
        for ranking, probability in ranked_law(weights(SCORES, base), 2).items():
            expect(_is(found[ranking], probability), f"{ranking}: {found[ranking]}")
        for stated in (exponential_law(SCORES, base), gumbel_noisy_max_law(SCORES, base)):
            for item, probability in stated.items():
                best = sum((p for ranking, p in found.items() if ranking[0] == item), arb(0))
                expect(_is(best, probability), f"item {item}: {best}")
    return "m = 3, e^eps = 2 and 6/5: six rankings each, to 20 digits"


def _is(found: arb, stated: Fraction) -> bool:
    """Decide whether a narrow ball contains a probability."""
    return bool(found.contains(ball(stated))) and bool(found.rad() < arb("1e-20"))


def _expect_noise(noise: AnalyticNoise) -> None:
    """Expect the noise of the specification to have the density and distribution function here."""
    coded = Gumbel(float(noise.epsilon))
    for z in (-2.0, 0.0, 0.75, 9.0):
        for value, log_function in (
            (coded.cdf(z), noise.log_cdf(arb(z))),
            (coded.density(z), noise.log_density(arb(z))),
        ):
            integrated = log_function(acb(z), False).real.exp()
            expect(bool(abs(arb(value) / integrated - 1) < arb("1e-13")), f"z = {z}: {value}")
