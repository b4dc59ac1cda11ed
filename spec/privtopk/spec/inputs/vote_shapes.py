"""Histograms shaped like real votes, in addition to the six families of `families`.

Votes for films, words or places have a few favourites, a long middle and a longer tail of items
that one or two people like. Popularity is one weight per item. Votes are either *apportioned* in
proportion to the weights, or *cast* one by one at random, which makes ties. Both give exactly
the required number of votes. All randomness comes from a tape: the same tape gives the same votes.

- Zipf: the weight of the i-th item is i^-s. Words have s near 1; flatter and steeper ones occur.
- Log-normal: the weights are e^(spread X) for normal X, as for sizes that grow by random factors.
- Power law with cutoff: i^-s e^(-i/c), as for lists that nobody reads to the end.
- Ballots: one vote per item on average, cast by Zipf's law; most items have one of very few counts.

Paper:    model:votes (the paper leaves the evaluation open).
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from statistics import NormalDist
from typing import Final

from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import require_at_least, require_member, require_size
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram

VOTES_PER_ITEM: Final = 20
"""The average number of votes per item, except in ballots."""

LOG_NORMAL_SPREAD: Final = 2.0
"""The standard deviation of the logarithm: one item in 40 has 50 times the median weight."""

CUTOFF_EXPONENT: Final = 0.8
CUTOFF_DIVISOR: Final = 16
"""The power law is cut off after the first sixteenth of the items."""

BALLOT_EXPONENT: Final = 0.7

RESOLUTION: Final = 2**60
"""Weights are rounded to integers, in units of the largest weight divided by this."""


class ShapeName(StrEnum):
    """The names of the shapes in reports."""

    ZIPF_FLAT = "zipf-0.6"
    ZIPF_WORDS = "zipf-1.0"
    ZIPF_STEEP = "zipf-1.4"
    LOG_NORMAL = "log-normal"
    CUTOFF = "power-cutoff"
    BALLOTS = "ballots"


ZIPF_EXPONENTS: Final = {
    ShapeName.ZIPF_FLAT: 0.6,
    ShapeName.ZIPF_WORDS: 1.0,
    ShapeName.ZIPF_STEEP: 1.4,
}


@dataclass(frozen=True, slots=True)
class VoteShape:
    """A histogram that looks like real votes, by descending score."""

    name: ShapeName
    histogram: Histogram

    @property
    def total(self) -> int:
        """The number of votes."""
        return sum(self.histogram)


def vote_shape(name: ShapeName, m: int, tape: Tape) -> VoteShape:
    """Return a shape with m items and its usual number of votes."""
    require_member("name", name, ShapeName)
    total = VOTES_PER_ITEM * require_size(m)
    if name is ShapeName.LOG_NORMAL:
        return VoteShape(
            name, apportion_votes(log_normal_weights(m, LOG_NORMAL_SPREAD, tape), total)
        )
    if name is ShapeName.CUTOFF:
        cutoff = max(1, m // CUTOFF_DIVISOR)
        return VoteShape(name, apportion_votes(cutoff_weights(m, CUTOFF_EXPONENT, cutoff), total))
    if name is ShapeName.BALLOTS:
        return VoteShape(name, cast_votes(zipf_weights(m, BALLOT_EXPONENT), m, tape))
    return VoteShape(name, apportion_votes(zipf_weights(m, ZIPF_EXPONENTS[name]), total))


def zipf_weights(m: int, exponent: float) -> list[float]:
    """Return i^-s for i = 1, ..., m."""
    return [rank**-exponent for rank in range(1, require_size(m) + 1)]


def cutoff_weights(m: int, exponent: float, cutoff: int) -> list[float]:
    """Return i^-s e^(-i/c) for i = 1, ..., m."""
    require_at_least("cutoff", cutoff, 1)
    return [
        weight * math.exp(-rank / cutoff)
        for rank, weight in enumerate(zipf_weights(m, exponent), start=1)
    ]


def log_normal_weights(m: int, spread: float, tape: Tape) -> list[float]:
    """Return e^(spread X) for m normal X of the tape, largest first."""
    normal = NormalDist()
    draws = (normal.inv_cdf(float(tape.uniform())) for _ in range(require_size(m)))
    return sorted((math.exp(spread * x) for x in draws), reverse=True)


def apportion_votes(weights: Sequence[float], total: int) -> Histogram:
    """Return exactly `total` votes in proportion to the weights, by descending score.

    Each item gets its quota rounded down; the items with the largest remainders get one more.
    """
    require_at_least("total", total, 0)
    require_popularity(weights)
    largest = max(weights)
    exact = [round(weight / largest * RESOLUTION) for weight in weights]
    whole = sum(exact)
    quotas = [divmod(weight * total, whole) for weight in exact]
    by_remainder = sorted(range(len(quotas)), key=lambda i: quotas[i][1], reverse=True)
    votes = [floor for floor, _ in quotas]
    for index in by_remainder[: total - sum(votes)]:
        votes[index] += 1
    return tuple(sorted(votes, reverse=True))


def cast_votes(weights: Sequence[float], total: int, tape: Tape) -> Histogram:
    """Return `total` votes, each for an item drawn by weight, by descending score."""
    require_at_least("total", total, 0)
    require_popularity(weights)
    cumulated = list(accumulate(weights))
    votes = [0] * len(weights)
    for _ in range(total):
        place = bisect_right(cumulated, float(tape.uniform()) * cumulated[-1])
        votes[min(place, len(votes) - 1)] += 1
    return tuple(sorted(votes, reverse=True))


def require_popularity(weights: Sequence[float]) -> None:
    """Raise unless there are weights, none of them negative, with a positive finite sum."""
    total = math.fsum(weights)
    if not (weights and min(weights) >= 0 and 0 < total < math.inf):
        raise SelectionError(
            Reason.WEIGHT_OUT_OF_RANGE,
            f"weights must be at least 0 with a positive finite sum, got a sum of {total}",
        )
