"""Theorems about one draw by weights, with e^epsilon = 2, for all positive integer weights.

A score that rises by 1 doubles its weight. A probability is a weight over the weight that
remains; ratios of probabilities are compared by cross-multiplication.

Paper:    fact:gumbel-pure, rel:peeling.
Deviates: erratum:neighbour-relation, erratum:exponential-mechanism.
Ours:     ours:accounting-pure.
"""

from fractions import Fraction

from privtopk.spec.algorithms.exponential import exponential_law
from privtopk.spec.laws.gumbel import remaining_weight, total
from privtopk.spec.model.neighbours import is_l_infinity_neighbour
from privtopk.spec.model.privacy import is_private
from privtopk.spec.model.values import Item
from privtopk.spec.proofs.instruments.premises import are_between

Pair = tuple[int, int]
Triple = tuple[int, int, int]

TWO = Fraction(2)
"""e^epsilon."""


def are_raised(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Decide whether every weight grows by a factor from 1 to 2: one client more."""
    return all(1 <= old <= new <= 2 * old for old, new in zip(before, after, strict=True))


def are_moved(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Decide whether every weight moves by a factor of at most 2 either way."""
    return all(
        1 <= old <= 2 * new and 1 <= new <= 2 * old for old, new in zip(before, after, strict=True)
    )


def is_within(factor: int, first: Pair, second: Pair) -> bool:
    """Decide whether two probabilities, as weight and total, differ by at most a factor."""
    (weight, everything), (other, all_other) = first, second
    return weight * all_other <= factor * other * everything and (
        other * everything <= factor * weight * all_other
    )


def thm_one_client_more_costs_epsilon(before: Pair, after: Pair) -> bool:
    """One client more changes no probability of a draw by more than e^epsilon.

    Claim: ours:accounting-pure, erratum:exponential-mechanism
    Seconds: 40
    pre: are_raised(before, after)
    post: _
    """
    sums = int(total(before)), int(total(after))
    return is_within(2, (before[0], sums[0]), (after[0], sums[1]))


def thm_every_peeling_step_costs_epsilon(before: Triple, after: Triple) -> bool:
    """The same holds for the next draw, after an item has been taken away.

    Claim: ours:accounting-pure, rel:peeling
    Seconds: 40
    pre: are_raised(before, after)
    post: _
    """
    taken = frozenset((Item(2),))
    first, second = (int(remaining_weight(weights, taken)) for weights in (before, after))
    return first == before[0] + before[2] and all(
        is_within(2, (before[i], first), (after[i], second)) for i in (0, 2)
    )


def thm_l_infinity_costs_two_epsilon(before: Pair, after: Pair) -> bool:
    """Scores that move by 1 either way change no probability by more than e^(2 epsilon).

    Claim: ours:accounting-pure, erratum:neighbour-relation
    pre: are_moved(before, after)
    post: _
    """
    sums = int(total(before)), int(total(after))
    return is_within(4, (before[0], sums[0]), (after[0], sums[1]))


def refuted_a_vote_that_moves_costs_epsilon(scores: Pair) -> bool:
    """A vote that moves from item 1 to item 2 changes no probability by more than e^epsilon.

    Claim: erratum:neighbour-relation, erratum:exponential-mechanism, fact:gumbel-pure
    Seconds: 40
    pre: are_between((scores[0] - 1, scores[1]), 0, 2)
    post: _
    """
    moved = (scores[0] - 1, scores[1] + 1)
    return is_l_infinity_neighbour(scores, moved) and is_private(
        exponential_law(scores, TWO), exponential_law(moved, TWO), TWO
    )
