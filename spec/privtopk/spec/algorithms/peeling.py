"""The peeling exponential mechanism: k times the exponential mechanism, without replacement.

Each step draws one of the remaining items and removes it. The list of the k items in the
order of their draws has the law of the Plackett-Luce ranking. That is the law of the one-shot
mechanism with Gumbel noise, so one noise list is enough for all k steps.

Each step costs the privacy of one exponential mechanism: in total k epsilon under add/remove
and 2 k epsilon under l-infinity.

Paper:    rel:peeling, fact:gumbel-pure.
Deviates: erratum:neighbour-relation.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from privtopk.spec.laws.gumbel import float_weights, ranked_law, weights
from privtopk.spec.model.parameters import (
    require_epsilon,
    require_histogram,
    require_k,
    require_weights,
)
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item, Number, items_of, score_of


def peeling_law(histogram: Histogram, k: int, base: Fraction) -> dict[tuple[Item, ...], Fraction]:
    """Return the exact law of the list of k items, for a rational base = e^epsilon."""
    return ranked_law(weights(histogram, base), k)


def peeling_mechanism(
    histogram: Histogram, k: int, epsilon: Number, tape: Tape
) -> tuple[Item, ...]:
    """Return k items in the order in which they were drawn.

    The weights are rescaled at every step, so the best remaining item always has weight 1,
    however low its score is.

    Paper: rel:peeling.
    """
    scores = require_histogram(histogram)
    scale = require_epsilon(epsilon)

    def step_weights(remaining: Sequence[Item]) -> tuple[float, ...]:
        return float_weights(tuple(score_of(scores, item) for item in remaining), scale)

    return _peel(len(scores), require_k(k, len(scores)), step_weights, tape)


def peel(item_weights: Sequence[Number], k: int, tape: Tape) -> tuple[Item, ...]:
    """Return k items drawn without replacement by given weights."""
    m = require_weights(item_weights)

    def step_weights(remaining: Sequence[Item]) -> list[Number]:
        return [item_weights[item - 1] for item in remaining]

    return _peel(m, require_k(k, m), step_weights, tape)


def _peel(
    m: int, k: int, step_weights: Callable[[Sequence[Item]], Sequence[Number]], tape: Tape
) -> tuple[Item, ...]:
    """Return k draws, each by the weights of the items that remain, up to a common factor."""
    remaining = list(items_of(m))
    drawn: list[Item] = []
    for _ in range(k):
        drawn.append(remaining.pop(tape.choose(step_weights(remaining))))
    return tuple(drawn)
