"""Traces of the threshold algorithm: every access of a run, and the round in which it stops."""

from collections.abc import Sequence
from typing import Any, Final

from privtopk.conformance.vectors.numbers import uniform
from privtopk.conformance.vectors.tables import Cases, Solution, vectors_of
from privtopk.conformance.vectors.vector import Group
from privtopk.spec.algorithms.threshold import keep_best, threshold_algorithm, total
from privtopk.spec.model.access import Entry, Ledger, StoredList
from privtopk.spec.model.tape import tape_of
from privtopk.spec.model.values import Item, Number
from privtopk.spec.noise.distributions import Gumbel, Laplace, Noise, sample
from privtopk.spec.upper_bounds.cost_models import CostModel, charged_cost, reading_of

OPERATIONS: Final = {
    "threshold": (
        "Algorithm 3 on the two lists `scores` and `noises`, both sorted from the largest value "
        "down, ties to the smaller item. A round takes the next item of `scores` and learns its "
        "noise, then the next item of `noises` and learns its score, and keeps the k items with "
        "the largest sums, ties to the smaller item. The threshold is the last score delivered "
        "plus the last noise delivered. The run stops at the end of the first round in which k "
        "items are kept and the smallest sum of them is at least the threshold. `model` says "
        "what is read: literal reads both values of a delivered item by random access, "
        "two-a-round only the other value; memoised and distinct only what was "
        "not read before. `cost` is the number of accesses to `scores`, for distinct the number "
        "of items whose score was read."
    ),
}


class _WatchedSums:
    """The aggregation of Algorithm 3, which records the sums that it returns."""

    def __init__(self) -> None:
        self.sums: list[Number] = []

    def __call__(self, attributes: tuple[Number, ...]) -> Number:
        self.sums.append(total(attributes))
        return self.sums[-1]


def run_threshold(
    scores: Sequence[int], noises: Sequence[Number], k: int, model: CostModel
) -> Solution:
    """Run the threshold algorithm and note every access."""
    lists = StoredList(scores), StoredList(noises)
    watched = _WatchedSums()
    run = threshold_algorithm(lists, k, watched, reading_of(model))
    score_ledger, noise_ledger = (source.ledger for source in lists)
    return Solution(
        intermediates={"round_states": _round_states(scores, noises, watched.sums, k)},
        expected={
            "ranked": [entry.item for entry in run.selected],
            "stopping_round": run.rounds,
            "score_accesses": accesses(score_ledger),
            "noise_accesses": accesses(noise_ledger),
            "cost": charged_cost(score_ledger, model),
        },
    )


def accesses(ledger: Ledger) -> list[list[object]]:
    """Return every access to one list in order, as pairs of door and item."""
    return [[door, item] for door, item in ledger.accesses]


def _round_states(
    scores: Sequence[int], noises: Sequence[Number], sums: Sequence[Number], k: int
) -> list[dict[str, Any]]:
    """Return what is known at the end of each round; a round asks for three sums."""
    by_score, by_noise = _order(scores), _order(noises)
    best: tuple[Entry, ...] = ()
    rounds = []
    for index in range(len(sums) // 3):
        first, second, threshold = sums[3 * index : 3 * index + 3]
        best = keep_best(best, Entry(by_score[index], first), k)
        best = keep_best(best, Entry(by_noise[index], second), k)
        rounds.append(
            {
                "score_item": by_score[index],
                "noise_item": by_noise[index],
                "kept": [entry.item for entry in best],
                "smallest_kept": best[-1].value if len(best) == k else None,
                "threshold": threshold,
            }
        )
    return rounds


def _order(values: Sequence[Number]) -> list[Item]:
    stored = StoredList(values)
    return [stored.sorted_access().item for _ in values]


def group() -> Group:
    """Return all traces."""
    return Group(
        name="threshold-traces",
        task="Run the threshold algorithm on two given lists and compare every access.",
        operations=OPERATIONS,
        vectors=tuple(vectors_of("threshold", run_threshold, RUNS)),
    )


def noises_from_tape(noise: Noise, count: int) -> list[float]:
    """Return noises as they are drawn, from the same tape for every law."""
    tape = tape_of(*(uniform(n * 0x5DEECE66D1234 % 2**52) for n in range(1, count + 1)))
    return [sample(noise, tape) for _ in range(count)]


ALGORITHM: Final = ("algo:threshold-algorithm", "algo:private-threshold")
ATOMS: Final = (*ALGORITHM, "erratum:atoms")
ARITY: Final = (*ALGORITHM, "erratum:threshold-arity")
ROUNDS: Final = (*ALGORITHM, "ours:rounds-law")
EDGES: Final = (*ALGORITHM, "erratum:threshold-edge-cases")
CLAIM_ONE: Final = ("erratum:claim-one",)
COSTS: Final = ("ours:cost-models", "erratum:cost-parity")
TIES: Final = ("erratum:tie-order", "erratum:atoms")
TWICE: Final = ("algo:threshold-algorithm",)
SUMS: Final = ("algo:private-threshold",)
DRAWN: Final = ("algo:private-threshold", "def:noise")

LITERAL, USUAL, MEMOISED, DISTINCT = CostModel
"""The usual model charges two accesses per round."""

CROWD: Final = (31, 12, 30, 7, 29, 3, 28, 28, 1, 27, 0, 26)
HUGE: Final = (2**60, 2**60, 2**60, 2**60 - 1)

# fmt: off
RUNS: Final[Cases] = (
    ("id", "scores", "noises", "k", "model", "claims", "hunts"),

    # where a run stops
    ("threshold-stop-on-equality", (5, 0), (1, 0), 1, USUAL, ATOMS,
     "Stopping when the smallest sum kept exceeds the threshold, not when it equals it."),
    ("threshold-stop-on-equality-late", (6, 5, 3, 2, 1, 0), (0, 2, 1, 4, 3, 5), 2, USUAL, ATOMS,
     "Stopping only above the threshold, where the equality comes from different items."),
    ("threshold-needs-k-items", (100, 3, 2, 1, 0), (100, 0, 1, 2, 3), 3, USUAL, ALGORITHM,
     "Stopping before k items were seen, because the best of fewer beats the threshold."),
    ("threshold-of-last-delivered", (9, 8, 2, 1, 0), (0, 1, 2, 3, 4), 1, USUAL, ARITY,
     "Taking the threshold of the first round for all rounds."),
    ("threshold-not-at-best-sum", (10, 4, 3, 2, 1, 0), (10, 0, 2, 1, 4, 3), 2, USUAL, ALGORITHM,
     "Comparing the threshold with the best sum instead of the k-th best."),
    ("threshold-waits-for-late-winner", (10, 9, 8, 7, 0, 0), (0, 1, 9, 8, 5, 10), 2, USUAL,
     ALGORITHM, "Stopping as soon as k items were seen on both lists together."),
    ("threshold-opposite-orders", (7, 6, 5, 4, 3, 2, 1, 0), (0, 2, 4, 6, 8, 10, 12, 14), 1,
     USUAL, ROUNDS, "Reading to the end of both lists when one order is the reverse of the other."),
    ("threshold-claim-one-witness", (1, 0), (0, 1), 1, USUAL, CLAIM_ONE,
     "Taking the printed Claim One at its word: two items in common, yet two full rounds."),
    ("threshold-all-items", (3, 1, 4, 1, 5), (0, 3, 1, 4, 2), 5, USUAL, EDGES,
     "Looking for a sum outside the selection when k = m."),
    ("threshold-all-but-one", (4, 3, 2, 1, 0), (0, 2, 4, 6, 8), 4, USUAL, EDGES,
     "Reading past the end of a list when k = m - 1 and the orders are opposite."),
    ("threshold-one-item", (7,), (-3,), 1, USUAL, EDGES, "Failing on a list of one item."),

    # what a run costs
    ("cost-literal-witness", (5, 0), (1, 0), 1, LITERAL, COSTS,
     "Charging two accesses a round for the algorithm as printed, which makes three."),
    ("cost-memoised-witness", (5, 0), (1, 0), 1, MEMOISED, COSTS,
     "Taking every cost for an even number."),
    ("cost-literal", (6, 8, 0, 2, 3, 7, 1), (3, 6, 2, 0, 4, 1, 5), 2, LITERAL, COSTS,
     "Not reading the delivered value again where the model says so."),
    ("cost-two-a-round", (6, 8, 0, 2, 3, 7, 1), (3, 6, 2, 0, 4, 1, 5), 2, USUAL, COSTS,
     "Remembering items of earlier rounds where the model does not."),
    ("cost-memoised", (6, 8, 0, 2, 3, 7, 1), (3, 6, 2, 0, 4, 1, 5), 2, MEMOISED, COSTS,
     "Reading the score of an item again that sorted access delivered before."),
    ("cost-distinct", (6, 8, 0, 2, 3, 7, 1), (3, 6, 2, 0, 4, 1, 5), 2, DISTINCT, COSTS,
     "Counting accesses where the items learned are asked for."),

    # ties
    ("ties-of-scores", (2, 2, 2, 2, 2), (0, 3, 1, 4, 2), 2, USUAL, TIES,
     "Delivering equal scores in an order other than that of the items."),
    ("ties-of-noises", (0, 3, 1, 4, 2), (1, 1, 1, 1, 1), 2, USUAL, TIES,
     "Delivering equal noises in an order other than that of the items."),
    ("ties-of-sums", (0, 1, 2, 3), (3, 2, 1, 0), 2, USUAL, TIES,
     "Keeping the item met first, instead of the smaller one, when sums are equal."),
    ("ties-everywhere", (0, 0, 0, 0), (0, 0, 0, 0), 3, USUAL, TIES,
     "Reading more than k rounds when everything is equal."),
    ("same-item-from-both-lists", (9, 8, 1, 0), (5, 4, 0, 1), 2, USUAL, TWICE,
     "Keeping an item twice that both lists deliver, so that fewer than k are left."),

    # sums
    ("negative-sums", (0, 0, 1, 0), (-9, -5, -8, -7), 1, USUAL, SUMS,
     "Starting the best sum, or the threshold, at 0 though every sum is negative."),
    ("huge-scores", HUGE, (0.25, 0.5, 0.125, 0.75), 2, USUAL, SUMS,
     "Adding score and noise in doubles, where a score of 2^60 swallows the noise."),
    ("noise-outweighs-votes", (5, 4, 3, 2, 1, 0), (-1.5, -0.5, 0.0, 0.5, 1.0, 9.75), 1, USUAL, SUMS,
     "Reading the score list only: the winner has the smallest score of all."),
    ("swapped-lists", (4, 0, 3, 1, 2), (2, 4, 1, 3, 0), 2, USUAL, SUMS,
     "Taking noises for scores and scores for noises: the accesses change places."),

    # noise as it is drawn
    ("drawn-gumbel", CROWD, noises_from_tape(Gumbel(0.5), 12), 3, USUAL, DRAWN,
     "Rounding sums, or comparing them with a slack, so that a run stops too early."),
    ("drawn-laplace-memoised", CROWD, noises_from_tape(Laplace(0.25), 12), 4, MEMOISED, DRAWN,
     "Losing count of what was read when negative and positive noises mix."),
)
# fmt: on
