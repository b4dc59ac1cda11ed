"""Theorems about what a run of the threshold algorithm costs on the score list.

Paper:    model:access-cost.
Deviates: erratum:cost-parity.
Ours:     ours:cost-models.
"""

from privtopk.spec.algorithms.threshold import threshold_algorithm, total
from privtopk.spec.model.access import Door, StoredList, sorted_entries
from privtopk.spec.model.values import Item
from privtopk.spec.proofs.instruments.premises import is_between
from privtopk.spec.upper_bounds.cost_models import (
    CostModel,
    charged_cost,
    predicted_cost,
    reading_of,
)

Pair = tuple[int, int]
Triple = tuple[int, int, int]


def cost_of(
    scores: tuple[int, ...], noises: tuple[int, ...], k: int, model: CostModel
) -> tuple[int, int]:
    """Return the cost of a run on the score list, and its rounds."""
    stored = StoredList(scores)
    run = threshold_algorithm((stored, StoredList(noises)), k, total, reading_of(model))
    return charged_cost(stored.ledger, model), run.rounds


def order_of(values: tuple[int, ...]) -> list[Item]:
    """Return the items by descending value."""
    return [entry.item for entry in sorted_entries(values)]


def thm_a_literal_round_costs_three(scores: Pair, noises: Pair) -> bool:
    """As printed, every round makes one sorted and two random accesses to the score list.

    Claim: ours:cost-models, erratum:cost-parity
    Seconds: 40
    post: _
    """
    stored = StoredList(scores)
    reading = reading_of(CostModel.LITERAL)
    rounds = threshold_algorithm((stored, StoredList(noises)), 1, total, reading).rounds
    doors = (stored.ledger.count(Door.SORTED), stored.ledger.count(Door.RANDOM))
    return doors == (rounds, 2 * rounds)


def thm_a_round_without_re_reading_costs_two(scores: Pair, noises: Pair) -> bool:
    """Without reading a delivered value again, a round costs two on the score list.

    Claim: ours:cost-models, thm:access-cost
    Seconds: 40
    post: _
    """
    cost, rounds = cost_of(scores, noises, 1, CostModel.TWO_A_ROUND)
    return cost == 2 * rounds


def thm_memory_costs_between_one_and_two_a_round(scores: Pair, noises: Pair) -> bool:
    """With memory a run of R rounds costs R to 2R, as the two orders of the items predict.

    Claim: ours:cost-models
    Seconds: 40
    post: _
    """
    cost, rounds = cost_of(scores, noises, 1, CostModel.MEMOISED)
    predicted = predicted_cost(order_of(scores), order_of(noises), rounds, CostModel.MEMOISED)
    return rounds <= cost <= 2 * rounds and cost == predicted


def thm_distinct_entries_are_predicted_by_the_orders(scores: Pair, noises: Pair) -> bool:
    """The items whose score is learned are those among the first R of either list.

    Claim: ours:cost-models, model:access-cost
    Seconds: 40
    post: _
    """
    cost, rounds = cost_of(scores, noises, 1, CostModel.DISTINCT)
    predicted = predicted_cost(order_of(scores), order_of(noises), rounds, CostModel.DISTINCT)
    return rounds <= cost == predicted


def refuted_the_cost_is_even(scores: Triple, noises: Triple, k: int) -> bool:
    """With memory, too, the cost on the score list is an even number.

    Claim: erratum:cost-parity
    Seconds: 40
    pre: is_between(k, 1, 3)
    post: _
    """
    return cost_of(scores, noises, k, CostModel.MEMOISED)[0] % 2 == 0
