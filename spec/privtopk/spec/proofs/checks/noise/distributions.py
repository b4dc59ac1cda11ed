"""Checks of the noise laws: densities, inverses, inversion of sorted uniforms."""

from fractions import Fraction
from itertools import pairwise, permutations

import sympy
from flint import arb, ctx

from privtopk.spec.algorithms.atoms import DiscreteNoise
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise
from privtopk.spec.proofs.gate.registry import Method, expect, refutes, supports

NOISES: tuple[Noise, ...] = (
    Gumbel(Fraction(7, 10)),
    Laplace(Fraction(7, 10)),
    Gumbel(3),
    Laplace(3),
)


@supports("def:noise", method=Method.SYMBOLIC)
def densities_are_derivatives() -> str:
    """Both printed densities are the derivatives of distribution functions from 0 to 1."""
    z, b = sympy.symbols("z b", positive=True)
    x = sympy.symbols("x", real=True)
    gumbel = sympy.exp(-sympy.exp(-x / b))
    printed = sympy.exp(-(x / b + sympy.exp(-x / b))) / b
    expect(sympy.simplify(sympy.diff(gumbel, x) - printed) == 0, "Gumbel")
    expect(sympy.limit(gumbel, x, sympy.oo) == 1, "Gumbel at infinity")
    expect(sympy.limit(gumbel, x, -sympy.oo) == 0, "Gumbel at minus infinity")
    tail = sympy.exp(-z / b) / 2
    density = sympy.exp(-z / b) / (2 * b)
    expect(sympy.simplify(sympy.diff(1 - tail, z) - density) == 0, "Laplace above 0")
    expect(sympy.simplify(sympy.diff(tail, z) + density) == 0, "Laplace below 0")
    return "symbolic in z and b > 0"


@supports("def:noise", method=Method.ARB)
def doubles_agree_with_balls() -> str:
    """Density, cdf, survival and E of both noises agree with 200-bit balls, far tails included."""
    ctx.prec = 200
    grid = [n / 8 for n in range(-160, 161)] + [38.0, 50.0, 200.0, -60.0]
    for epsilon in (0.7, 3.0):
        for z in grid:
            for noise, balls in (
                (Gumbel(epsilon), _gumbel_balls(arb(epsilon), arb(z))),
                (Laplace(epsilon), _laplace_balls(arb(epsilon), arb(z))),
            ):
                values = (
                    noise.density(z),
                    noise.cdf(z),
                    noise.survival(z),
                    noise.to_exponential(z),
                )
                for name, value, ball in zip(
                    ("density", "cdf", "survival", "E"), values, balls, strict=True
                ):
                    expect(_agrees(value, ball), f"{noise} {name} at {z}: {value} against {ball}")
    return f"{2 * len(grid)} points, relative error below 1e-12"


def _gumbel_balls(epsilon: arb, z: arb) -> tuple[arb, arb, arb, arb]:
    e = (-epsilon * z).exp()
    return epsilon * e * (-e).exp(), (-e).exp(), -(-e).expm1(), e


def _laplace_balls(epsilon: arb, z: arb) -> tuple[arb, arb, arb, arb]:
    tail = (-epsilon * abs(z)).exp() / 2
    if z < 0:
        return epsilon * tail, tail, 1 - tail, -tail.log()
    return epsilon * tail, 1 - tail, tail, -(-tail).log1p()


def _agrees(value: float, ball: arb) -> bool:
    if abs(ball) < arb("1e-300"):
        return abs(value) < 1e-290
    if abs(ball) > arb("1e300"):
        return value > 1e290
    return bool(abs(arb(value) / ball - 1) < arb("1e-12"))


@supports("fact:inversion", method=Method.ENUMERATION)
def quantiles_invert() -> str:
    """Both inverses and the E-space form invert the distribution function in both tails."""
    cases = 0
    for noise in NOISES:
        for exponent in range(1, 60):
            u = 2.0**-exponent
            for z, mass in (
                (noise.quantile(u), noise.cdf),
                (noise.upper_quantile(u), noise.survival),
            ):
                cases += 1
                expect(abs(mass(z) / u - 1) < 1e-12, f"{noise} at {u}")
            e = u * 3
            expect(abs(noise.to_exponential(noise.from_exponential(e)) / e - 1) < 1e-11, f"{noise}")
    return f"{cases} quantiles down to 2^-59, two noises, two scales"


@supports("fact:inversion", "erratum:quantile", method=Method.EXACT)
def generalised_inverse_has_the_law() -> str:
    """With inf {x : F(x) >= u} a uniform u gives law F, atoms included."""
    noise = DiscreteNoise((0, 1, 3), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))
    steps = 12
    drawn = [_inverse(noise, Fraction(2 * n + 1, 2 * steps)) for n in range(steps)]
    law = {value: Fraction(drawn.count(value), steps) for value in noise.values}
    expect(law == dict(zip(noise.values, noise.probabilities, strict=True)), f"{law}")
    return "three atoms, uniforms in twelfths"


def _inverse(noise: DiscreteNoise, u: Fraction) -> int:
    return min(z for z in noise.values if 1 - noise.chance_above(z) >= u)


@refutes("erratum:quantile", method=Method.EXACT)
def printed_inverse_is_empty() -> str:
    """For a fair coin no x has F(x) = 1/4, so inf {x : F(x) = u} is the infimum of an empty set."""
    coin = DiscreteNoise((0, 1), (Fraction(1, 2), Fraction(1, 2)))
    probabilities = {1 - coin.chance_above(z) for z in (-1, 0, 1, 2)} | {Fraction(0), Fraction(1)}
    expect(Fraction(1, 4) not in probabilities, "F takes the value 1/4")
    expect(_inverse(coin, Fraction(1, 4)) == 0, "the corrected inverse is 0")
    return "a fair coin takes the values 0, 1/2 and 1 only"


@supports("fact:inversion-order-statistics", method=Method.ENUMERATION)
def inversion_commutes_with_sorting() -> str:
    """Sorting the inverted uniforms and inverting the sorted uniforms give the same sequence."""
    uniforms = [n / 16 for n in (1, 3, 6, 10, 15)]
    cases = 0
    for noise in NOISES:
        for order in permutations(uniforms):
            cases += 1
            inverted = sorted((noise.quantile(u) for u in order), reverse=True)
            expect(
                inverted == [noise.quantile(u) for u in sorted(order, reverse=True)],
                f"{noise} {order}",
            )
    for noise in NOISES:
        falling = [noise.from_exponential(2.0**n) for n in range(-80, 9)]
        expect(all(a > b for a, b in pairwise(falling)), f"{noise}: E is not order-reversing")
    return f"{cases} orders of five uniforms, and E from 2^-80 to 2^8"


@refutes("erratum:parameter-ranges", method=Method.EXACT)
def negative_scale_has_no_density() -> str:
    """For b = -1 the printed Laplace density is negative."""
    z, b = sympy.Integer(0), sympy.Integer(-1)
    density = sympy.exp(-abs(z) / b) / (2 * b)
    expect(density == sympy.Rational(-1, 2), f"the density at 0 is {density}")
    return "b = -1: density -1/2 at z = 0"
