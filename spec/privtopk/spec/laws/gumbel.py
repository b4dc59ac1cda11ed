"""The exact output law of the one-shot mechanism under Gumbel noise.

With noise of scale 1/epsilon the noisy ranking is a Plackett-Luce ranking: the next item is
i with probability w_i divided by the weight that remains, where w_i = e^(epsilon h[i]). So
the law is a finite sum of positive terms. It is exact in fractions when the base e^epsilon is
rational, and loses no digits in floats.

The functions take weights, not scores: a law is for analysis and is never released.

Paper: algo:one-shot, rem:ranked-release.
"""

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TypeVar

from privtopk.spec.model.parameters import (
    require_base,
    require_distinct_items,
    require_epsilon,
    require_histogram,
    require_k,
    require_weights,
)
from privtopk.spec.model.values import Histogram, Item, Number, items_of

Weight = TypeVar("Weight", Fraction, float)
"""Fractions give an exact law; floats one with a relative error of a few m k 2^-53."""


def weights(histogram: Histogram, base: Fraction) -> tuple[Fraction, ...]:
    """Return the exact weights base^h[1], ..., base^h[m], where base = e^epsilon."""
    scores = require_histogram(histogram)
    rational = require_base(base)
    return tuple(rational**score for score in scores)


def float_weights(histogram: Histogram, epsilon: Number) -> tuple[float, ...]:
    """Return e^(epsilon (h[i] - max h)): the largest weight is 1 and none overflows.

    A weight underflows to 0 when its score lies more than 745/epsilon below the largest.
    """
    scores = require_histogram(histogram)
    scale = require_epsilon(epsilon)
    largest = max(scores)
    return tuple(math.exp(scale * (score - largest)) for score in scores)


def total(terms: Sequence[Weight]) -> Weight:
    """Return the sum of at least one term, in the arithmetic of the terms."""
    return sum(terms[1:], start=terms[0])


def ranking_probability(weights: Sequence[Weight], ranking: Sequence[Item]) -> Weight:
    """Return the probability that the noisy ranking begins with these items in this order."""
    m = require_weights(weights)
    chosen = require_distinct_items(ranking, m)
    require_k(len(chosen), m)
    probability = weights[0] / weights[0]
    seen: frozenset[Item] = frozenset()
    for item in ranking:
        probability *= weights[item - 1] / remaining_weight(weights, seen)
        seen |= {item}
    return probability


def set_probability(weights: Sequence[Weight], selected: Collection[Item]) -> Weight:
    """Return the probability that the noisy top k items are exactly the selected ones.

    This sums over all orders of the selected items, by recursion over their 2^k subsets.
    """
    m = require_weights(weights)
    chosen = require_distinct_items(selected, m)
    require_k(len(chosen), m)
    law = {frozenset[Item](): weights[0] / weights[0]}
    for _ in chosen:
        law = one_more_item(law, weights, chosen)
    return law[chosen]


def ranked_law(weights: Sequence[Weight], k: int) -> dict[tuple[Item, ...], Weight]:
    """Return the law of the ranked list of the k largest noisy scores."""
    m = require_weights(weights)
    law = {tuple[Item, ...](): weights[0] / weights[0]}
    for _ in range(require_k(k, m)):
        law = one_more_place(law, weights)
    return law


def set_law(weights: Sequence[Weight], k: int) -> dict[frozenset[Item], Weight]:
    """Return the law of the set of the k largest noisy scores.

    f(S) is the sum over i in S of f(S without i) w_i / (the weight outside S without i).
    """
    m = require_weights(weights)
    domain = frozenset(items_of(m))
    law = {frozenset[Item](): weights[0] / weights[0]}
    for _ in range(require_k(k, m)):
        law = one_more_item(law, weights, domain)
    return law


def one_more_place(
    law: dict[tuple[Item, ...], Weight], weights: Sequence[Weight]
) -> dict[tuple[Item, ...], Weight]:
    """Return the law of the first n + 1 places of the ranking, given that of the first n."""
    longer: dict[tuple[Item, ...], Weight] = {}
    for ranking, probability in law.items():
        remaining = remaining_weight(weights, frozenset(ranking))
        for item in items_of(len(weights)):
            if item not in ranking:
                longer[append_item(ranking, item)] = probability * weights[item - 1] / remaining
    return longer


def append_item(ranking: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """Return the ranking with one more item at its end."""
    return (*ranking, item)


def one_more_item(
    law: dict[frozenset[Item], Weight],
    weights: Sequence[Weight],
    candidates: frozenset[Item],
) -> dict[frozenset[Item], Weight]:
    """Return f on the sets of n + 1 items, given f on the sets of n; adds candidates only."""
    larger: dict[frozenset[Item], Weight] = {}
    for seen, probability in law.items():
        remaining = remaining_weight(weights, seen)
        for item in sorted(candidates - seen):
            term = probability * weights[item - 1] / remaining
            successor = seen | {item}
            larger[successor] = larger[successor] + term if successor in larger else term
    return larger


def remaining_weight(weights: Sequence[Weight], seen: frozenset[Item]) -> Weight:
    """Return the weight outside a set that is not the whole domain.

    It is a sum over the complement: the total minus the weight of the seen items would lose
    digits when these are the heavy ones.
    """
    return total([weight for i, weight in enumerate(weights, start=1) if i not in seen])
