"""Algorithm 2: add noise to every score, return the k largest.

This is the reference: every other algorithm of this specification must have its output law,
and most return exactly its set when they get the same noise.

Paper:    algo:one-shot, rem:ranked-release.
Deviates: erratum:parameter-ranges (the noise is i.i.d. with a continuous law),
          erratum:atoms (with atoms the law depends on how ties fall).
"""

from collections.abc import Sequence

from privtopk.spec.model.accuracy import top_items
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_histogram, require_k, require_number
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item, Number, exact_sum
from privtopk.spec.noise.distributions import Laplace, Noise, sample


def noisy_scores(histogram: Histogram, noises: Sequence[Number]) -> tuple[Number, ...]:
    """Return v[i] = h[i] + Z_i for every item."""
    if len(noises) != len(histogram):
        raise SelectionError(
            Reason.DIFFERENT_DOMAINS,
            f"there must be one noise for each of the m={len(histogram)} items, got {len(noises)}",
        )
    values = [require_number("a noise", z) for z in noises]
    return tuple(exact_sum(pair) for pair in zip(histogram, values, strict=True))  # line 3


def select_with(histogram: Histogram, noises: Sequence[Number], k: int) -> tuple[Item, ...]:
    """Return the k items with the largest noisy scores for given noises, best first."""
    require_k(k, len(require_histogram(histogram)))
    return top_items(noisy_scores(histogram, noises), k)  # line 5


def one_shot_set(histogram: Histogram, k: int, noise: Noise, tape: Tape) -> frozenset[Item]:
    """Return the selected items as a set, without their order.

    Paper: algo:one-shot.
    """
    return frozenset(_select(histogram, k, noise, tape))


def one_shot_ranked(histogram: Histogram, k: int, noise: Noise, tape: Tape) -> tuple[Item, ...]:
    """Return the selected items as a ranked list, best first: for Gumbel noise only.

    Paper: rem:ranked-release.
    """
    if isinstance(noise, Laplace):
        raise SelectionError(
            Reason.RANKED_LAPLACE,
            "a ranked list needs Gumbel noise: with Laplace noise the items are released as a set",
        )
    return _select(histogram, k, noise, tape)


def _select(histogram: Histogram, k: int, noise: Noise, tape: Tape) -> tuple[Item, ...]:
    require_k(k, len(require_histogram(histogram)))
    return select_with(histogram, [sample(noise, tape) for _ in histogram], k)
