"""Permute-and-flip: items in random order, each accepted or rejected, until one is accepted.

Item i is accepted with probability e^(epsilon (h[i] - max h)), so the best item always is.
The law is that of the largest h[i] + E_i with E_i exponential of rate epsilon, and the
privacy follows from that form. Raise h[i] by a and leave the rest. Let g(z) be the
probability that item i with noise z beats the others; it does not fall as z grows. Then

    P'(i) = integral over z > 0 of epsilon e^(-epsilon z) g(z + a)
          = e^(epsilon a) times the same integral over z > a of g(z) <= e^(epsilon a) P(i).

Raising other scores lowers P(i), and raising all of them alike changes nothing. So P(i)
moves by a factor of at most e^(epsilon a), where a is the largest move of h[i] relative to
another score:

- add/remove: a = 1, epsilon-private; attained by (0, 1) against (1, 1);
- l-infinity: a = 2, 2 epsilon-private; attained by (0, 2) against (1, 1).

The usual statement for scores of sensitivity 1, acceptance e^(epsilon (h[i] - max h) / 2)
for epsilon-privacy, is the second one with epsilon halved.

Paper:    rel:permute-and-flip.
Deviates: erratum:neighbour-relation.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from privtopk.spec.laws.gumbel import Weight, float_weights, total
from privtopk.spec.model.errors import Reason, SelectionError
from privtopk.spec.model.parameters import (
    require_base,
    require_histogram,
    require_number,
    require_size,
)
from privtopk.spec.model.tape import Tape
from privtopk.spec.model.values import Histogram, Item, Number, items_of


def acceptances(histogram: Histogram, base: Fraction) -> tuple[Fraction, ...]:
    """Return the exact acceptance probabilities base^(h[i] - max h), base = e^epsilon."""
    scores = require_histogram(histogram)
    rational = require_base(base)
    return tuple(rational ** (score - max(scores)) for score in scores)


def require_acceptances(probabilities: Sequence[Number]) -> int:
    """Return the number of acceptance probabilities: all in [0, 1], at least one of them 1."""
    m = require_size(len(probabilities))
    numbers = [require_number("an acceptance probability", p) for p in probabilities]
    if not all(0 <= p <= 1 for p in numbers) or max(numbers) != 1:
        raise SelectionError(
            Reason.PROBABILITY_OUT_OF_RANGE,
            "acceptance probabilities must lie between 0 and 1, and the largest must be 1",
        )
    return m


def permute_and_flip_law(accepted: Sequence[Weight]) -> dict[Item, Weight]:
    """Return the law of the item, given the acceptance probabilities p_1, ..., p_m.

    The items met before i, all of them rejected, are a set T of s others with probability
    1 / (m C(m-1, s)), so with e_s the elementary symmetric polynomials of 1 - p_j, j != i,

        P(i) = p_i / m * sum over s of e_s / C(m-1, s).
    """
    m = require_acceptances(accepted)
    law: dict[Item, Weight] = {}
    for item in items_of(m):
        others = [1 - p for j, p in enumerate(accepted, start=1) if j != item]
        one = accepted[0] * 0 + 1
        averages = [e / comb(m - 1, s) for s, e in enumerate(symmetric_polynomials(others, one))]
        law[item] = accepted[item - 1] * total(averages) / m
    return law


def symmetric_polynomials(values: Sequence[Weight], one: Weight) -> list[Weight]:
    """Return e_0, ..., e_n of n values, by sums of positive terms."""
    polynomials = [one] + [one * 0] * len(values)
    for count, value in enumerate(values, start=1):
        for s in range(count, 0, -1):
            polynomials[s] += value * polynomials[s - 1]
    return polynomials


def permute_and_flip(accepted: Sequence[Number], tape: Tape) -> Item:
    """Return the first item that is accepted in a uniformly random order."""
    remaining = list(items_of(require_acceptances(accepted)))
    while True:
        item = remaining.pop(tape.below(len(remaining)))
        p = accepted[item - 1]
        if tape.choose((1 - p, p)) == 1:
            return item


def permute_and_flip_mechanism(histogram: Histogram, epsilon: Number, tape: Tape) -> Item:
    """Return the first accepted item; i is accepted with chance e^(epsilon (h[i] - max h)).

    Paper: rel:permute-and-flip.
    """
    return permute_and_flip(float_weights(histogram, epsilon), tape)
