"""Report noisy max: the item with the largest noisy score, and nothing else.

It is the one-shot mechanism for k = 1, and its law is the law of a set of one item. With Gumbel
noise that is the law of the exponential mechanism. Both noises are
epsilon-private under add/remove and 2 epsilon-private under l-infinity.

Paper: rel:report-noisy-max, fact:laplace-pure, fact:gumbel-pure.
"""

from collections.abc import Sequence
from fractions import Fraction

from privtopk.spec.algorithms.one_shot import noisy_scores
from privtopk.spec.laws.gumbel import set_law, weights
from privtopk.spec.laws.laplace import exact_laplace_set_law, laplace_set_law
from privtopk.spec.laws.log_linear import LogLinear
from privtopk.spec.model.accuracy import top_items
from privtopk.spec.model.parameters import require_histogram
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item, Number
from privtopk.spec.noise.distributions import Noise, sample


def report_noisy_max(histogram: Histogram, noise_values: Sequence[Number]) -> Item:
    """Return the item with the largest score + noise, ties to the smaller item.

    Paper: rel:report-noisy-max.
    """
    return top_items(noisy_scores(require_histogram(histogram), noise_values), 1)[0]


def noisy_max_mechanism(histogram: Histogram, noise: Noise, tape: Tape) -> Item:
    """Return the noisy maximum with the noise of item 1, then of item 2, and so on."""
    return report_noisy_max(histogram, [sample(noise, tape) for _ in histogram])


def gumbel_noisy_max_law(histogram: Histogram, base: Fraction) -> dict[Item, Fraction]:
    """Return the exact law with Gumbel(1/epsilon) noise, for a rational base = e^epsilon."""
    law = set_law(weights(histogram, base), 1)
    return {item: probability for (item,), probability in law.items()}


def exact_laplace_noisy_max_law(histogram: Histogram, base: Fraction) -> dict[Item, LogLinear]:
    """Return the exact law with Laplace(1/epsilon) noise, for a rational base = e^epsilon."""
    law = exact_laplace_set_law(histogram, 1, base)
    return {item: probability for (item,), probability in law.items()}


def laplace_noisy_max_law(histogram: Histogram, epsilon: Number) -> dict[Item, float]:
    """Return the law with Laplace(1/epsilon) noise, to a float's precision."""
    law = laplace_set_law(histogram, 1, epsilon)
    return {item: probability for (item,), probability in law.items()}
