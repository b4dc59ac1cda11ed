"""Four ways to count what a run of the threshold algorithm costs on the score list.

The paper charges two accesses per round. Its pseudo-code makes three, and with memory it makes
between one and two. All bounds are on the number of rounds, so each model is a factor on top.

Paper:    model:access-cost, thm:access-cost.
Deviates: erratum:cost-parity.
Ours:     ours:cost-models.
"""

from collections.abc import Sequence
from enum import StrEnum

from privtopk.spec.algorithms.threshold import Reading
from privtopk.spec.model.access import Ledger
from privtopk.spec.model.parameters import require_member
from privtopk.spec.model.values import Item


class CostModel(StrEnum):
    """A way to count accesses to the score list in a run over two lists.

    Deviates: erratum:cost-parity.
    """

    LITERAL = "literal"
    """Algorithm 1 as printed: three accesses per round."""

    TWO_A_ROUND = "two-a-round"
    """The value just delivered is not read again: two accesses per round. The default."""

    MEMOISED = "memoised"
    """No item is read twice: between one and two accesses per round, in total even or odd."""

    DISTINCT = "distinct"
    """The number of items whose score is learned; at most the cost in the other models."""


def reading_of(model: CostModel) -> Reading:
    """Return the way of reading whose accesses a cost model counts."""
    match require_member("model", model, CostModel):
        case CostModel.LITERAL:
            return Reading.LITERAL
        case CostModel.TWO_A_ROUND:
            return Reading.SKIP_DELIVERED
        case CostModel.MEMOISED | CostModel.DISTINCT:
            return Reading.MEMOISED


def charged_cost(ledger: Ledger, model: CostModel) -> int:
    """Return the cost of a ledger that was kept with the model's way of reading."""
    is_distinct = require_member("model", model, CostModel) is CostModel.DISTINCT
    return len(ledger.distinct_items) if is_distinct else ledger.cost


def predicted_cost(
    scores: Sequence[Item], noises: Sequence[Item], rounds: int, model: CostModel
) -> int:
    """Return the cost of a run from the two orders of the items and its number of rounds.

    Ours: ours:cost-models.
    """
    match require_member("model", model, CostModel):
        case CostModel.LITERAL:
            return 3 * rounds
        case CostModel.TWO_A_ROUND:
            return 2 * rounds
        case CostModel.MEMOISED:
            # In round j the score list delivers first, so its items 1..j are known by then.
            return rounds + sum(noises[j] not in scores[: j + 1] for j in range(rounds))
        case CostModel.DISTINCT:
            return len(set(scores[:rounds]) | set(noises[:rounds]))
