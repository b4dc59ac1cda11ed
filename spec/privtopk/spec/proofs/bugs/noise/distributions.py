"""Bugs of `privtopk.spec.noise.distributions`."""

from privtopk.spec.proofs.gate.seeded_bugs import SeededBug

BUGS = (
    SeededBug(
        name="gumbel-scale-is-inverted",
        original="return -math.log(e) / float(self.epsilon)",
        mutated="return -math.log(e) * float(self.epsilon)",
        killers=("noise.distributions.quantiles_invert",),
    ),
    SeededBug(
        name="laplace-median-is-off",
        original="return math.log(2) - float(self.epsilon) * z",
        mutated="return -float(self.epsilon) * z",
        killers=("noise.distributions.doubles_agree_with_balls",),
    ),
    SeededBug(
        name="survival-cancels-in-the-tail",
        original="return -math.expm1(-self.to_exponential(z))",
        mutated="return 1 - self.cdf(z)",
        killers=("noise.distributions.doubles_agree_with_balls",),
    ),
    SeededBug(
        name="gumbel-level-rises-with-the-noise",
        original="return -math.log(e) / float(self.epsilon)",
        mutated="return math.log(e) / float(self.epsilon)",
        killers=("noise.distributions.inversion_commutes_with_sorting",),
    ),
)
