"""Theorems about the pure guarantees, for every k and a few whole epsilons.

Deviates: erratum:laplace-tight.
Ours:     ours:accounting-pure, ours:accounting-laplace.
"""

from privtopk.spec.accounting.bounded_range import range_of_step
from privtopk.spec.accounting.composition import pure_composition
from privtopk.spec.accounting.guarantee import guarantee
from privtopk.spec.model.neighbours import Relation
from privtopk.spec.noise.distributions import NoiseKind
from privtopk.spec.proofs.instruments.premises import concrete, is_between


def laplace_epsilon(epsilon: int, k: int, m: int, relation: Relation) -> object:
    """Return the pure guarantee of a selection under Laplace noise."""
    return guarantee(NoiseKind.LAPLACE, epsilon, k, m, relation, 0).epsilon


def thm_the_range_doubles_beyond_add_remove(epsilon: int) -> bool:
    """A step loses epsilon under add/remove, and twice that under swap and l-infinity.

    Claim: ours:accounting-pure, erratum:neighbour-relation
    pre: is_between(epsilon, 1, 3)
    post: _
    """
    ranges = [range_of_step(concrete(epsilon, 1, 3), relation) for relation in Relation]
    return ranges == [epsilon, 2 * epsilon, 2 * epsilon]


def thm_k_steps_cost_k_times_one(epsilon: int, k: int, more: int) -> bool:
    """Pure losses add up: k + l steps cost what k steps and l steps cost together.

    Claim: ours:accounting-pure
    pre: is_between(epsilon, 1, 3)
    pre: k >= 1 and more >= 1
    post: _
    """
    step = concrete(epsilon, 1, 3)
    parts = pure_composition(step, k) + pure_composition(step, more)
    return pure_composition(step, k + more) == parts


def thm_laplace_costs_k_epsilon_or_twice_that(epsilon: int, k: int, m: int) -> bool:
    """Under Laplace noise the set costs k epsilon, and 2k epsilon under swap and l-infinity.

    Claim: ours:accounting-laplace, erratum:laplace-tight
    Seconds: 40
    pre: is_between(epsilon, 1, 3)
    pre: 1 <= k <= m
    post: _
    """
    scale = concrete(epsilon, 1, 3)
    losses = [laplace_epsilon(scale, k, m, relation) for relation in Relation]
    return losses == [k * scale, 2 * k * scale, 2 * k * scale]
